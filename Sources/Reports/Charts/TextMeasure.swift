import TextFormats

/// How wide text may become in a drawing, whose font only the reader's machine knows.
///
/// Of each character the wider one of DejaVu Sans and Liberation Sans (Arial's widths) counts, and DejaVu is among the
/// widest that machines have, so that what is given this room does not overlap.
package enum TextMeasure {
    /// The size of letters in drawings.
    package static let size = 12.0

    package static func width(of text: String) -> Double {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// The longest beginning that fits, with `…` at its end if something is missing.
    static func clipped(_ text: String, to width: Double) -> String {
        guard self.width(of: text) > width else { return text }
        var used = size
        var kept = ""
        for character in text {
            used += self.width(of: character)
            if used > width { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    private static func width(of character: Character) -> Double {
        if let ascii = character.asciiValue, ascii >= 32, ascii < 127 {
            return Double(widths[Int(ascii) - 32]) * size / 100
        }
        return switch DisplayWidth.of(character) {
        case 0: 0
        case 1: size * 0.85
        default: size * 1.25
        }
    }

    /// Of the characters from the blank to `~`, in hundredths of the letters' size.
    private static let widths = [
        32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34,
        84, 84,
        84, 56, 102, 69, 69, 73, 77, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79, 67, 79, 73, 67, 62, 74, 69, 99, 69, 67,
        69, 40,
        34, 40, 84, 56, 50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82,
        60, 60,
        53, 64, 34, 64, 84,
    ]
}
