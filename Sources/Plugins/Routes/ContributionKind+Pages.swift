import Circulation
import Scripting
import TextFormats

extension ContributionKind {
    /// Pages among the library's: `pages = { { path = "/courier", title = "Courier", role = "staff", report = "reports/courier.lua" } }`.
    package static let pages = ContributionKind(
        "pages", "a page", .list(named: "path"),
        [
            Field("title", .text, isRequired: true),
            Field("role", .oneOf(PluginRole.allCases.map(\.rawValue)), isRequired: true),
            Field("report", .file), Field("run", .function),
        ],
        argument: { _, _, api in PluginRequest.tree(api) },
        problem: { entry in
            if entry.name.contains("{") { return "the path of a page has no names in it" }
            if let problem = PluginRoute.problem(ofPath: entry.name) { return problem }
            return entry.has(run) == (entry.values["report"] != nil)
                ? "a page has a 'report', or a function 'run'" : nil
        })
}
