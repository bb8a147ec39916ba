/// How many columns of a terminal text takes.
///
/// A grapheme cluster takes as many columns as its widest scalar: two for the wide and full-width ones of Unicode's
/// East Asian Width (UAX #11) and for pictures, none for marks that combine, one for all else.
package enum DisplayWidth {
    /// The columns of a text without control characters.
    package static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one grapheme cluster.
    package static func of(_ character: Character) -> Int {
        var width = 0
        var isPicture = false
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { isPicture = true }
            width = max(width, of(scalar))
        }
        return isPicture && width == 1 ? 2 : width
    }

    /// The longest beginning of a text that fits into the columns given, with `…` at its end if something is missing.
    package static func clipped(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var used = 1
        var kept = ""
        for character in text {
            let width = of(character)
            if used + width > columns { break }
            kept.append(character)
            used += width
        }
        return kept + "…"
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return isWide(scalar.value) ? 2 : 1
    }

    /// The ranges of East Asian Width `W` and `F`, Unicode 15.1, runs of unassigned code points joined.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD,
        0x30000...0x3FFFD,
    ]

    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        return wide.contains { $0.contains(value) }
    }
}
