package import Circulation

/// A field of a neutral fact. It is declared once: the reader, its complaints, the page about the schema and the listing of
/// the command are made of the declaration.
package struct SchemaField: Sendable {
    package indirect enum Kind: Sendable {
        case text, flag, count, number, money, period, date, moment, zone, hours, any
        /// One of these words.
        case code([String])
        /// An object with the fields of a record.
        case record(SchemaRecord.Name)
        case list(Kind)
        /// An object whose members are named by the fact.
        case map(Kind)
        /// null has a meaning: without limit, or nothing.
        case orNull(Kind)
        case either(Kind, Kind)
        /// A field of the language of policies, with what it takes there.
        case term(RuleField)
    }

    package var name: String
    package var kind: Kind
    /// One sentence.
    package var summary: String

    init(_ name: String, _ kind: Kind, _ summary: String) {
        self.name = name
        self.kind = kind
        self.summary = summary
    }
}

/// An object of a neutral fact, with the fields that it may have.
package struct SchemaRecord: Sendable {
    package enum Name: String, Sendable, CaseIterable {
        case fact, given, calendar, yearly, patron, block, copy, loan, hold, rule, step = "fine step", limit, standing
        case notice, recall, demand, operation = "step", expect
    }

    package var name: Name
    package var summary: String
    package var fields: [SchemaField]

    func field(_ name: String) -> SchemaField? { fields.first { $0.name == name } }
}

extension SchemaField.Kind {
    /// What a value of it is, for complaints and the page.
    package var words: String {
        switch self {
        case .text: "text"
        case .flag: "true or false"
        case .count: "a whole number, 0 or more"
        case .number: "a whole number"
        case .money: "an amount such as \"1.50\""
        case .period: "a period such as \"3 weeks\""
        case .date: "a date such as \"2026-05-20\""
        case .moment: "a moment such as \"2026-05-20T12:00:00Z\" or \"now - 3 days\""
        case .zone: "a time zone such as \"Europe/Zurich\""
        case .hours: "opening hours such as \"08:00-12:00,14:00-19:00\", \"all day\" or \"closed\""
        case .any: "any value"
        case .code(let codes): codes.map { "`\($0)`" }.joined(separator: ", ")
        case .record(let name): "an object: \(name.rawValue)"
        case .list(let kind): "a list, each \(kind.words)"
        case .map(let kind): "an object of names, each with \(kind.words)"
        case .orNull(let kind): "\(kind.words), or null"
        case .either(let one, let other): "\(one.words), or \(other.words)"
        case .term(let field): TermText.words(of: field)
        }
    }
}
