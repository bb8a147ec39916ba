/// The digits of a text that is meant to be an ISBN.
struct ISBNDigits {
    /// The digits as a number, without a final X.
    private(set) var number: Int64 = 0
    /// How many there are, a final X included.
    private(set) var count = 0
    private(set) var endsInX = false

    init(_ text: String) throws(ISBNError) {
        // The bytes of a plain number are all digits and hyphens; everything else goes by characters.
        for byte in text.utf8 {
            if byte &- 0x30 < 10 {
                try append(Int64(byte &- 0x30))
            } else if byte != 0x2D && byte != 0x20 {
                self = try ISBNDigits(scalarsOf: text)
                return
            }
        }
    }

    private init(scalarsOf text: String) throws(ISBNError) {
        for scalar in ISBNDigits.withoutLabel(text).unicodeScalars {
            switch scalar {
            case "0"..."9": try append(Int64(scalar.value - 0x30))
            case "X", "x":
                if endsInX || count != 9 { throw ISBNError.badCharacter(scalar) }
                count += 1
                endsInX = true
            case "-", " ", "\u{00A0}", "\u{2010}"..."\u{2014}", "\u{2212}", "\u{202F}": continue
            default: throw ISBNError.badCharacter(scalar)
            }
        }
    }

    private mutating func append(_ digit: Int64) throws(ISBNError) {
        if endsInX { throw ISBNError.badCharacter("X") }
        count += 1
        if count <= 13 { number = number * 10 + digit }
    }

    /// Passes over `ISBN`, `ISBN-13:` and the like.
    private static func withoutLabel(_ text: String) -> Substring {
        guard text.prefix(4).lowercased() == "isbn" else { return Substring(text) }
        var rest = text.dropFirst(4)
        for label in ["-13", "-10"] where rest.hasPrefix(label + ":") || rest.hasPrefix(label + " ") {
            rest = rest.dropFirst(3)
        }
        return rest.first == ":" ? rest.dropFirst() : rest
    }
}
