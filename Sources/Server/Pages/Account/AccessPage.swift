import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// A patron's sessions and keys for programs.
enum AccessPage: PageGroup {
    static let templates = [PageTemplate("access", PackageResources.access_mustache)]

    private static let path = "/me/access"

    static let pages = [
        Page.shown(path, .holder) { call in try view(call) },
        Page.form("\(path)/sessions/{session}/end") { call in
            try call.act(.delete, "/sessions/\(call.value())", back: path) { _ in say("The session has ended.") }
        },
        Page.form("\(path)/sessions/end") { call in
            for session in try call.list("/sessions") where session["current"] != true {
                _ = try call.ask(.delete, "/sessions/\(session["id"]?.integerValue ?? 0)")
            }
            return .done(to: path, saying: say("You have been logged out everywhere else."))
        },
        Page.form("\(path)/keys/{key}/revoke") { call in
            try call.act(.delete, "/keys/\(call.value())", back: path) { _ in say("The key has been revoked.") }
        },
        Page(
            verb: .post, path: "\(path)/keys", access: .holder,
            work: .entering { call in try make(call) }, again: { call in try view(call) }),
    ]

    private static let scopes: [(value: String, name: Phrase)] = [
        (value: "all", name: "read and change, as your role allows"), (value: "read", name: "read only"),
    ]

    private static let roles: [(value: String, name: Phrase)] = [
        (value: "admin", name: "everything that you can do"), (value: "staff", name: "no more than staff can do"),
        (value: "patron", name: "no more than patrons can do"),
    ]

    private static func fields(_ call: PageCall) -> [PageField] {
        var fields = [
            PageField(name: "label", label: "What it is for", most: AccountService.longestLabel, isRequired: true),
            PageField(
                name: "expires_at", label: "Last day", kind: .date,
                hint: "Leave empty for 90 days from now. A key can be valid for at most 366 days.", saysOptional: true),
            PageField(name: "scopes", label: "Permissions", choices: scopes.map { ($0.value, say($0.name)) }),
        ]
        let role = call.caller.patron?.role ?? .patron
        let lower = Patron.Role.allCases.filter { $0 < role }.map(\.rawValue)
        if !lower.isEmpty {
            let choices = roles.filter { $0.value == Patron.Role.admin.rawValue || lower.contains($0.value) }
                .map { ($0.value, say($0.name)) }
            fields.append(PageField(name: "most_role", label: "Access level", choices: choices))
        }
        return fields
    }

    private static func view(_ call: PageCall) throws -> PageView {
        PageView(
            template: "access", title: say("Sessions and API keys"),
            fields: [
                "sessions": try call.list("/sessions").reversed().map { shown($0, call) },
                "keys": try call.list("/keys").map { shown($0, call) },
                "inputs": PageField.inputs(fields(call), call),
            ])
    }

    private static func shown(_ token: JSON, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "id": token["id"]?.integerValue ?? 0, "label": PageWords.safe(token["label"]) ?? "",
            "isCurrent": token["current"] == true,
        ]
        fields["made"] = call.words.moment(token["created_at"])
        fields["ends"] = call.words.moment(token["expires_at"])
        let words = token["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        fields["scope"] = words.map { word in scopes.first { $0.value == word }.map { say($0.name) } ?? word }
            .joined(separator: ", ")
        if let role = token["most_role"]?.stringValue, role != Patron.Role.admin.rawValue {
            fields["role"] = roles.first { $0.value == role }.map { say($0.name) }
        }
        return fields
    }

    // MARK: - A new key

    /// Makes a key and shows it on this very page, which is the only time: it stands nowhere, not even with what is
    /// kept of forms that may be sent twice. Of a form that is sent twice the second answer says that the key is made.
    private static func make(_ call: PageCall) throws -> PageResponse {
        var members: JSONObject = ["label": .string(call.form.text("label") ?? "")]
        if let last = call.form.text("expires_at") { members["expires_at"] = .string(try end(of: last, call)) }
        if let scope = call.form.text("scopes") { members["scopes"] = [.string(scope)] }
        if let role = call.form.text("most_role") { members["most_role"] = .string(role) }
        var made: String?
        let (outcome, _) = try IdempotentForm(call: call).perform { call in
            guard call.form.text("label") != nil else {
                throw Problem.input("Say what the key is for, so that you can recognize it later.", argument: "label")
            }
            return try call.act(.post, "/keys", members, back: path) { key in
                made = key["key"]?.stringValue
                return ""
            }
        }
        guard case .refused(let refusal, _) = outcome else {
            var answer = try view(call.afresh)
            answer.fields["new"] = ["key": made ?? "", "isShown": made != nil] as [String: Any]
            return .view(answer)
        }
        var again = try view(call)
        again.fields["reasons"] = try RefusedPage.reasons(of: refusal, call)
        again.status = Problem.refusal(refusal).status
        return .view(again)
    }

    /// The end of a day by the library's clocks.
    private static func end(of text: String, _ call: PageCall) throws -> String {
        guard let day = try? CivilDate(parsing: text), let next = try? day.adding(days: 1) else {
            throw Problem.input("This must be a date, such as 2026-12-24.", argument: "expires_at")
        }
        guard day >= call.library.zone.date(of: call.now) else {
            throw Problem.input("This day has already passed.", argument: "expires_at")
        }
        return call.library.zone.startOfDay(next).description
    }
}
