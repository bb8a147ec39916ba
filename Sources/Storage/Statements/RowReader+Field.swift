import Circulation
import TextFormats

extension RowReader {
    /// The value of a field of a kind, out of the next column or the next few.
    mutating func value(of kind: FieldKind) throws(StoreError) -> FieldValue {
        switch kind {
        case .integer: optionalInteger().map { .integer($0) } ?? .absent
        case .text, .choice: optionalText().map { .text($0) } ?? .absent
        case .flag: .flag(flag())
        case .instant: optionalInstant().map { .instant($0) } ?? .absent
        case .date: try optionalDate().map { .date($0) } ?? .absent
        case .money: try optionalMoney().map { .money($0) } ?? .absent
        case .isbn: try TitleRepository.isbn(optionalText()).map { .isbn($0) } ?? .absent
        case .period: try optionalPeriod().map { .period($0) } ?? .absent
        case .texts: .texts(try list())
        case .integers: .integers(try json().arrayValue?.compactMap(\.integerValue) ?? [])
        case .object: .object(try object())
        case .due: try optionalDue().map { .due($0) } ?? .absent
        case .courses: .courses(try TitleRepository.courses(try json()))
        case .actions: .actions(BlockRepository.actions(integer()))
        case .priceLines: .priceLines(try priceLines())
        case .digest: optionalDigest().map { .digest($0) } ?? .absent
        case .proposal: try optionalProposal().map { .proposal($0) } ?? .absent
        case .items: .items([])
        // Only fields of the library's own are numbers; they stand in an object.
        case .number: .absent
        }
    }

    /// Minor units and a currency's code.
    mutating func money() throws(StoreError) -> Money {
        Money(minorUnits: integer(), currency: try SettingsRepository.currency(text()))
    }

    /// Minor units and a currency's code, both null or neither.
    private mutating func optionalMoney() throws(StoreError) -> Money? {
        let units = optionalInteger()
        let code = optionalText()
        guard let units, let code else { return nil }
        return Money(minorUnits: units, currency: try SettingsRepository.currency(code))
    }

    private mutating func optionalDue() throws(StoreError) -> DueTime? {
        let instant = optionalInstant()
        let date = try optionalDate()
        let isExact = flag()
        guard let instant, let date else { return nil }
        return DueTime(instant: instant, date: date, isExact: isExact)
    }

    private mutating func optionalPeriod() throws(StoreError) -> Period? {
        guard let text = optionalText() else { return nil }
        guard let period = try? Period(parsing: text) else {
            throw .corrupt("a column that should hold a period holds another text")
        }
        return period
    }

    private mutating func optionalProposal() throws(StoreError) -> TitleProposal? {
        guard let text = optionalText() else { return nil }
        guard case .object(let object) = try Self.parsed(text), let proposal = TitleProposal(json: object) else {
            throw .corrupt("a column that should hold a proposal holds another value")
        }
        return proposal
    }

    private mutating func priceLines() throws(StoreError) -> [PriceLine] {
        var lines: [PriceLine] = []
        for element in try json().arrayValue ?? [] {
            guard let line = PriceLine(json: element) else {
                throw .corrupt("a column that should hold the lines of a price holds another value")
            }
            lines.append(line)
        }
        return lines
    }

    /// A line has no subject.
    private mutating func optionalDigest() -> DigestWords? {
        let (subject, body) = (optionalText(), optionalText())
        guard let body else { return nil }
        return subject.map { .templates(subject: $0, body: body) } ?? .line(body)
    }
}
