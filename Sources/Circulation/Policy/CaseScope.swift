package import TextFormats

/// Some of all cases: those whose fields have given values.
///
/// A code of the case (category, item type, branch) may also lie below the one that is named, as in the conditions of rows.
package struct CaseScope: Hashable, Sendable {
    /// What holds of one field.
    package struct Condition: Hashable, Sendable {
        /// `["copy", "item_type"]`
        package let path: [String]
        /// The field beside it that has the code and those above it; nil: it is no such code.
        package let chain: String?
        /// The field is one of these.
        package let values: [FieldValue]
    }

    /// What is wrong with what was written.
    package struct Problem: Error, Hashable {
        /// The way to the field.
        package let path: [String]
        package let message: String
        /// The name that was probably meant.
        package var suggestion: String?

        /// The message with the suggestion.
        package var words: String { message + (suggestion.map { " (did you mean '\($0)'?)" } ?? "") }
    }

    package let conditions: [Condition]

    /// Every case.
    package static let all = CaseScope(conditions: [])

    private init(conditions: [Condition]) { self.conditions = conditions }

    /// `{"branch": "north", "patron": {"category": ["child", "youth"]}}`
    ///
    /// - Parameters:
    ///   - object: values of fields, or lists of which a field has one of the values.
    ///   - records: the case as the library has it.
    ///   - currency: of amounts that say none.
    package init(_ object: JSONObject, of records: LibraryCase, currency: Currency) throws(Problem) {
        var reader = CaseScopeReader(records, currency)
        try reader.read(object, at: [])
        conditions = reader.conditions
    }

    /// Whether a case is one of these.
    package func contains(_ question: Case, _ records: LibraryCase) -> Bool {
        conditions.allSatisfy { condition in
            if let chain = condition.chain {
                let codes = records.question.value(at: condition.path.dropLast() + [chain], of: question)
                guard case .texts(let codes)? = codes else { return false }
                return condition.values.contains {
                    if case .text(let code) = $0 { codes.contains(code) } else { false }
                }
            }
            return records.question.value(at: condition.path[...], of: question).map(condition.values.contains) ?? false
        }
    }
}

/// Reads what a scope says of fields, by what the case has.
private struct CaseScopeReader {
    private let paths: [String: CasePath]
    private let currency: Currency
    private(set) var conditions: [CaseScope.Condition] = []

    private static let chains = [
        "category": "categories", "item_type": "item_types", "branch": "branches", "home_branch": "home_branches",
        "copy_branch": "copy_branches",
    ]

    /// Where the case has what rows ask for.
    private static let conditions = [
        "category": "patron.category", "home_branch": "patron.home_branch", "item_type": "copy.item_type",
        "copy_branch": "copy.branch", "location": "copy.location",
        "on_site": "request.on_site", "channel": "actor.channel",
    ]

    init(_ records: LibraryCase, _ currency: Currency) {
        paths = Dictionary(records.question.paths().map { ($0.path, $0) }) { first, _ in first }
        self.currency = currency
    }

    mutating func read(_ object: JSONObject, at prefix: [String]) throws(CaseScope.Problem) {
        for entry in object {
            let path = prefix + [entry.key]
            let name = path.joined(separator: ".")
            guard let field = paths[name], name != "point" else { throw unknown(path) }
            if field.kind == .object {
                guard case .object(let own) = entry.value else {
                    throw .init(path: path, message: "'\(name)' is a table: \(name) = { name = \"value\" }")
                }
                for inner in own { try add(inner.value, .object, path + [inner.key], chain: nil) }
            } else if let kind = field.kind {
                try add(entry.value, kind, path, chain: chain(of: field, prefix))
            } else if field.isList || name == "calendar" {
                throw .init(path: path, message: "of '\(name)' nothing can be said here")
            } else if case .object(let part) = entry.value {
                try read(part, at: path)
            } else {
                throw .init(path: path, message: "'\(name)' is a part of the case: \(name) = { field = value }")
            }
        }
    }

    private func unknown(_ path: [String]) -> CaseScope.Problem {
        let prefix = path.dropLast().map { "\($0)." }.joined()
        let siblings = paths.keys.filter { $0.hasPrefix(prefix) && $0 != "point" }
            .map { String($0.dropFirst(prefix.count)) }.filter { !$0.contains(".") && !$0.contains("[") }
        let part = path.count == 1 ? "the case" : "'\(path.dropLast().joined(separator: "."))'"
        let name = path.last ?? ""
        return .init(
            path: path, message: "\(part) has no '\(name)'",
            suggestion: path.count == 1 && Self.conditions[name] != nil
                ? Self.conditions[name] : NameSuggestion.nearest(to: name, among: siblings.sorted()))
    }

    /// The field that has the codes above one, if the part has it.
    private func chain(of field: CasePath, _ prefix: [String]) -> String? {
        guard field.meaning != nil, let name = field.path.split(separator: ".").last,
            let chain = Self.chains[String(name)], paths[(prefix + [chain]).joined(separator: ".")] != nil
        else { return nil }
        return chain
    }

    private mutating func add(
        _ value: JSON, _ kind: FieldKind, _ path: [String], chain: String?
    ) throws(CaseScope.Problem) {
        let given = value.arrayValue ?? [value]
        if given.isEmpty { throw .init(path: path, message: "'\(path.joined(separator: "."))' has no value") }
        var values: [FieldValue] = []
        for one in given { values.append(try self.value(one, kind, path)) }
        conditions.append(.init(path: path, chain: chain, values: values))
    }

    private func value(_ json: JSON, _ kind: FieldKind, _ path: [String]) throws(CaseScope.Problem) -> FieldValue {
        let name = path.joined(separator: ".")
        func wrong(_ wanted: String) -> CaseScope.Problem {
            .init(path: path, message: "'\(name)' is \(wanted), not \(json.text())")
        }
        switch (kind, json) {
        case (.text, .string(let text)), (.object, .string(let text)): return .text(text)
        case (.choice(let words), .string(let text)):
            if words.contains(text) { return .text(text) }
            throw .init(
                path: path, message: "'\(name)' is \(words.map { "'\($0)'" }.joined(separator: " or ")), not '\(text)'",
                suggestion: NameSuggestion.nearest(to: text, among: words))
        case (.integer, .integer(let number)), (.object, .integer(let number)): return .integer(number)
        case (.flag, .bool(let flag)), (.object, .bool(let flag)): return .flag(flag)
        case (.money, .string(let text)):
            let amount = (try? Money(parsing: text)) ?? (try? Money(parsing: text, currency: currency))
            guard let amount, amount.currency == currency else { throw wrong("an amount such as money \"10.00\"") }
            return .money(amount)
        case (.date, .string(let text)):
            guard let date = try? CivilDate(parsing: text) else { throw wrong("a date such as date \"2026-03-31\"") }
            return .date(date)
        case (.text, _), (.choice, _): throw wrong("a text")
        case (.integer, _): throw wrong("a whole number")
        case (.flag, _): throw wrong("true or false")
        case (.money, _): throw wrong("an amount such as money \"10.00\"")
        case (.date, _): throw wrong("a date such as date \"2026-03-31\"")
        case (.object, _): throw wrong("a text, a whole number, or true or false")
        default: throw .init(path: path, message: "of '\(name)' nothing can be said here")
        }
    }
}

extension CaseRecord {
    /// The value of a field of a part; nil where the way leads nowhere.
    fileprivate func value(at path: ArraySlice<String>, of part: Part) -> FieldValue? {
        guard let name = path.first, let field = fields.first(where: { $0.name == name }) else { return nil }
        let rest = path.dropFirst()
        switch field.content {
        case .calendar: return nil
        case .value(_, let read):
            guard let inner = rest.first else { return read(part) }
            guard rest.count == 1, case .object(let object) = read(part) else { return nil }
            return object[inner].map(FieldValue.init(plain:))
        case .nested(let nesting): return Self.value(at: rest, of: part, in: nesting)
        }
    }

    private static func value<Nesting: CaseNesting<Part>>(
        at path: ArraySlice<String>, of part: Part, in nesting: Nesting
    ) -> FieldValue? {
        guard !nesting.isList else { return nil }
        var found: FieldValue?
        nesting.visit(part) { found = nesting.record.value(at: path, of: $0) }
        return found
    }
}

extension FieldValue {
    /// A value of a field that nothing declares.
    fileprivate init(plain json: JSON) {
        switch json {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .number(number)
        case .bool(let flag): self = .flag(flag)
        default: self = .absent
        }
    }
}
