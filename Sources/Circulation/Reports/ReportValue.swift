package import TextFormats

/// A value in a report: what a cell, a metric or a parameter holds.
package enum ReportValue: Hashable, Sendable {
    /// Nothing: an empty cell.
    case none
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case date(CivilDate)
    case instant(Instant)
    case money(Money)
    case period(Period)
    case percent(Percent)
    /// The name of a record, by which pages lead to it; everywhere else it is a text.
    case link(ReportLink)

    /// The value as programs read it: integers and numbers as such, all else as the text of its standard form.
    ///
    /// A number that is not a number (NaN) or infinite has no form in JSON and becomes null.
    package var json: JSON {
        switch self {
        case .none: .null
        case .boolean(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): value.isFinite ? .number(value) : .null
        case .text(let value): .string(value)
        case .date, .instant, .money, .percent, .link: .string(text)
        case .period(let value): .string(value.isoText)
        }
    }

    /// The value as text, the same for every reader: full precision, no grouping, `yes` and `no` for booleans.
    package var text: String {
        switch self {
        case .none: ""
        case .boolean(let value): value ? "yes" : "no"
        case .integer(let value): String(value)
        case .number(let value): ReportValue.text(of: value)
        case .text(let value): value
        case .date(let value): value.description
        case .instant(let value): value.description
        case .money(let value): value.description
        case .period(let value): value.description
        case .percent(let value): value.description
        case .link(let value): value.text
        }
    }

    /// A whole number without a fraction; all else as Swift writes it, which reads back as the same number.
    private static func text(of value: Double) -> String {
        guard let whole = Int64(exactly: value) else { return value.description }
        return String(whole)
    }
}

/// A record that a report names.
package struct ReportLink: Hashable, Sendable {
    /// What it is.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case title, copy, patron, listing
    }

    package var kind: Kind
    /// Of the record; of a copy that of its title.
    package var id: Int64
    /// What readers see.
    package var text: String

    package init(_ kind: Kind, _ id: Int64, text: String) {
        self.kind = kind
        self.id = id
        self.text = text
    }
}
