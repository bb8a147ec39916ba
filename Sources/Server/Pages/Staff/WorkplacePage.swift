import Circulation
import Desk
import Languages
import Scripting

/// The branch where a member of staff works: what they check in arrives there. It is the one of their record until they choose
/// another, which is kept for the browser, since a desk's computer stays where it is.
enum WorkplacePage: PageGroup {
    /// A year.
    private static let secondsKept: Int64 = 31_536_000

    static let pages = [
        Page.entry("/desk/branch", .staff) { call in
            guard let code = call.form.text("branch"), try call.services.workplace(code, of: call.caller) != nil else {
                throw Problem.input("Choose one of the library's branches.", argument: "branch")
            }
            let cookie = PageCookie(kind: .workplace, value: code, seconds: secondsKept)
            return .seeOther(call.request.referrer?.text ?? "/desk", cookies: [cookie])
        }
    ]

    /// Where the caller works and where they could; nil for a library of one branch.
    static func choice(_ call: PageCall, _ session: DeskSession) throws -> [String: Any]? {
        let branches = try session.settings.branches()
        guard branches.count > 1 else { return nil }
        let here = call.caller.branch
        return [
            "name": PageWords.safe(branches.first { $0.code == here }?.name ?? here ?? ""),
            "branches": branches.map {
                ["code": $0.code, "name": PageWords.safe($0.name), "isIt": $0.code == here] as [String: Any]
            },
        ]
    }
}
