/// Finds the ISBN that a spreadsheet spoilt: leading zeros lost, 13 digits turned into `9.78043902348e+12`.
///
/// Nothing is guessed: a repaired number has a check digit that was written down and fits, and what is left of the
/// other column must agree with it.
package enum ISBNRepair {
    /// What was found.
    package struct Finding: Hashable, Sendable {
        package let isbn: ISBN
        /// Whether the number differs from what was written.
        package let isRepaired: Bool
        /// What was done, for the report of an import; empty if nothing was.
        package let why: String
    }

    /// The ISBN that both columns of a record can stand for, or nil.
    ///
    /// - Parameters:
    ///   - isbn10Text: the shorter one, perhaps without its leading zeros.
    ///   - isbn13Text: the longer one, perhaps as a floating-point number whose last digits were rounded away.
    package static func from(isbn10Text: String, isbn13Text: String) -> Finding? {
        let long = withoutZeroFraction(trimmed(isbn13Text))
        let short = trimmed(isbn10Text)
        if let isbn = try? ISBN(long.text) {
            return Finding(
                isbn: isbn, isRepaired: long.hadFraction,
                why: long.hadFraction ? "the ISBN-13 was a decimal number" : "")
        }
        if let isbn = try? ISBN(short) { return asWritten(isbn, beside: long.text) }
        // With zeros put back the other column must point at the same book, or one of the two is another book's.
        guard let isbn = withLeadingZeros(short), long.text.isEmpty || agrees(long.text, with: isbn) else { return nil }
        let also = long.text.isEmpty ? "" : "; the ISBN-13 was rounded"
        return Finding(isbn: isbn, isRepaired: true, why: "leading zeros restored" + also)
    }

    private static func asWritten(_ isbn: ISBN, beside long: String) -> Finding {
        if long.isEmpty { return Finding(isbn: isbn, isRepaired: false, why: "") }
        return agrees(long, with: isbn)
            ? Finding(isbn: isbn, isRepaired: true, why: "the ISBN-13 was rounded")
            : Finding(isbn: isbn, isRepaired: false, why: "the ISBN-13 beside it is another number")
    }

    private static func withoutZeroFraction(_ text: String) -> (text: String, hadFraction: Bool) {
        text.hasSuffix(".0") ? (String(text.dropLast(2)), true) : (text, false)
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace })
    }

    /// The ISBN-10 with its leading zeros put back, if the check digit then fits.
    private static func withLeadingZeros(_ text: String) -> ISBN? {
        let count = text.utf8.count
        guard (2...9).contains(count), text.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x58 || $0 == 0x78 }) else {
            return nil
        }
        return try? ISBN(String(repeating: "0", count: 10 - count) + text)
    }

    /// Whether `text`, a number rounded to some digits, is what rounding `isbn` gives.
    private static func agrees(_ text: String, with isbn: ISBN) -> Bool {
        guard let rounded = Double(text), rounded.isFinite, let exact = Double(isbn.digits13) else { return false }
        let digits = text.lowercased().split(separator: "e").first.map { $0.utf8.count { $0 &- 0x30 < 10 } } ?? 0
        // Half a unit of the last digit that was kept; trailing zeros are dropped when such numbers are written.
        guard digits >= 6 else { return false }
        var unit = 1.0
        for _ in min(digits, 12)..<13 { unit *= 10 }
        return abs(rounded - exact) <= unit / 2 + 0.5
    }
}
