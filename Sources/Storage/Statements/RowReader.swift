import Circulation
import TextFormats

/// Reads a row's columns from left to right, in the order in which the query lists them.
struct RowReader {
    private let statement: any PreparedStatement
    private var column = 0

    init(_ statement: any PreparedStatement) {
        self.statement = statement
    }

    private mutating func next() -> Int {
        defer { column += 1 }
        return column
    }

    mutating func integer() -> Int64 { statement.integer(next()) }
    mutating func flag() -> Bool { statement.integer(next()) != 0 }
    mutating func double() -> Double { statement.double(next()) }
    mutating func text() -> String { statement.text(next()) }
    mutating func instant() -> Instant { Instant(microseconds: statement.integer(next())) }

    mutating func skip(_ columns: Int = 1) {
        column += columns
    }

    mutating func optionalInteger() -> Int64? {
        let column = next()
        return statement.isNull(column) ? nil : statement.integer(column)
    }

    mutating func optionalText() -> String? {
        let column = next()
        return statement.isNull(column) ? nil : statement.text(column)
    }

    mutating func optionalInstant() -> Instant? { optionalInteger().map { Instant(microseconds: $0) } }

    mutating func date() throws(StoreError) -> CivilDate { try Self.date(integer()) }

    mutating func optionalDate() throws(StoreError) -> CivilDate? {
        guard let day = optionalInteger() else { return nil }
        return try Self.date(day)
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ type: Choice.Type = Choice.self) throws(StoreError)
        -> Choice
    {
        let word = text()
        guard let choice = Choice(rawValue: word) else {
            throw .corrupt("a column of \(Choice.self) holds a word that this program does not know")
        }
        return choice
    }

    mutating func optionalChoice<Choice: RawRepresentable<String>>(_ type: Choice.Type = Choice.self)
        throws(StoreError) -> Choice?
    {
        if statement.isNull(column) {
            column += 1
            return nil
        }
        return try choice(type)
    }

    mutating func json() throws(StoreError) -> JSON { try Self.parsed(text()) }

    mutating func object() throws(StoreError) -> JSONObject {
        let text = text()
        if text == "{}" { return [:] }
        guard case .object(let object) = try Self.parsed(text) else {
            throw .corrupt("a column that should hold a JSON object holds another value")
        }
        return object
    }

    mutating func list() throws(StoreError) -> [String] { try Self.texts(text()) }

    /// The texts of a list as a column holds it.
    static func texts(_ text: String) throws(StoreError) -> [String] {
        if text == "[]" { return [] }
        guard case .array(let items) = try parsed(text) else {
            throw .corrupt("a column that should hold a JSON list holds another value")
        }
        var strings: [String] = []
        strings.reserveCapacity(items.count)
        for item in items {
            guard case .string(let string) = item else {
                throw .corrupt("a list that should hold texts holds another value")
            }
            strings.append(string)
        }
        return strings
    }

    static func parsed(_ text: String) throws(StoreError) -> JSON {
        do {
            return try JSONParser.parse(text)
        } catch {
            throw .corrupt("a column that should hold JSON does not: \(error.message)")
        }
    }

    private static func date(_ day: Int64) throws(StoreError) -> CivilDate {
        do {
            return try CivilDate(dayNumber: day)
        } catch {
            throw .corrupt("a column that should hold a date holds \(day)")
        }
    }
}
