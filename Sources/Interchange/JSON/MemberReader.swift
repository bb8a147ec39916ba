import Circulation
import Desk
import TextFormats

/// One JSON object member by member, and what was found wrong with it.
struct MemberReader {
    let object: JSONObject
    let file: String
    let line: Int
    private(set) var problems: [ImportProblem] = []
    /// The password of the record's patron.
    var password: PlainPassword?
    private var path: String
    /// Whether texts are taken as they are, as exports write them, instead of without the blanks around them.
    let isExact: Bool
    /// Of amounts that name none, in records that a translator made; nil for all others.
    let currency: Currency?
    /// Those of the library's own.
    let fields: CustomFields
    /// What settles dates of records that people wrote; nil: those of two readings are refused.
    let dates: MemberDates?

    init(
        object: JSONObject, file: String, line: Int, path: String = "", isExact: Bool = false,
        currency: Currency? = nil, fields: CustomFields = .none, dates: MemberDates? = nil
    ) {
        self.dates = dates
        self.isExact = isExact
        self.currency = currency
        self.fields = fields
        self.object = object
        self.file = file
        self.line = line
        self.path = path
    }

    var isRejected: Bool { problems.contains { $0.severity == .error } }

    mutating func reject(_ member: String?, _ code: String, _ message: String) {
        note(member, code, .error, message)
    }

    mutating func warn(_ member: String?, _ code: String, _ message: String) {
        note(member, code, .warning, message)
    }

    private mutating func note(
        _ member: String?, _ code: String, _ severity: ImportProblem.Severity, _ message: String
    ) {
        let field = member.map(place) ?? (path.isEmpty ? nil : path)
        problems.append(
            ImportProblem(file: file, line: line, field: field, code: code, severity: severity, message: message))
    }

    private func place(_ member: String) -> String { path.isEmpty ? member : "\(path).\(member)" }

    /// Reports members that are not among the known ones.
    mutating func allow(only known: [String]) {
        for key in object.keys where !known.contains(key) {
            warn(key, "unknown_member", "not known; left out")
        }
    }

    /// The member unless it is absent or null.
    func value(_ member: String) -> JSON? {
        // In a closure that gives `nil` the JSON null would be meant by it.
        guard let value = object[member], !value.isNull else { return nil }
        return value
    }

    mutating func text(_ member: String) -> String? {
        guard let value = value(member) else { return nil }
        if let text = value.stringValue { return isExact ? text : FieldText.nonBlank(text) }
        reject(member, "wrong_type", "expected a text")
        return nil
    }

    mutating func requiredText(_ member: String) -> String? {
        let text = text(member)
        if text == nil && !isRejected { reject(member, "missing", "'\(member)' is required") }
        return text
    }

    mutating func integer(_ member: String) -> Int64? {
        guard let value = value(member) else { return nil }
        if let number = value.integerValue { return number }
        reject(member, "wrong_type", "expected a whole number")
        return nil
    }

    mutating func boolean(_ member: String) -> Bool? {
        guard let value = value(member) else { return nil }
        if let truth = value.boolValue { return truth }
        reject(member, "wrong_type", "expected true or false")
        return nil
    }

    mutating func texts(_ member: String) -> [String] {
        guard let value = value(member) else { return [] }
        let texts = value.arrayValue?.compactMap(\.stringValue)
        if let texts, texts.count == value.arrayValue?.count { return texts }
        reject(member, "wrong_type", "expected a list of texts")
        return []
    }

    mutating func object(_ member: String) -> JSONObject? {
        guard let value = value(member) else { return nil }
        if let object = value.objectValue { return object }
        reject(member, "wrong_type", "expected an object")
        return nil
    }

    /// - Parameter order: of dates that can be read in two ways; nil: as the file shows, or such are refused.
    mutating func date(_ member: String, order: DateOrder? = nil) -> CivilDate? {
        guard let text = text(member) else { return nil }
        // A translator has dates as they are written here; of others none is guessed.
        if let date = try? CivilDate(parsing: text) { return date }
        if order == nil, let dates {
            switch dates.date(text, in: place(member), line: line) {
            case .value(let date, let remarks):
                problems += remarks
                return date
            case .none: reject(member, "bad_date", "'\(text)' is not a date; expected YYYY-MM-DD")
            // The import ends there.
            case .stop: break
            }
            return nil
        }
        switch currency == nil ? DateOrder.readings(of: text) : .none {
        case .certain(let date): return date
        case .open(let readings):
            if Set(readings.map(\.value)).count == 1 { return readings[0].value }
            if let order, let reading = readings.first(where: { $0.by == order }) { return reading.value }
            let dates = readings.map { "\($0.value) (\($0.by.rawValue))" }.listed(by: "or")
            reject(member, "ambiguous_date", "'\(text)' is \(dates); expected YYYY-MM-DD")
        case .none: reject(member, "bad_date", "'\(text)' is not a date; expected YYYY-MM-DD")
        }
        return nil
    }

    mutating func instant(_ member: String) -> Instant? {
        guard let text = text(member) else { return nil }
        if let instant = try? Instant(parsing: text) { return instant }
        reject(member, "bad_instant", "'\(text)' is not an instant; expected 2026-12-24T18:00:00Z")
        return nil
    }

    mutating func instants(_ member: String) -> [Instant] {
        texts(member).compactMap { text in
            if let instant = try? Instant(parsing: text) { return instant }
            reject(member, "bad_instant", "'\(text)' is not an instant; expected 2026-12-24T18:00:00Z")
            return nil
        }
    }

    /// One of a few words.
    mutating func choice<Choice: RawRepresentable<String>>(_ member: String, _ type: Choice.Type = Choice.self)
        -> Choice?
    {
        guard let text = text(member) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        reject(member, "bad_value", "'\(text)' is not known here")
        return nil
    }

    mutating func required<Value>(_ member: String, _ value: Value?) -> Value? {
        if value == nil && !isRejected { reject(member, "missing", "'\(member)' is required") }
        return value
    }

    mutating func isbn(_ member: String) -> ISBN? {
        guard let text = text(member) else { return nil }
        do throws(ISBNError) {
            return try ISBN(text)
        } catch {
            reject(member, "bad_isbn", "\(error)")
            return nil
        }
    }

    /// Takes over what a reader of a part found.
    mutating func take(_ problems: [ImportProblem]) {
        self.problems += problems
    }

    /// A reader of a part of this record.
    func part(_ object: JSONObject, path: String) -> MemberReader {
        MemberReader(
            object: object, file: file, line: line, path: path, isExact: isExact, currency: currency, fields: fields,
            dates: dates)
    }
}
