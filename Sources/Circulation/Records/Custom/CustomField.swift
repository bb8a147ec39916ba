package import TextFormats

/// A field that a plugin adds to a record: declared, typed, and checked wherever the record is written. Its value stands in
/// the record's `extra` under its name.
package struct CustomField: Hashable, Sendable {
    /// What may have such fields.
    package enum Owner: String, CaseIterable, Hashable, Sendable { case patron, title, copy }

    /// What the value is. A reference is kept as the id, that to a branch as its code.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case text, integer, number, boolean, date, money, patron, title, branch

        package var isReference: Bool { self == .patron || self == .title || self == .branch }
    }

    package var owner: Owner
    package var name: String
    package var kind: Kind
    /// The plugin that declares it.
    package var plugin = ""
    /// What pages call it.
    package var label: String
    package var help = ""
    /// Of a text, those that it may be; none: any.
    package var values: [String] = []
    /// Bounds of an integer or a number.
    package var least: Double?
    package var most: Double?
    /// Whether a new record has to have it. One that has it cannot lose it.
    package var isRequired = false
    /// What a new record gets that says nothing of it.
    package var standard: JSON?
    /// Whether it identifies a person, so that no SQL view shows it.
    package var isPersonal: Bool

    package init(_ owner: Owner, _ name: String, _ kind: Kind, label: String? = nil) {
        self.owner = owner
        self.name = name
        self.kind = kind
        self.label = label ?? name
        isPersonal = owner == .patron || kind == .patron
    }

    /// Whether another plugin's field of this name means the same, so that both may be in force.
    package func isAlike(_ other: CustomField) -> Bool {
        var other = other
        (other.plugin, other.label, other.help) = (plugin, label, help)
        return other == self
    }

    /// What its value is, in the middle of a sentence.
    package var expected: String {
        switch kind {
        case .text: values.isEmpty ? "a text" : "one of \(values.joined(separator: ", "))"
        case .integer: "a whole number\(bounds)"
        case .number: "a number\(bounds)"
        case .boolean: "true or false"
        case .date: "a date such as 2026-12-24"
        case .money: "an amount such as 5.00"
        case .patron: "a patron's username or id"
        case .title: "a title's ISBN or id"
        case .branch: "a branch's code"
        }
    }

    private var bounds: String {
        switch (least, most) {
        case (let least?, let most?): " from \(least.plain) to \(most.plain)"
        case (let least?, nil): ", at least \(least.plain)"
        case (nil, let most?): ", at most \(most.plain)"
        case (nil, nil): ""
        }
    }
}

extension Double {
    /// Without a fraction where there is none.
    package var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : String(self) }
}

// MARK: - Values

/// Why a value cannot stand in a field.
package struct CustomFieldFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension CustomField {
    /// A value as what it is.
    package enum Value: Hashable, Sendable {
        /// A text, a number, true or false, or the key of what it refers to.
        case plain(JSON)
        case date(CivilDate)
        case money(Money)

        /// As records keep it.
        package var json: JSON {
            switch self {
            case .plain(let json): json
            case .date(let date): .string(date.description)
            case .money(let money): .string(money.description)
            }
        }
    }

    /// The value that JSON means. Whether there is what it refers to is not looked at.
    ///
    /// - Parameter currency: the library's, in which amounts are that name none.
    /// - Throws: ``CustomFieldFault`` for a value of another type, or one beyond its bounds.
    package func value(_ json: JSON, currency: Currency) throws(CustomFieldFault) -> Value {
        switch (kind, json) {
        case (.text, .string(let text)) where values.isEmpty || values.contains(text): return .plain(json)
        case (.boolean, .bool), (.branch, .string), (.patron, .string), (.title, .string): return .plain(json)
        case (.patron, .integer(let id)), (.title, .integer(let id)):
            if id > 0 { return .plain(json) }
        case (.integer, _):
            if let whole = json.integerValue, isWithin(Double(whole)) { return .plain(.integer(whole)) }
        case (.number, .integer(let whole)) where isWithin(Double(whole)): return .plain(json)
        case (.number, .number(let number)) where number.isFinite && isWithin(number): return .plain(json)
        case (.date, .string(let text)):
            if let date = try? CivilDate(parsing: text) { return .date(date) }
        case (.money, .string(let text)):
            let money = text.contains(" ") ? try? Money(parsing: text) : try? Money(parsing: text, currency: currency)
            if let money, money.currency == currency { return .money(money) }
        default: break
        }
        throw CustomFieldFault("'\(name)' is \(expected), not \(json.shown)")
    }

    /// What a text means, as a cell of a table or a field of a form has it; of a text that means nothing the text itself.
    package func json(ofText text: String) -> JSON {
        switch kind {
        case .integer: Int64(text).map { .integer($0) } ?? .string(text)
        case .number: Double(text).map { .number($0) } ?? .string(text)
        case .boolean:
            ["true": .bool(true), "false": .bool(false), "1": .bool(true), "0": .bool(false)][text]
                ?? .string(text)
        case .text, .date, .money, .patron, .title, .branch: .string(text)
        }
    }

    private func isWithin(_ number: Double) -> Bool { number >= least ?? -.infinity && number <= most ?? .infinity }
}

extension JSON {
    /// For a message: short values as they are, others by their kind.
    fileprivate var shown: String {
        switch self {
        case .string(let text): "\"\(SafeText.line(String(text.prefix(60))))\""
        case .array: "a list"
        case .object: "a table"
        default: text()
        }
    }
}

// MARK: - Writing down

extension CustomField {
    /// As a store keeps the declaration.
    package var json: JSON {
        var object: JSONObject = [
            "record": .string(owner.rawValue), "name": .string(name), "type": .string(kind.rawValue),
            "label": .string(label), "personal": .bool(isPersonal),
        ]
        if !help.isEmpty { object["help"] = .string(help) }
        if !values.isEmpty { object["values"] = .array(values.map { .string($0) }) }
        if let least { object["min"] = .number(least) }
        if let most { object["max"] = .number(most) }
        if isRequired { object["required"] = true }
        if let standard { object["default"] = standard }
        return .object(object)
    }

    /// Reads a declaration that a store keeps back.
    package init?(json: JSON, plugin: String) {
        guard let owner = json["record"]?.stringValue.flatMap(Owner.init(rawValue:)),
            let name = json["name"]?.stringValue, let kind = json["type"]?.stringValue.flatMap(Kind.init(rawValue:))
        else { return nil }
        self.init(owner, name, kind, label: json["label"]?.stringValue)
        self.plugin = plugin
        isPersonal = json["personal"] != false
        help = json["help"]?.stringValue ?? ""
        values = json["values"]?.arrayValue?.compactMap(\.stringValue) ?? []
        least = json["min"]?.doubleValue
        most = json["max"]?.doubleValue
        isRequired = json["required"] == true
        standard = json["default"]
    }
}
