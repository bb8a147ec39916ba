import Circulation
import Languages
import Scripting
import TextFormats

/// What staff write into the fields of the library's own: a form for a patron, a title and a copy each.
enum OwnFieldsPage: PageGroup {
    static let templates = [PageTemplate("own-fields", PackageResources.own_fields_mustache)]

    static let pages = CustomField.Owner.allCases.flatMap { owner in
        [
            Page.shown(path(owner), .staff) { call in try view(owner, call) },
            Page.form(path(owner), .staff, again: { call in try view(owner, call) }) { call in
                let back = back(owner, try record(owner, call))
                return try call.act(.patch, recordPath(owner, call), members(owner, call), back: back) { _ in
                    say("The custom fields have been saved.")
                }
            },
        ]
    }

    /// The address of the form of a record; nil where the library has no such fields, or the caller may not write them.
    static func link(_ owner: CustomField.Owner, _ key: String, _ call: PageCall) -> String? {
        guard call.caller.isStaff, !call.context.api.fields[owner].isEmpty else { return nil }
        return "/desk\(folder(owner))/\(PageCall.segment(key))/fields"
    }

    private static func folder(_ owner: CustomField.Owner) -> String {
        switch owner {
        case .patron: "/patrons"
        case .title: "/titles"
        case .copy: "/copies"
        }
    }

    private static func path(_ owner: CustomField.Owner) -> String {
        "/desk\(folder(owner))/{\(owner.rawValue)}/fields"
    }

    private static func recordPath(_ owner: CustomField.Owner, _ call: PageCall) -> String {
        "\(folder(owner))/\(call.value())"
    }

    private static func record(_ owner: CustomField.Owner, _ call: PageCall) throws -> JSON {
        do {
            return try call.record(recordPath(owner, call))
        } catch let problem as Problem where problem.status == 400 {
            throw Problem.notFound
        }
    }

    /// The page on which the record stands.
    private static func back(_ owner: CustomField.Owner, _ record: JSON) -> String {
        switch owner {
        case .patron: "/desk/patrons/\(record["id"]?.integerValue ?? 0)"
        case .title: TitleFields.link(record["id"]?.integerValue)
        case .copy: TitleFields.link(record["title"]?.integerValue)
        }
    }

    private static func view(_ owner: CustomField.Owner, _ call: PageCall) throws -> PageView {
        let own = call.context.api.fields[owner]
        if own.isEmpty { throw Problem.notFound }
        let record = try record(owner, call)
        let name = record[owner == .patron ? "username" : owner == .title ? "title" : "barcode"]
        let values = try own.map { try $0.written(record[$0.name], call) }
        let written = Dictionary(zip(own.map(\.name), values)) { first, _ in first }
        return PageView(
            template: "own-fields", title: say("Custom fields of \(PageWords.safe(name) ?? "")"),
            fields: [
                "path": call.request.path, "back": back(owner, record),
                "inputs": PageField.inputs(try own.map { try $0.input(call) }, call) { written[$0] ?? "" },
            ])
    }

    private static func members(_ owner: CustomField.Owner, _ call: PageCall) -> JSONObject {
        var members = JSONObject()
        for field in call.context.api.fields[owner] where call.form[field.name] != nil {
            members[field.name] = field.given(call.form)
        }
        return members
    }
}

extension CustomField {
    /// What a form says of it. A field that was emptied has nothing any more.
    func given(_ form: PageForm) -> JSON {
        guard let text = form.text(name) else { return .null }
        return json(ofText: kind == .money || kind == .number ? text.replacing(",", with: ".") : text)
    }

    /// The field of a form.
    func input(_ call: PageCall) throws -> PageField {
        var input = PageField(
            name: name, label: Phrase(PageWords.safe(label)),
            hint: help.isEmpty ? nil : Phrase(PageWords.safe(help)))
        input.isRequired = isRequired
        input.saysOptional = !isRequired
        input.most = 2_000
        input.isDecimal = [.integer, .number, .money].contains(kind)
        switch kind {
        case .date: input.kind = .date
        case .boolean: input.choices = [("true", say("Yes")), ("false", say("No"))]
        case .text: input.choices = values.map { ($0, $0) }
        case .branch:
            input.choices = try call.list("/branches").map { branch in
                (branch["code"]?.stringValue ?? "", PageWords.safe(branch["name"]) ?? "")
            }
        case .patron, .title, .integer, .number, .money: break
        }
        if input.hint == nil, kind != .date, input.choices.isEmpty, kind != .text {
            input.hint = Phrase(expected.prefix(1).uppercased() + expected.dropFirst() + ".")
        }
        if !input.choices.isEmpty, !isRequired { input.choices.insert(("", ""), at: 0) }
        return input
    }

    /// The value as the form has it: a patron by the username, a title by its ISBN.
    func written(_ value: JSON?, _ call: PageCall) throws -> String {
        guard let value, !value.isNull else { return "" }
        switch (kind, value) {
        case (.patron, .integer(let id)):
            return try call.recordIfAny("/patrons/\(id)")?["username"]?.stringValue ?? ""
        case (.title, .integer(let id)):
            return try call.recordIfAny("/titles/\(id)")?["isbn"]?.stringValue ?? String(id)
        case (.money, .string(let text)): return String(text.prefix { $0 != " " })
        default: return value.stringValue ?? value.text()
        }
    }
}
