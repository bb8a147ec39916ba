import Circulation
import TextFormats

/// Values as the older systems write them: numbers as texts, texts as numbers, truth as 0 and 1.
extension MemberReader {
    /// A text, or a whole number as one.
    mutating func word(_ member: String) -> String? {
        if case .integer(let number)? = value(member) { return String(number) }
        return text(member)
    }

    /// A whole number, or a text that is one.
    mutating func number(_ member: String) -> Int64? {
        guard let given = value(member)?.stringValue else { return integer(member) }
        guard let text = FieldText.nonBlank(given) else { return nil }
        if let number = Int64(text) { return number }
        reject(member, "wrong_type", "expected a whole number")
        return nil
    }

    /// Whether a tick box is set.
    mutating func flag(_ member: String) -> Bool {
        switch value(member) {
        case nil: return false
        case .bool(let truth)?: return truth
        case .integer(0)?, .string("0")?, .string("")?, .string("false")?: return false
        case .integer(1)?, .string("1")?, .string("true")?: return true
        default:
            reject(member, "wrong_type", "expected 0 or 1")
            return false
        }
    }

    /// A price, as a decimal.
    mutating func amount(_ member: String) -> String? {
        let text: String?
        switch value(member) {
        case nil: return nil
        case .integer(let number)?: text = String(number)
        case .number(let number)?: text = OlderAmount.text(number)
        case .string(let given)?: text = FieldText.nonBlank(given)
        default: text = "?"
        }
        guard let text else { return nil }
        let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        if isDecimal, let value = Double(text), value.isFinite { return text }
        reject(member, "bad_money", "expected an amount such as 4.50, not negative")
        return nil
    }

    /// An ISBN as a text, or as a number, which has lost the zeros before it.
    mutating func looseISBN(_ member: String) -> ISBN? {
        guard case .integer(let number)? = value(member) else { return isbn(member) }
        let digits = String(number)
        let text = digits.count < 10 ? String(repeating: "0", count: 10 - digits.count) + digits : digits
        do throws(ISBNError) {
            return try ISBN(text)
        } catch {
            reject(member, "bad_isbn", "\(error)")
            return nil
        }
    }

    /// Twelve numbers, one a month; nil where there are none.
    mutating func months(_ member: String, as name: String) -> JSON? {
        guard let value = value(member) else { return nil }
        guard let numbers = value.arrayValue, numbers.count == 12, numbers.allSatisfy({ $0.doubleValue != nil }) else {
            reject(name, "wrong_type", "expected a list of twelve numbers")
            return nil
        }
        return value
    }
}

/// Prices that are kept as floating-point numbers.
enum OlderAmount {
    /// The decimal as it was typed: what floating point adds behind the fourth place is none of it.
    static func text(_ number: Double) -> String {
        guard number.isFinite, number >= 0, number < 1e12 else { return "?" }
        let rounded = (number * 10_000).rounded() / 10_000
        let text = String(rounded)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
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
