import Circulation
import Languages
import Scripting
import TextFormats

/// A form over a route of the API: names and labels stand here; the kind of each field, its length, its choices and whether it may be
/// empty follow from the route's arguments. The library's own fields come behind them.
struct RecordForm: Sendable {
    /// One field of the form.
    struct Entry: Sendable {
        /// The name of the route's argument.
        let name: String
        let label: Phrase
        var hint: Phrase?
        /// Another kind than the argument's type says.
        var kind: PageField.Kind?
        /// What the form of a new record begins with.
        var standard = ""
        var isRequired = false
        /// Whether a choice may be none.
        var mayBeNone = false
        /// Of what the codes are offered where any other word may stand as well.
        var offered: APIReference?
    }

    let verb: Route.Verb
    /// The route's path, as it is declared.
    let path: String
    /// Whose fields of the library's own are part of it; nil: nobody's.
    var owner: CustomField.Owner?
    let entries: [Entry]

    private var route: Route? { RouteTable.all.first { $0.verb == verb && $0.path == path } }

    private func parameter(_ name: String) -> APIParameter? { route?.otherParameters.first { $0.name == name } }

    private func own(_ call: PageCall) -> [CustomField] { owner.map { call.context.api.fields[$0] } ?? [] }

    // MARK: - Showing

    /// The fields, with what was typed where the form is shown again, otherwise with what a record has.
    ///
    /// - Parameters:
    ///   - form: the last part of the path that the form is sent to, where the page has several forms.
    ///   - record: as the API has it; nil: a new one.
    ///   - filled: what stands in the fields of a new record.
    /// - Throws: ``Problem``.
    func inputs(
        _ call: PageCall, form: String? = nil, record: JSON? = nil, filled: [String: String] = [:]
    ) throws -> [[String: Any]] {
        let own = own(call)
        var values = filled
        for entry in entries where values[entry.name] == nil {
            values[entry.name] = record.map { Self.text($0[entry.name]) } ?? entry.standard
        }
        if let record { for field in own { values[field.name] = try field.written(record[field.name], call) } }
        let fields = try entries.map { try field($0, of: values[$0.name] ?? "", call) } + own.map { try $0.input(call) }
        return PageField.inputs(fields, call, form: form) { values[$0] }
    }

    private func field(_ entry: Entry, of value: String, _ call: PageCall) throws -> PageField {
        var field = PageField(name: entry.name, label: entry.label, hint: entry.hint)
        guard let parameter = parameter(entry.name) else { return field }
        field.isRequired = entry.isRequired || route?.isRequired(parameter) == true
        try Self.fit(&field, to: parameter.type, call)
        if let kind = entry.kind { field.kind = kind }
        if let path = entry.offered.flatMap({ Self.lists[$0] }) {
            field.offered = try Self.codes(path, call).map { (word: $0.value, name: $0.name) }
        }
        if !field.choices.isEmpty {
            if entry.mayBeNone || parameter.canBeNone { field.choices.insert(("", ""), at: 0) }
            // A value that is no choice any more stays until another is chosen.
            if !value.isEmpty, !field.choices.contains(where: { $0.value == value }) {
                field.choices.append((value, Self.isWord(parameter.type) ? Self.words(value) : value))
            }
        }
        return field
    }

    /// Whether what it takes are words of the program, and no codes of the library.
    private static func isWord(_ type: APIType) -> Bool {
        switch type {
        case .optional(let inner): isWord(inner)
        case .choice: true
        default: false
        }
    }

    private static func fit(_ field: inout PageField, to type: APIType, _ call: PageCall) throws {
        switch type {
        case .optional(let inner): try fit(&field, to: inner, call)
        case .text(let most):
            field.most = min(most, 2_000)
            if most > 10_000 { (field.kind, field.most) = (.lines, most) }
        case .list: (field.kind, field.most) = (.lines, 4_000)
        case .boolean: field.choices = [("false", say("No")), ("true", say("Yes"))]
        case .choice(let names): field.choices = names.map { ($0, words($0)) }
        case .date: field.kind = .date
        case .instant: field.kind = .moment
        case .money, .number: (field.isDecimal, field.most) = (true, 20)
        case .integer(let range):
            (field.kind, field.least) = (.number, Int(clamping: range.lowerBound))
            field.most = Int(clamping: range.upperBound)
        case .reference(let kind) where lists[kind] != nil:
            if let path = lists[kind] { field.choices = try codes(path, call) }
        default: field.most = 200
        }
    }

    /// `in_transit` is `In transit`.
    static func words(_ word: String) -> String { say(phrase(word)) }

    /// A word of the API as forms say it.
    static func phrase(_ word: String) -> Phrase {
        Phrase(word.prefix(1).uppercased() + word.dropFirst().replacing("_", with: " "))
    }

    /// The routes that list what a library declares under codes.
    static let lists: [APIReference: String] = [
        .branch: "/branches", .category: "/categories", .itemType: "/item-types", .location: "/locations",
    ]

    /// What a library declares under codes, as choices.
    static func codes(_ path: String, _ call: PageCall) throws -> [(value: String, name: String)] {
        try call.list(path).map { entry in
            let code = entry["code"]?.stringValue ?? ""
            return (code, PageWords.safe(entry["name"]) ?? code)
        }
    }

    /// What a record, or a part of one, says of the fields.
    func values(of record: JSON) -> [String: String] {
        entries.reduce(into: [:]) { values, entry in
            let text = Self.text(record[entry.name])
            if !text.isEmpty { values[entry.name] = text }
        }
    }

    /// A value as a field has it: an amount without its currency, a list by its lines.
    private static func text(_ value: JSON?) -> String {
        switch value {
        case nil, .null: return ""
        case .array(let parts)?: return parts.compactMap(\.stringValue).joined(separator: "\n")
        case .string(let text)?:
            let parts = text.split(separator: " ")
            return parts.count == 2 && parts[1].count == 3 && Double(parts[0]) != nil ? String(parts[0]) : text
        case let value?: return value.text()
        }
    }

    // MARK: - Reading

    /// What the form says, as the route takes it. Of a change, a field that was emptied has nothing any more, and what is as the record
    /// has it is left out.
    func members(_ call: PageCall, record: JSON? = nil) -> JSONObject {
        var members = JSONObject()
        for entry in entries {
            guard let parameter = parameter(entry.name), let typed = call.form[entry.name] else { continue }
            if let record, typed.replacing("\r\n", with: "\n") == Self.text(record[entry.name]) { continue }
            if let text = call.form.text(entry.name) {
                members[entry.name] = Self.json(text, parameter.type)
            } else if verb == .patch {
                members[entry.name] = Self.nothing(parameter)
            }
        }
        for field in own(call) where call.form[field.name] != nil {
            let value = field.given(call.form)
            if verb == .patch || !value.isNull { members[field.name] = value }
        }
        return members
    }

    private static func json(_ text: String, _ type: APIType) -> JSON {
        switch type {
        case .optional(let inner): json(text, inner)
        case .list: .array(lines(text).map { .string($0) })
        case .money, .number: type.json(ofText: text.replacing(",", with: "."))
        default: type.json(ofText: text.replacing("\r\n", with: "\n"))
        }
    }

    /// What a field that was emptied says; nil: nothing.
    private static func nothing(_ parameter: APIParameter) -> JSON? {
        if parameter.canBeNone { return .null }
        return switch parameter.type {
        case .list: .array([])
        case .text: .string("")
        default: nil
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split { $0.isNewline }.map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    }
}
