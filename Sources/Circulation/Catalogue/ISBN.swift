/// An International Standard Book Number (ISO 2108), as its 13 digits.
///
/// Whatever form it was written in, the same book has the same value. The check digit is verified and never guessed.
package struct ISBN: Hashable, Sendable {
    /// The 13 digits as a number, which orders and hashes like the text.
    private let number: Int64

    /// Reads an ISBN-13 or ISBN-10, with hyphens and spaces anywhere, an X as the last digit of an ISBN-10 and `ISBN`
    /// in front.
    ///
    /// - Throws: ``ISBNError``.
    package init(_ text: String) throws(ISBNError) {
        let digits = try ISBNDigits(text)
        switch digits.count {
        case 0: throw ISBNError.empty
        case 10: number = try ISBN.number(ofISBN10: digits)
        case 13: number = try ISBN.number(ofISBN13: digits)
        default: throw ISBNError.badLength(digits.count)
        }
    }

    /// Reads a part of a longer text as an ISBN.
    package init(_ text: Substring) throws(ISBNError) {
        try self.init(String(text))
    }

    private static func number(ofISBN13 digits: ISBNDigits) throws(ISBNError) -> Int64 {
        if digits.endsInX { throw ISBNError.badCharacter("X") }
        guard digits.number / 10_000_000_000 == 978 || digits.number / 10_000_000_000 == 979 else {
            throw ISBNError.notABook
        }
        guard checkDigit13(ofTwelve: digits.number / 10) == digits.number % 10 else { throw ISBNError.badCheckDigit }
        return digits.number
    }

    private static func number(ofISBN10 digits: ISBNDigits) throws(ISBNError) -> Int64 {
        let nine = digits.endsInX ? digits.number : digits.number / 10
        let check = digits.endsInX ? 10 : digits.number % 10
        guard checkDigit10(ofNine: nine) == check else { throw ISBNError.badCheckDigit }
        return ISBN(bookNumber: nine).number
    }

    /// The ISBN with the prefix 978 for the nine digits of an ISBN-10 before its check digit.
    init(bookNumber nine: Int64) {
        let twelve = 978_000_000_000 + nine
        number = twelve * 10 + ISBN.checkDigit13(ofTwelve: twelve)
    }

    /// The 13 digits: `9783161484100`.
    package var digits13: String { String(number) }

    /// The ISBN-10, which only those with the prefix 978 have.
    package var isbn10: String? {
        guard number / 10_000_000_000 == 978 else { return nil }
        let nine = number / 10 % 1_000_000_000
        let check = ISBN.checkDigit10(ofNine: nine)
        let digits = String(nine)
        let zeros = String(repeating: "0", count: 9 - digits.utf8.count)
        return zeros + digits + (check == 10 ? "X" : String(check))
    }
}

extension ISBN: Comparable {
    package static func < (left: ISBN, right: ISBN) -> Bool { left.number < right.number }
}

extension ISBN: CustomStringConvertible {
    package var description: String { digits13 }
}

// MARK: - Check digits

extension ISBN {
    /// ISBN-13: weights 1 and 3 in turn, the sum a multiple of ten (ISO 2108, annex C).
    static func checkDigit13(ofTwelve twelve: Int64) -> Int64 {
        var rest = twelve
        var sum: Int64 = 0
        var weight: Int64 = 3
        while rest > 0 {
            sum += rest % 10 * weight
            rest /= 10
            weight = 4 - weight
        }
        return (10 - sum % 10) % 10
    }

    /// ISBN-10: weights 10 down to 2, the sum a multiple of eleven; 10 stands for X.
    static func checkDigit10(ofNine nine: Int64) -> Int64 {
        var rest = nine
        var sum: Int64 = 0
        var weight: Int64 = 2
        while rest > 0 {
            sum += rest % 10 * weight
            rest /= 10
            weight += 1
        }
        return (11 - sum % 11) % 11
    }
}
