import TextFormats

/// Why a text is not an ISBN.
package struct ISBNError: Error, Hashable, Sendable {
    /// The kinds of fault, for programs; people read ``message``.
    package enum Code: String, Hashable, Sendable {
        case empty
        /// A character that no ISBN has, or an X elsewhere than at the end of an ISBN-10.
        case badCharacter
        /// Neither 10 nor 13 digits.
        case badLength
        /// The last digit does not fit the others: a typing error.
        case badCheckDigit
        /// 13 digits that do not begin with 978 or 979: an article number of something else.
        case notABook
    }

    package let code: Code
    package let message: String

    static let empty = ISBNError(code: .empty, message: "there is no ISBN")

    static func badCharacter(_ character: Unicode.Scalar) -> ISBNError {
        let shown = SafeText.line(String(character))
        return ISBNError(code: .badCharacter, message: "the ISBN has the character \"\(shown)\" where a digit belongs")
    }

    static func badLength(_ count: Int) -> ISBNError {
        ISBNError(code: .badLength, message: "the ISBN has \(count) digits instead of 10 or 13")
    }

    static let badCheckDigit = ISBNError(
        code: .badCheckDigit, message: "the last digit of the ISBN does not fit the others")

    static let notABook = ISBNError(
        code: .notABook, message: "the number begins with neither 978 nor 979, which makes it no ISBN")
}

extension ISBNError: CustomStringConvertible {
    package var description: String { message }
}
