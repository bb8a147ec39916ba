import Circulation
import Desk
import LuaRuntime
import Plugins
import Reports
import Scripting
import TextFormats

/// A page that a plugin in force adds: a report of its own in the frame of the library's pages. It changes nothing, and
/// brings no text of a page itself.
struct PluginPage: Sendable {
    private let active: PluginPool.Entry
    private let entry: Contribution
    private let role: PluginRole
    let title: String

    private var plugin: Plugin { active.plugin }
    var path: String { entry.name }
    var isForAdministrators: Bool { role == .admin }
    /// The name under which its requests are counted.
    func name(by method: String) -> String {
        "page:plugin:\(plugin.name) \(method == "POST" ? "post" : "get") \(path)"
    }

    static func all(of active: PluginPool.Entry) -> [PluginPage] {
        active.manifest.contributions(of: .pages).compactMap { entry in
            guard let title = entry.values["title"]?.stringValue,
                let role = entry.values["role"]?.stringValue.flatMap(PluginRole.init)
            else { return nil }
            return PluginPage(active: active, entry: entry, role: role, title: title)
        }
    }

    /// The page as the others are, or what its forms do; nil: it has none.
    func page(_ verb: Route.Verb, _ pool: PluginPool) -> Page? {
        let access: Page.Access =
            switch role {
            case .everyone: verb == .get ? .everyone : .holder
            case .patron: .holder
            case .staff, .admin: .staff
            }
        switch verb {
        case .get: return Page(verb: .get, path: path, access: access, work: .entering { .view(try view($0, pool)) })
        case .post where !forms.isEmpty:
            return Page(
                verb: .post, path: path, access: access, work: .working { try submit($0, pool) },
                again: { try view($0, pool) })
        default: return nil
        }
    }

    /// What those who are logged in can do on the page.
    private var forms: [Contribution] { active.manifest.forms(of: entry) }

    private func view(_ call: PageCall, _ pool: PluginPool) throws -> PageView {
        try checkAccess(call)
        var view = PageView(
            template: "plugin-page", title: title, fields: ["path": path, "isStaff": call.caller.isStaff])
        if call.caller.patron != nil { view.fields["forms"] = try forms.map { try shown($0, call, pool) } }
        if entry.has(ContributionKind.run) {
            var document = try with(entry, call, pool) { try $0.document(entry, $1) }
            document.zone = call.library.zone
            view.fields["content"] = Self.shown(document, to: call)
        } else {
            try fill(&view, call)
        }
        return view
    }

    private func checkAccess(_ call: PageCall) throws(Problem) {
        guard !isForAdministrators || call.caller.isAdmin else { throw Problem.notFound }
    }

    /// Runs the body with the plugin and the request. What is the plugin's fault is kept under the entry.
    private func with<Result>(
        _ entry: Contribution, _ call: PageCall, _ pool: PluginPool,
        _ body: (LoadedPlugin, PluginRequest) throws -> Result
    ) throws -> Result {
        let method = entry.kind == ContributionKind.forms.key ? call.request.method : "GET"
        let asked = PluginRequest(
            method, path, query: call.request.query, fields: call.request.fields, caller: call.caller)
        return try pool.with(plugin) { loaded in
            do {
                return try body(loaded, asked)
            } catch let fault as PluginFault {
                throw fault.kept(of: plugin, entry, at: call.services.desk)
            }
        }
    }

    // MARK: - Forms

    /// The field that names the form which was sent.
    private static let formField = ".form"

    private func shown(_ form: Contribution, _ call: PageCall, _ pool: PluginPool) throws -> [String: Any] {
        let choices = try with(form, call, pool) { try $0.choices(of: form, $1) }
        let isSent = call.form[Self.formField] == form.name
        let inputs = form.parameters.map { parameter -> [String: Any] in
            let sent = isSent ? call.form[parameter.name] : nil
            var input = DeskReportsPage.input(parameter, value: sent ?? parameter.standard ?? "", isFilter: false)
            input["id"] = "\(form.name)-\(parameter.name)"
            input["most"] = LoadedPlugin.longestText
            if isSent, let wrong = call.wrong[parameter.name] { (input["wrong"], input["isWrong"]) = (wrong, true) }
            guard let given = choices[parameter.name] else { return input }
            input["choices"] = given.map { choice -> [String: Any] in
                [
                    "value": PageWords.safe(choice.value), "words": PageWords.safe(choice.words),
                    "isChosen": choice.value == sent,
                ]
            }
            input["mayBeEmpty"] = !parameter.isRequired
            return input
        }
        return [
            "name": form.name, "label": PageWords.safe(form.text("label") ?? form.name), "path": path, "inputs": inputs,
            "help": form.text("help").map { PageWords.safe($0) } ?? "",
        ]
    }

    private func submit(_ call: PageCall, _ pool: PluginPool) throws -> PageOutcome {
        try checkAccess(call)
        guard let form = forms.first(where: { $0.name == call.form[Self.formField] }) else {
            throw Problem.input("The page has no such form any more. Reload it, and try again.")
        }
        let answer: FormAnswer
        do {
            answer = try with(form, call, pool) { try $0.submit(form, call.form.texts, $1) }
        } catch let problem as Problem where problem.argument == nil && [400, 404, 409, 422].contains(problem.status) {
            let words = problem == .notFound ? "There is none of that name, or it is another's." : problem.detail
            return .refused(["code": .string(problem.code), "message": .string(words)], back: path)
        }
        return .done(to: answer.path ?? path, saying: answer.words.isEmpty ? "Done." : answer.words)
    }

    // MARK: - Reports

    /// Runs the report script. Its arguments are a form, which is shown alone where one that it needs is missing.
    private func fill(_ view: inout PageView, _ call: PageCall) throws {
        let report = try report(call)
        let declared = try run(report, ["--help"], call)
        let parameters = declared.parameters
        view.fields["inputs"] = try parameters.map { try DeskReportsPage.input($0, call) }
        view.fields["hasInputs"] = !parameters.isEmpty
        let given = call.query.texts
        let isMissing = parameters.contains { $0.isRequired && $0.standard == nil && given[$0.name] == nil }
        guard declared.failure == nil, !isMissing || given[".show"] != nil else {
            view.fields["wrong"] = declared.failure.map { PageWords.safe($0.message) }
            return
        }
        let words = parameters.compactMap { parameter in
            given[parameter.name].map { "--\(parameter.name.replacing("_", with: "-"))=\($0)" }
        }
        let result = try run(report, words, call)
        if let failure = result.failure {
            guard failure.status == .usage else {
                let fault = PluginFault(result) ?? PluginFault(code: failure.code, message: failure.description)
                throw fault.kept(of: plugin, entry, at: call.services.desk)
            }
            view.fields["wrong"] = PageWords.safe(failure.message)
            view.status = 422
        } else {
            let document = ValueReport.document(result, isForProgram: false, isExact: false)
            view.fields["content"] = Self.shown(document, to: call)
        }
    }

    /// A report, as far as its reader may see what it leads to.
    private static func shown(_ document: ReportDocument, to call: PageCall) -> String {
        let addresses = ReportAddresses(for: call.caller.isStaff ? .staff : .anybody)
        let languages = call.services.appearance.languages
        return document.spoken(in: languages) { HTMLReport(document) { addresses($0) }.fragment }
    }

    private func report(_ call: PageCall) throws -> PluginReport {
        guard let file = entry.values["report"]?.stringValue,
            let bundle = try call.services.desk.read({ try $0.plugins.bundle(plugin.sha256) }),
            let report = PluginReport(file, of: plugin, active.manifest, in: bundle, onlyShows: true)
        else {
            throw PluginFault(code: "missing", message: "the report is not in the store")
                .kept(of: plugin, entry, at: call.services.desk)
        }
        return report
    }

    /// As the person who looks, with those of the plugin's rights that change nothing.
    private func run(_ report: PluginReport, _ words: [String], _ call: PageCall) throws -> ScriptResult {
        var options = ScriptOptions(arguments: words, limits: LoadedPlugin.limits)
        options.caller = call.caller
        let clock = call.services.clock
        let result = report.run(
            at: call.services.desk.acting(as: call.caller.actor), clock: { clock.now() }, output: RecordedOutput(),
            options: options)
        if let problem = result.failure?.cause as? Problem { throw problem }
        return result
    }
}

/// The template of plugins' pages; which pages there are, the plugins in force say.
enum PluginPages: PageGroup {
    static let templates = [PageTemplate("plugin-page", PackageResources.plugin_page_mustache)]
    static let pages: [Page] = []
}
