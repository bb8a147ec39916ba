import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

/// Reads the table that a file gave to `policy`: every key and every value is checked, and each complaint names the
/// line, the field, what was expected and what came.
struct PolicyReader {
    let file: String
    let outline: PolicyOutline?
    let places: RowPlaces
    var content: PolicyContent
    private(set) var findings: [Finding] = []
    /// Where the row stands that is being read.
    var rowFile: String?
    /// The fields that rows of each table may have.
    private(set) var rowFields: [String: PolicyKeys.RowFields]
    /// Whether fields that nothing declares are taken for the library's own, as they once were.
    let takesAnyField: Bool

    init(
        file: String, outline: PolicyOutline?, places: RowPlaces, reads: Set<String>, takesAnyField: Bool
    ) {
        self.file = file
        self.outline = outline
        self.places = places
        self.takesAnyField = takesAnyField
        rowFields = PolicyKey.rowFields(declared: [], read: reads)
        let name = file.split(separator: "/").last.map(String.init) ?? file
        content = PolicyContent(name: name.hasSuffix(".lua") ? String(name.dropLast(4)) : name)
    }

    /// - Parameters:
    ///   - reads: the fields that the policy's functions read of their rule.
    ///   - takesAnyField: for versions that came into the store when fields needed no declaration.
    /// - Throws: ``PolicyProblems`` with everything that is wrong.
    static func read(
        _ table: LuaTable, file: String, outline: PolicyOutline?, places: RowPlaces, reads: Set<String>,
        takesAnyField: Bool
    ) throws(PolicyProblems) -> PolicyContent {
        var reader = PolicyReader(
            file: file, outline: outline, places: places, reads: reads, takesAnyField: takesAnyField)
        reader.readOwnFields(table[PolicyKey.fields.rawValue])
        reader.rowFields = PolicyKey.rowFields(declared: Set(reader.content.tables.ownFields), read: reads)
        for entry in table.entries { reader.read(entry) }
        if reader.findings.isEmpty { return reader.content }
        throw PolicyProblems(reader.findings.sorted())
    }

    private mutating func read(_ entry: LuaTable.Entry) {
        guard let key = entry.key.stringValue else {
            return complain("wrong_type", "a policy has named keys only, not \(Self.words(entry.key))", at: nil)
        }
        if let point = DecisionPoint(rawValue: key) {
            guard let function = entry.value.functionValue else {
                return expect("a function", of: key, entry.value, at: outline?[key])
            }
            content.functions[point] = function
        } else if let known = PolicyKey(rawValue: key) {
            read(known, entry.value)
        } else {
            complain(
                "unknown_point", "a policy has no key '\(key)'", at: outline?[key]?.key.range,
                suggestion: NameSuggestion.meant(by: key, among: PolicyKey.all))
        }
    }

    private mutating func read(_ key: PolicyKey, _ value: LuaValue) {
        let place = outline?[key.rawValue]
        switch key {
        case .api:
            guard value.integerValue == PolicyKey.apiVersion else {
                return expect("\(PolicyKey.apiVersion)", of: key.rawValue, value, at: place)
            }
        case .name:
            guard let text = value.stringValue, !text.isEmpty else {
                return expect("a text", of: key.rawValue, value, at: place)
            }
            content.name = text
        case .description:
            guard let text = value.stringValue else { return expect("a text", of: key.rawValue, value, at: place) }
            content.description = text
        case .fields: break
        case .limits: readRows(of: key, value) { $0.readLimit($1) }
        case .rules: readRows(of: key, value) { $0.readRule($1) }
        case .notices: readRows(of: key, value) { $0.readNotice($1) }
        case .membership: readRows(of: key, value) { $0.readMembership($1) }
        case .match: readMatch(value)
        case .history: readHistory(value)
        case .messages: readMessages(value)
        case .noticesFrom:
            guard let period = value.periodValue, period.count >= 0 else {
                return expect("a period such as days(3)", of: key.rawValue, value, at: place)
            }
            content.tables.noticesFrom = period
        }
    }

    // MARK: - Complaints

    mutating func complain(_ code: String, _ message: String, at range: SourceRange?, suggestion: String? = nil) {
        let range = range ?? outline?.range
        findings.append(
            Finding(
                code: code, severity: .error, file: rowFile ?? file, position: range?.start ?? .start,
                endColumn: range?.endColumnOnFirstLine, message: message, suggestion: suggestion))
    }

    mutating func expect(_ what: String, of name: String, _ value: LuaValue, at field: PolicyOutline.Field?) {
        complain(
            "wrong_type", "\(name) must be \(what), not \(Self.words(value))", at: field?.value.range,
            suggestion: value.stringValue.flatMap(ValueSuggestion.meant))
    }

    /// A value as a message names it.
    static func words(_ value: LuaValue) -> String {
        switch value {
        case .nil: "nothing"
        case .boolean(let value): "\(value)"
        case .integer(let value): "the number \(value)"
        case .number(let value): "the number \(value)"
        case .string(let text): text.utf8.count <= 40 ? "the text \"\(SafeText.line(text))\"" : "a text"
        case .bytes: "a text that is not UTF-8"
        case .table: "a table"
        case .function, .callback: "a function"
        case .value(let small):
            if let period = small.period {
                "\(period.unit.rawValue)(\(period.count))"
            } else if let money = small.money {
                "money \"\(money.amountText)\""
            } else {
                LuaValues.typeName(of: value)
            }
        }
    }
}
