import TextFormats

/// Reads the members of one object of a case, each with errors that name it. A member that is null counts as absent.
struct CaseObjectReader {
    let object: JSONObject
    let path: String
    var frame: CaseFrame

    /// - Throws: ``CaseError`` for what is no object and for the first member that the record does not have.
    init(_ json: JSON, path: String, _ record: CaseRecord<some Sendable>, frame: CaseFrame = CaseFrame())
        throws(CaseError)
    {
        switch json {
        case .object(let object): self.object = object
        case .array([]): object = [:]
        default: throw CaseError(field: path, fault: "expected an object, found \(json.words)")
        }
        self.path = path
        self.frame = frame
        let known = record.names
        for key in object.keys where !known.contains(key) {
            let nearest = NameSuggestion.nearest(to: key, among: known).map { "; did you mean \"\($0)\"?" }
            let names = known.joined(separator: ", ")
            throw CaseError(
                field: field(key), fault: "there is no such field\(nearest ?? " (there are \(names))")")
        }
    }

    func field(_ key: String) -> String {
        let key = SafeText.line(key)
        return path.isEmpty ? key : "\(path).\(key)"
    }

    /// The member, nil if it is absent or null.
    func json(_ key: String) -> JSON? {
        guard let json = object[key], !json.isNull else { return nil }
        return json
    }

    /// The reader of a member that is an object; of an empty one if it is absent or null.
    func reader(_ key: String, _ record: CaseRecord<some Sendable>) throws(CaseError) -> CaseObjectReader {
        try CaseObjectReader(json(key) ?? .object([:]), path: field(key), record, frame: frame)
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
        var readers: [CaseObjectReader] = []
        for (index, json) in try array(key, "a list of objects").enumerated() {
            let path = "\(field(key))[\(index + 1)]"
            readers.append(
                try CaseObjectReader(json, path: path, record, frame: frame))
        }
        return readers
    }

    private func array(_ key: String, _ expected: String) throws(CaseError) -> [JSON] {
        switch json(key) {
        case nil: return []
        case .array(let values)?: return values
        case .object(let object)? where object.isEmpty: return []
        case let json?: throw wrong(key, expected, json)
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
        for field in record.fields {
            guard let reading = field.reading, case .value(let kind, _) = field.content, let json = json(field.name),
                let value = try value(field.name, kind, isSigned: reading.isSigned)
            else { continue }
            guard reading.set(&part, value) else { throw wrong(field.name, "a value of this field", json) }
        }
    }

    /// The value of a member, nil if it is absent or null.
    private func value(_ key: String, _ kind: FieldKind, isSigned: Bool) throws(CaseError) -> FieldValue? {
        switch kind {
        case .number: try number(key).map { .number($0) }
        case .integer: try (isSigned ? integer(key) : count(key)).map { .integer($0) }
        case .text: try text(key).map { .text($0) }
        case .choice(let words): try word(key, among: words).map { .text($0) }
        case .flag: try boolean(key).map { .flag($0) }
        case .instant: try instant(key).map { .instant($0) }
        case .date: try date(key).map { .date($0) }
        case .money: try money(key).map { .money($0) }
        case .period: try period(key).map { .period($0) }
        case .texts: .texts(try texts(key))
        case .integers: .integers(try integers(key))
        case .object: try object(key).map { .object($0) }
        case .actions: .actions(try actions(key))
        case .isbn, .due, .courses, .priceLines, .items, .digest, .proposal: nil
        }
    }

    /// What a member is taken for, nil if it is absent or null.
    private func member<Value>(
        _ key: String, _ expected: String, _ value: (JSON) -> Value?
    ) throws(CaseError) -> Value? {
        guard let json = json(key) else { return nil }
        guard let value = value(json) else { throw wrong(key, expected, json) }
        return value
    }

    /// What the members of a list are taken for; none if it is absent.
    private func list<Value>(_ key: String, _ expected: String, _ value: (JSON) -> Value?) throws(CaseError) -> [Value]
    {
        var values: [Value] = []
        for json in try array(key, expected) {
            guard let value = value(json) else { throw wrong(key, expected, json) }
            values.append(value)
        }
        return values
    }

    private func object(_ key: String) throws(CaseError) -> JSONObject? {
        switch json(key) {
        case nil, .array([])?: return nil
        case .object(let object)?: return object
        case let json?: throw wrong(key, "an object", json)
        }
    }

    /// A period such as `P14D`.
    private func period(_ key: String) throws(CaseError) -> Period? {
        try member(key, "a period such as P14D") { json in
            json.stringValue.flatMap { try? Period(parsing: $0) }.flatMap { $0.count > 0 ? $0 : nil }
        }
    }

    func text(_ key: String) throws(CaseError) -> String? { try member(key, "a text", \.stringValue) }

    private func boolean(_ key: String) throws(CaseError) -> Bool? { try member(key, "true or false", \.boolValue) }

    func integer(_ key: String) throws(CaseError) -> Int64? { try member(key, "a whole number", \.integerValue) }

    private func number(_ key: String) throws(CaseError) -> Double? {
        guard let json = json(key) else { return nil }
        guard let value = json.doubleValue else { throw wrong(key, "a number", json) }
        return value
    }

    /// A whole number from 0 on.
    func count(_ key: String) throws(CaseError) -> Int64? {
        try member(key, "a whole number from 0 on") { json in json.integerValue.flatMap { $0 >= 0 ? $0 : nil } }
    }

    private func texts(_ key: String) throws(CaseError) -> [String] { try list(key, "a list of texts", \.stringValue) }

    private func integers(_ key: String) throws(CaseError) -> [Int64] {
        try list(key, "a list of whole numbers", \.integerValue)
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
        let expected = "\(what), or a list of it and its ancestors"
        let ancestors = try texts(pluralKey)
        switch json(key) {
        case nil: return ancestors.isEmpty ? nil : ancestors
        case .string(let code)?: return ancestors.contains(code) ? ancestors : [code] + ancestors
        case .array(let codes)?:
            let texts = codes.compactMap(\.stringValue)
            guard texts.count == codes.count, !texts.isEmpty else { throw wrong(key, expected, .array(codes)) }
            return texts + ancestors.filter { !texts.contains($0) }
        case let json?: throw wrong(key, expected, json)
        }
    }

    /// What blocks forbid.
    private func actions(_ key: String) throws(CaseError) -> Set<BlockFacts.Action> {
        var actions: Set<BlockFacts.Action> = []
        for text in try texts(key) {
            if let action = BlockFacts.Action(word: text) {
                actions.insert(action)
            } else {
                throw unknown(text, key, among: BlockFacts.Action.allCases.map(\.rawValue))
            }
        }
        return actions
    }

    private func date(_ key: String) throws(CaseError) -> CivilDate? {
        guard let json = json(key) else { return nil }
        guard case .string(let text) = json else { throw wrong(key, "a date such as 2026-12-24", json) }
        do throws(TimeError) { return try CivilDate(parsing: text) } catch {
            throw CaseError(field: field(key), fault: error.message)
        }
    }

    /// An instant; without an offset it is local, and a date alone is its noon.
    func instant(_ key: String) throws(CaseError) -> Instant? {
        guard let json = json(key) else { return nil }
        guard case .string(let text) = json else {
            throw wrong(key, "an instant such as 2026-12-24T18:00:00Z", json)
        }
        if let date = try? CivilDate(parsing: text), let noon = try? CivilTime(hour: 12, minute: 0) {
            return frame.zone.instant(of: date, noon)
        }
        do throws(TimeError) { return try Instant(parsing: text, in: frame.zone) } catch {
            throw CaseError(field: field(key), fault: error.message)
        }
    }

    /// An amount such as `"5.00"`, or `"5.00 EUR"` in the case's own currency.
    func money(_ key: String) throws(CaseError) -> Money? {
        guard let json = json(key) else { return nil }
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
        try word(key, among: Word.allCases.map(\.rawValue)).flatMap(Word.init(rawValue:))
    }

    private func word(_ key: String, among words: [String]) throws(CaseError) -> String? {
        guard let json = json(key) else { return nil }
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
