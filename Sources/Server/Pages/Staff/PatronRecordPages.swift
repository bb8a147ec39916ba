import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Patrons are registered, changed and removed.
enum PatronRecordPages: PageGroup {
    static let templates = [
        RecordPages.template, PageTemplate("patron-password", PackageResources.patron_password_mustache),
    ]

    /// - Parameters:
    ///   - ends: what an empty field for the end of the membership says.
    ///   - isNew: whether a patron is registered: a scanner that presses Enter behind the card number then leads to the name.
    private static func entries(ends: Phrase, isNew: Bool = false) -> [RecordForm.Entry] {
        [
            .init(
                name: "username", label: "Username or card number",
                hint: "Must be unique. Used to find the patron at the desk."),
            .init(name: "name", label: "First name", isRequired: isNew), .init(name: "surname", label: "Last name"),
            .init(
                name: "display_name", label: "Name shown to other members",
                hint: "Leave empty to use the username, unless that is an e-mail address."),
            .init(name: "category", label: "Category"), .init(name: "home_branch", label: "Branch"),
            .init(name: "email", label: "E-mail", kind: .email), .init(name: "phone", label: "Telephone", kind: .tel),
            .init(name: "birth_date", label: "Date of birth"),
            .init(name: "expires_on", label: "Member until", hint: ends),
            .init(name: "language", label: "Language for notices", hint: "A code such as en or de."),
        ]
    }

    static let records = RecordPages(
        one: "patron", base: "/desk/patrons", key: "patron", access: .staff,
        add: RecordForm(
            verb: .post, path: "/patrons", owner: .patron,
            entries: entries(ends: "The last day. Leave empty to use the policy's, or for no end date.", isNew: true)),
        change: RecordForm(
            verb: .patch, path: "/patrons/{patron}", owner: .patron,
            entries: entries(ends: "The last day. Leave empty for no end date.")),
        removal: RecordPages.Removal(
            button: "Remove the patron",
            warning:
                "All personal data is permanently deleted; statistics are kept. Loans and fees must be settled first.",
            done: "has been removed"),
        name: { PatronFields.name($0) }, page: { "/desk/patrons/\($0["id"]?.integerValue ?? 0)" },
        list: "/desk/patrons",
        filled: { ["home_branch": $0.caller.branch ?? ""] }, remark: namesakes)

    static let pages =
        records.pages + [
            Page.shown("/desk/patrons/{patron}/password", .staff) { call in try passwordView(call) },
            Page.entry("/desk/patrons/{patron}/password", .staff) { call in
                let password = call.form["password"] ?? ""
                let id = try patron(call)["id"]?.integerValue ?? 0
                let answer = try call.ask(.post, "/patrons/\(id)/password", ["password": .string(password)])
                guard case .refused(let refusal) = answer else {
                    return .seeOther("/desk/patrons/\(id)/password?set=yes")
                }
                return .view(try passwordView(call, wrong: PageWords.sentence(refusal["message"])))
            },
        ]

    /// Others of the same name, who may be the same person.
    private static func namesakes(_ record: JSON, _ call: PageCall) throws -> String {
        let names = [record["name"]?.stringValue, record["surname"]?.stringValue].compactMap(\.self)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return "" }
        let others = try call.context.look { try $0.patrons.called(names.joined(separator: " ")) }
            .filter { $0.id != record["id"]?.integerValue }
        guard let other = others.first else { return "" }
        return say(
            "There is another patron with this name, number \(other.id). Merge them if they are the same person.")
    }

    private static func patron(_ call: PageCall) throws -> JSON {
        guard let id = Int64(call.values[0]) else { throw Problem.notFound }
        return try call.record("/patrons/\(id)")
    }

    private static func passwordView(_ call: PageCall, wrong: String? = nil) throws -> PageView {
        let patron = try patron(call)
        let id = patron["id"]?.integerValue ?? 0
        var fields: [String: Any] = [
            "path": "/desk/patrons/\(id)/password", "back": "/desk/patrons/\(id)",
            "username": PageWords.safe(patron["username"]) ?? "", "isSet": wrong == nil && call.query["set"] != nil,
        ]
        fields["wrong"] = wrong
        return PageView(
            template: "patron-password", title: say("Password for \(PatronFields.name(patron))"), fields: fields,
            status: wrong == nil ? 200 : 422)
    }
}
