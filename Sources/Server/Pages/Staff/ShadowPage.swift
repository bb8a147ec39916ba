import Circulation
import Desk
import Languages
import Scripting
import TextFormats
import Workbench

/// What the policy beside the one in force decides otherwise, for administrators.
enum ShadowPage: PageGroup {
    static let templates = [PageTemplate("shadow", PackageResources.shadow_mustache)]
    /// So many differences are shown.
    private static let most = 100

    static let pages = [
        Page.shown("/desk/policy/shadow", .admin) { call in
            guard let report = try call.context.look({ try ShadowReport($0, limit: most) }) else {
                return PageView(template: "shadow", title: say("Shadow policy"), fields: [:])
            }
            let progress = report.progress
            var shadow: [String: Any] = [
                "policyName": PageWords.safe(report.shadow.name), "short": String(report.shadow.policy.prefix(12)),
                "decided": progress.decided, "different": progress.different, "failed": progress.failed,
                "isAlike": progress.different == 0,
                "differences": report.differences.reversed().map { row($0, report, call) },
            ]
            shadow["since"] = call.words.moment(.string(report.shadow.since.description))
            if !report.shadow.note.isEmpty { shadow["note"] = PageWords.safe(report.shadow.note) }
            return PageView(template: "shadow", title: say("Shadow policy"), fields: ["shadow": shadow])
        }
    ]

    private static func row(_ difference: ShadowDifference, _ report: ShadowReport, _ call: PageCall) -> [String: Any] {
        let (before, after) = report.words(difference)
        var row: [String: Any] = [
            "point": difference.point.rawValue, "about": PageWords.safe(report.about(difference)),
            "before": PageWords.safe(before), "after": PageWords.safe(after), "hasFailed": difference.failure != nil,
            "event": difference.event,
        ]
        row["at"] = call.words.moment(.string(difference.at.description))
        return row
    }
}
