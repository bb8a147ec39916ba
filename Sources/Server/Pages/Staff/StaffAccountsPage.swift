import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// The accounts of colleagues, for administrators: who may do what, when they were last here, and who gets in no more.
enum StaffAccountsPage: PageGroup {
    static let templates = [PageTemplate("staff-accounts", PackageResources.staff_accounts_mustache)]

    private static let path = "/desk/staff"

    static let pages = [
        Page.shown(path, .admin) { call in try view(call) },
        Page.form("\(path)/{patron}/close", .admin) { call in
            try call.act(.post, "/patrons/\(call.value())/close-account", back: path) {
                say("The account \(PageWords.safe($0["username"]) ?? "") has been closed.")
            }
        },
        Page.form("\(path)/{patron}/open", .admin) { call in
            try call.act(.post, "/patrons/\(call.value())/open-account", back: path) {
                say("The account \(PageWords.safe($0["username"]) ?? "") has been reopened.")
            }
        },
        // The link is shown once, and kept nowhere.
        Page.entry("\(path)/{patron}/link", .admin) { call in
            switch try call.ask(.post, "/patrons/\(call.value())/password-link") {
            case .value(let made):
                return .view(try view(call, link: made, of: Int64(call.values[0])))
            case .refused(let refusal): return .view(try RefusedPage.view(refusal, back: path, call))
            case .nothing, .notFound: throw Problem.notFound
            }
        },
    ]

    private static func view(_ call: PageCall, link: JSON? = nil, of patron: Int64? = nil) throws -> PageView {
        let accounts = try call.list("/staff")
        var fields: [String: Any] = ["accounts": accounts.map { row($0, call) }]
        if let link, let account = accounts.first(where: { $0["id"]?.integerValue == patron }) {
            var made: [String: Any] = [
                "address": PageWords.safe(link["link"]) ?? "", "username": PageWords.safe(account["username"]) ?? "",
            ]
            made["until"] = call.words.moment(link["expires_at"])
            fields["made"] = made
        }
        return PageView(template: "staff-accounts", title: say("Staff accounts"), fields: fields)
    }

    private static func row(_ account: JSON, _ call: PageCall) -> [String: Any] {
        let id = account["id"]?.integerValue ?? 0
        var row: [String: Any] = [
            "path": "\(path)/\(id)", "link": "/desk/patrons/\(id)", "name": PatronFields.name(account),
            "username": PageWords.safe(account["username"]) ?? "",
            "role": RecordForm.words(account["role"]?.stringValue ?? ""),
            "hasPassword": account["has_password"] == true, "isOwn": id == call.caller.patron?.id,
        ]
        row["seen"] = call.words.moment(account["last_log_in_at"])
        row["closed"] = call.words.moment(account["closed_at"])
        return row
    }
}
