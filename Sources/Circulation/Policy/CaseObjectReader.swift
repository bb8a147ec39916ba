import TextFormats

/// Reads the members of one object of a case, each with errors that name it. A member that is null counts as absent.
struct CaseObjectReader {
    let object: JSONObject
    let frame: CaseFrame
    fileprivate let place: CasePlace
    /// Which of the objects in a list it is, from 1.
    fileprivate let index: Int?

    /// - Throws: ``CaseError`` for what is no object and for the first member that the record does not have.
    init(
        _ json: JSON, at place: CasePlace, index: Int? = nil, _ record: CaseRecord<some Sendable>, _ frame: CaseFrame
    ) throws(CaseError) {
        (self.place, self.index, self.frame) = (place, index, frame)
        switch json {
        case .object(let object): self.object = object
        case .array([]): object = [:]
        default: throw CaseError(field: place.words(index), fault: "expected an object, found \(json.words)")
        }
        var next = 0
        for entry in object.entries {
            guard let found = record.index(of: entry.key, from: next) else {
                throw unknownField(entry.key, record.names)
            }
            next = found + 1
        }
    }

    private func unknownField(_ key: String, _ known: [String]) -> CaseError {
        let nearest = NameSuggestion.nearest(to: key, among: known).map { "; did you mean \"\($0)\"?" }
        let names = known.joined(separator: ", ")
        return CaseError(field: field(key), fault: "there is no such field\(nearest ?? " (there are \(names))")")
    }

    func field(_ key: String) -> String { CasePlace(in: self, key).words(nil) }

    /// The member, nil if it is absent or null.
    func json(_ key: String) -> JSON? {
        guard let json = object[key], !json.isNull else { return nil }
        return json
    }

    /// The reader of a member that is an object; of an empty one if it is absent or null.
    func reader(_ key: String, _ record: CaseRecord<some Sendable>) throws(CaseError) -> CaseObjectReader {
        try CaseObjectReader(json(key) ?? .object([:]), at: CasePlace(in: self, key), record, frame)
    }

    /// The reader of a part that may be absent: nil if it is null or false, or not written where it is not expected.
    func part(_ key: String, _ record: CaseRecord<some Sendable>, isExpected: Bool) throws(CaseError)
        -> CaseObjectReader?
    {
        switch object[key] {
        case .null?, .bool(false)?: return nil
        case nil where !isExpected: return nil
        default: return try reader(key, record)
        }
    }

    /// The readers of the objects in a list; none if it is absent.
    func readers(_ key: String, _ record: CaseRecord<some Sendable>) throws(CaseError) -> [CaseObjectReader] {
        guard let json = json(key) else { return [] }
        let place = CasePlace(in: self, key)
        var readers: [CaseObjectReader] = []
        for (index, json) in try array(json, key, "a list of objects").enumerated() {
            readers.append(try CaseObjectReader(json, at: place, index: index + 1, record, frame))
        }
        return readers
    }

    private func array(_ json: JSON, _ key: String, _ expected: String) throws(CaseError) -> [JSON] {
        switch json {
        case .array(let values): return values
        case .object(let object) where object.isEmpty: return []
        default: throw wrong(key, expected, json)
        }
    }

    func wrong(_ key: String, _ expected: String, _ found: JSON) -> CaseError {
        CaseError(field: field(key), fault: "expected \(expected), found \(found.words)")
    }
}

// MARK: - Values

extension CaseObjectReader {
    /// Sets the fields that are written, by their declaration; those that the part reads itself stay as they are.
    func fill<Part>(_ part: inout Part, _ record: CaseRecord<Part>) throws(CaseError) {
        var next = 0
        for entry in object.entries {
            guard let index = record.index(of: entry.key, from: next) else { continue }
            next = index + 1
            let field = record.fields[index]
            guard !entry.value.isNull, let reading = field.reading, case .value(let kind, _) = field.content,
                let value = try value(entry.value, entry.key, kind, isSigned: reading.isSigned)
            else { continue }
            guard reading.set(&part, value) else { throw wrong(entry.key, "a value of this field", entry.value) }
        }
    }

    /// The value of a member, nil for what the part reads itself.
    private func value(
        _ json: JSON, _ key: String, _ kind: FieldKind, isSigned: Bool
    ) throws(CaseError) -> FieldValue? {
        switch kind {
        case .number: .number(try member(json, key, "a number", json.doubleValue))
        case .integer: .integer(try isSigned ? integer(json, key) : count(json, key))
        case .text: .text(try text(json, key))
        case .choice(let words): .text(try word(json, key, among: words))
        case .flag: .flag(try member(json, key, "true or false", json.boolValue))
        case .instant: .instant(try instant(json, key))
        case .date: .date(try date(json, key))
        case .money: .money(try money(json, key))
        case .period: .period(try period(json, key))
        case .texts: .texts(try texts(json, key))
        case .integers: .integers(try list(json, key, "a list of whole numbers", \.integerValue))
        case .object: try object(json, key).map { .object($0) }
        case .actions: .actions(try actions(json, key))
        case .isbn, .due, .courses, .priceLines, .items, .digest, .proposal: nil
        }
    }

    /// What a member was taken for.
    private func member<Value>(
        _ json: JSON, _ key: String, _ expected: String, _ value: Value?
    ) throws(CaseError) -> Value {
        guard let value else { throw wrong(key, expected, json) }
        return value
    }

    /// What the members of a list are taken for.
    private func list<Value>(
        _ json: JSON, _ key: String, _ expected: String, _ value: (JSON) -> Value?
    ) throws(CaseError) -> [Value] {
        var values: [Value] = []
        for json in try array(json, key, expected) { values.append(try member(json, key, expected, value(json))) }
        return values
    }

    private func object(_ json: JSON, _ key: String) throws(CaseError) -> JSONObject? {
        switch json {
        case .array([]): return nil
        case .object(let object): return object
        default: throw wrong(key, "an object", json)
        }
    }

    /// A period such as `P14D`.
    private func period(_ json: JSON, _ key: String) throws(CaseError) -> Period {
        let period = json.stringValue.flatMap { try? Period(parsing: $0) }.flatMap { $0.count > 0 ? $0 : nil }
        return try member(json, key, "a period such as P14D", period)
    }

    func text(_ key: String) throws(CaseError) -> String? {
        guard let json = json(key) else { return nil }
        return try text(json, key)
    }

    private func text(_ json: JSON, _ key: String) throws(CaseError) -> String {
        try member(json, key, "a text", json.stringValue)
    }

    func integer(_ key: String) throws(CaseError) -> Int64? {
        guard let json = json(key) else { return nil }
        return try integer(json, key)
    }

    private func integer(_ json: JSON, _ key: String) throws(CaseError) -> Int64 {
        try member(json, key, "a whole number", json.integerValue)
    }

    /// A whole number from 0 on.
    private func count(_ json: JSON, _ key: String) throws(CaseError) -> Int64 {
        try member(json, key, "a whole number from 0 on", json.integerValue.flatMap { $0 >= 0 ? $0 : nil })
    }

    private func texts(_ json: JSON, _ key: String) throws(CaseError) -> [String] {
        try list(json, key, "a list of texts", \.stringValue)
    }

    /// The type in `item_type`, its ancestors after it there or in `item_types`; a book if neither is there.
    func itemTypes() throws(CaseError) -> [String] {
        try chain("item_type", or: "item_types", "an item type") ?? ["book"]
    }

    /// A code that may have a parent, with its ancestors after it: in one member as a list, or with the ancestors in
    /// another; nil if neither is there.
    ///
    /// - Parameter what: the code in words, for the error.
    func chain(_ key: String, or pluralKey: String, _ what: String) throws(CaseError) -> [String]? {
        var ancestors: [String] = []
        if let json = json(pluralKey) { ancestors = try texts(json, pluralKey) }
        func unexpected(_ json: JSON) -> CaseError { wrong(key, "\(what), or a list of it and its ancestors", json) }
        switch json(key) {
        case nil: return ancestors.isEmpty ? nil : ancestors
        case .string(let code)?: return ancestors.contains(code) ? ancestors : [code] + ancestors
        case .array(let codes)?:
            let texts = codes.compactMap(\.stringValue)
            guard texts.count == codes.count, !texts.isEmpty else { throw unexpected(.array(codes)) }
            return texts + ancestors.filter { !texts.contains($0) }
        case let json?: throw unexpected(json)
        }
    }

    /// What blocks forbid.
    private func actions(_ json: JSON, _ key: String) throws(CaseError) -> Set<BlockFacts.Action> {
        var actions: Set<BlockFacts.Action> = []
        for text in try texts(json, key) {
            if let action = BlockFacts.Action(word: text) {
                actions.insert(action)
            } else {
                throw unknown(text, key, among: BlockFacts.Action.allCases.map(\.rawValue))
            }
        }
        return actions
    }

    private func date(_ json: JSON, _ key: String) throws(CaseError) -> CivilDate {
        guard case .string(let text) = json else { throw wrong(key, "a date such as 2026-12-24", json) }
        do throws(TimeError) { return try CivilDate(parsing: text) } catch {
            throw CaseError(field: field(key), fault: error.message)
        }
    }

    func instant(_ key: String) throws(CaseError) -> Instant? {
        guard let json = json(key) else { return nil }
        return try instant(json, key)
    }

    /// An instant; without an offset it is local, and a date alone is its noon.
    private func instant(_ json: JSON, _ key: String) throws(CaseError) -> Instant {
        guard case .string(let text) = json else {
            throw wrong(key, "an instant such as 2026-12-24T18:00:00Z", json)
        }
        if !text.utf8.contains(UInt8(ascii: "T")), let date = try? CivilDate(parsing: text),
            let noon = try? CivilTime(hour: 12, minute: 0)
        {
            return frame.zone.instant(of: date, noon)
        }
        do throws(TimeError) { return try Instant(parsing: text, in: frame.zone) } catch {
            throw CaseError(field: field(key), fault: error.message)
        }
    }

    func money(_ key: String) throws(CaseError) -> Money? {
        guard let json = json(key) else { return nil }
        return try money(json, key)
    }

    /// An amount such as `"5.00"`, or `"5.00 EUR"` in the case's own currency.
    private func money(_ json: JSON, _ key: String) throws(CaseError) -> Money {
        guard case .string(let text) = json else { throw wrong(key, "an amount such as \"5.00\"", json) }
        let amount: Money
        do throws(MoneyError) {
            amount = text.contains(" ") ? try Money(parsing: text) : try Money(parsing: text, currency: frame.currency)
        } catch {
            throw CaseError(field: field(key), fault: error.message)
        }
        guard amount.currency == frame.currency else {
            throw CaseError(
                field: field(key),
                fault: "the amount is in \(amount.currency.code), the case in \(frame.currency.code)")
        }
        return amount
    }

    /// One of the words of an enumeration.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ key: String) throws(CaseError) -> Word? {
        guard let json = json(key) else { return nil }
        if let text = json.stringValue, let word = Word(rawValue: text) { return word }
        return Word(rawValue: try word(json, key, among: Word.allCases.map(\.rawValue)))
    }

    private func word(_ json: JSON, _ key: String, among words: [String]) throws(CaseError) -> String {
        guard case .string(let text) = json else { throw wrong(key, "a word", json) }
        guard words.contains(text) else { throw unknown(text, key, among: words) }
        return text
    }

    private func unknown(_ text: String, _ key: String, among words: [String]) -> CaseError {
        let nearest = NameSuggestion.nearest(to: text, among: words).map { "; did you mean \"\($0)\"?" }
        let found = SafeText.line(String(text.prefix(60)))
        return CaseError(
            field: field(key),
            fault: "expected one of \(words.joined(separator: ", ")), found \"\(found)\"\(nearest ?? "")")
    }
}

/// Where an object stands in a case. It is put into words only where there is an error to tell.
final class CasePlace {
    private let outer: CasePlace?
    private let outerIndex: Int?
    private let key: String

    /// The case itself.
    init() { (outer, outerIndex, key) = (nil, nil, "") }

    /// A member of an object.
    init(in reader: CaseObjectReader, _ key: String) {
        (outer, outerIndex, self.key) = (reader.place, reader.index, key)
    }

    /// - Parameter index: which of the objects in a list.
    func words(_ index: Int?) -> String {
        let outer = outer?.words(outerIndex) ?? ""
        let own = SafeText.line(key) + (index.map { "[\($0)]" } ?? "")
        return outer.isEmpty ? own : "\(outer).\(own)"
    }
}

extension JSON {
    /// The value for a message: short values as they are, long ones by their kind.
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .bool, .integer, .number: text()
        case .string(let text): "\"\(SafeText.line(String(text.prefix(60))))\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}
