import Circulation
import TextFormats

/// What is wrong with the value of a column.
struct ColumnFault: Error {
    let code: String
    let message: String
    /// Whether the value is left out, and the row taken.
    var isWarning = false
    /// Whether the file as a whole cannot be read so.
    var endsImport = false
}

extension TranslatedColumn {
    /// The value as a translator has it; nil for none. Of dates and amounts it is told before how the column writes them.
    ///
    /// Dates are `2018-10-24`, moments `2018-10-24T12:00:00Z`, ISBNs thirteen digits, amounts decimals as texts.
    func value(_ given: JSON, for translator: any TableTranslator) throws(ColumnFault) -> JSON? {
        var given = given
        if case .string(let text) = given {
            guard let text = FieldText.nonBlank(text) else { return nil }
            given = .string(text)
        }
        if given.isNull { return nil }
        switch kind {
        case .any: return given
        case .password:
            throw ColumnFault(
                code: "password_left_out", message: "passwords are not taken over; the patron sets a new one",
                isWarning: true)
        case .none:
            if given.isEmpty { return nil }
            throw ColumnFault(code: "left_out", message: "has no place here; left out", isWarning: true)
        case .text: return .string(try unrounded(given))
        case .word:
            if case .integer(let number) = given { return .string(String(number)) }
            return .string(try unrounded(given))
        case .list:
            let parts = FieldText.list(try text(given), separators: separators)
            return parts.isEmpty ? nil : .array(parts.map { .string($0) })
        case .integer:
            if let number = given.integerValue { return .integer(number) }
            if let number = given.stringValue.flatMap({ Int64($0) }) { return .integer(number) }
            throw ColumnFault(code: "wrong_type", message: "expected a whole number")
        case .flag: return .bool(try Self.flag(given))
        case .amount: return .string(try Self.amount(given, translator.currency))
        case .isbn: return .string(try Self.isbn(given).digits13)
        case .isbns: return try Self.firstISBN(of: given).map { .string($0.digits13) }
        case .year:
            let written = given.stringValue ?? given.text()
            if let year = FieldText.year(written) { return .integer(year) }
            throw ColumnFault(code: "bad_year", message: "'\(written)' is not a year; left out", isWarning: true)
        case .date:
            let text = try text(given)
            if let date = try? CivilDate(parsing: text) { return .string(date.description) }
            let order = translator.dateOrder?.rawValue ?? "day, month"
            let advice = SerialDate.advice(text) ?? "expected YYYY-MM-DD, or \(order) and a year of four digits"
            throw ColumnFault(code: "bad_date", message: "'\(text)' is not a date; \(advice)")
        case .moment: return .string(try Self.moment(try text(given)).description)
        }
    }

    private func text(_ given: JSON) throws(ColumnFault) -> String {
        guard let text = given.stringValue else { throw ColumnFault(code: "wrong_type", message: "expected a text") }
        return text
    }

    /// A text; one of which a spreadsheet has taken digits is left out where the record can be without it.
    private func unrounded(_ given: JSON) throws(ColumnFault) -> String {
        let text = try text(given)
        guard FieldText.isRounded(text) else { return text }
        throw ColumnFault(
            code: "rounded_number", message: FieldText.rounded(text) + (isRequired ? "" : "; left out"),
            isWarning: !isRequired)
    }

    /// Whether a tick box is set.
    private static func flag(_ given: JSON) throws(ColumnFault) -> Bool {
        switch given {
        case .bool(let truth): return truth
        case .integer(0), .string("0"), .string("false"), .string("no"): return false
        case .integer(1), .string("1"), .string("true"), .string("yes"): return true
        default: throw ColumnFault(code: "wrong_type", message: "expected 0 or 1")
        }
    }

    /// An amount as a decimal: what floating point adds behind the fourth place is none of it.
    private static func amount(_ given: JSON, _ currency: Currency) throws(ColumnFault) -> String {
        let written = given.stringValue.map { "'\($0)' is none; " } ?? ""
        let fault = ColumnFault(
            code: "bad_money",
            message: "\(written)expected an amount of \(currency.code), the library's currency, such as "
                + "\(Money.zero(currency).amountText), with neither a sign nor separators of thousands")
        let text: String
        switch given {
        case .integer(let number): text = String(number)
        case .number(let number):
            guard number.isFinite, number >= 0, number < 1e12 else { throw fault }
            let rounded = String((number * 10_000).rounded() / 10_000)
            text = rounded.hasSuffix(".0") ? String(rounded.dropLast(2)) : rounded
        case .string(let written): text = written
        default: throw fault
        }
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isDecimal, let value = Double(text), value.isFinite else { throw fault }
        let decimals = text.firstIndex(of: ".").map { text[$0...].dropFirst() } ?? ""
        guard decimals.dropFirst(currency.exponent).allSatisfy({ $0 == "0" }) else {
            throw ColumnFault(
                code: "bad_money", message: "an amount of \(currency.code) has at most \(currency.exponent) decimals")
        }
        return text
    }

    /// An ISBN as a text, or as a number, which has lost the zeros before it.
    private static func isbn(_ given: JSON) throws(ColumnFault) -> ISBN {
        let text: String
        switch given {
        case .string(let written): text = written
        case .integer(let number):
            let digits = String(number)
            text = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        default: throw ColumnFault(code: "wrong_type", message: "expected an ISBN as a text")
        }
        do throws(ISBNError) {
            return try ISBN(text)
        } catch {
            throw ColumnFault(code: "bad_isbn", message: "\(error)")
        }
    }

    /// `9780140449136 (pbk) | 0140449132 (hbk)`
    private static func firstISBN(of given: JSON) throws(ColumnFault) -> ISBN? {
        if let one = try? isbn(given) { return one }
        let text = given.stringValue ?? given.text()
        switch ISBNText.read(text) {
        case .isbn(let isbn, _), .repaired(let isbn, _): return isbn
        case .fault: break
        }
        guard text.contains(where: \.isNumber) else { return nil }
        throw ColumnFault(
            code: "bad_isbn", message: "there is no right ISBN in '\(text)'; left out", isWarning: true)
    }

    /// `2014-02-11 18:00:00`, in UTC, or with an offset or `UTC` or `GMT` behind it.
    private static func moment(_ text: String) throws(ColumnFault) -> Instant {
        if let instant = try? Instant(parsing: text) { return instant }
        var parts = text.split(separator: " ").map(String.init)
        if parts.count == 3, ["UTC", "GMT", "Z"].contains(parts[2]) { parts[2] = "Z" }
        if parts.count == 2 || parts.count == 3,
            let instant = try? Instant(parsing: "\(parts[0])T\(parts[1])\(parts.count == 3 ? parts[2] : "Z")")
        {
            return instant
        }
        throw ColumnFault(code: "bad_date", message: "'\(text)' is not a moment; expected YYYY-MM-DD HH:MM:SS")
    }
}

extension JSON {
    /// Whether it is null, or an empty text, list or object.
    var isEmpty: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let list): list.isEmpty
        case .object(let object): object.isEmpty
        default: false
        }
    }
}
