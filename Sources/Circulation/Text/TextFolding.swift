import Foundation

/// Text made comparable: for sort keys, full-text search and terminals.
package enum TextFolding {
    /// The text in lower case, without diacritics, with full-width forms made plain: `Straße` and `STRASSE`, `Čapek`
    /// and `capek` become the same. Equal results mean the same to a reader of a catalogue; their byte order is the
    /// order of a list.
    package static func folded(_ text: String) -> String {
        foldedASCII(text) ?? FoldingTable.shared.folded(text) ?? foldedByNormalizing(text)
    }

    /// The general way: decompose, drop the diacritics, lower, compose again.
    static func foldedByNormalizing(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !isDiacritic(scalar) {
            scalars.append(contentsOf: lowered(scalar))
        }
        return String(scalars).precomposedStringWithCanonicalMapping
    }

    /// The words of the text, folded, in order: runs of letters, marks and digits; of Chinese and Japanese text, which
    /// has no spaces, each character.
    package static func tokens(_ text: String) -> [String] {
        let folded = folded(text)
        return folded.utf8.allSatisfy { $0 < 0x80 } ? asciiTokens(folded) : generalTokens(folded)
    }

    private static func asciiTokens(_ folded: String) -> [String] {
        folded.utf8.split { !isASCIIWordPart($0) }.map { String(Substring($0)) }
    }

    private static func generalTokens(_ folded: String) -> [String] {
        var tokens: [String] = []
        var word = String.UnicodeScalarView()
        func flush() {
            if !word.isEmpty { tokens.append(String(word)) }
            word.removeAll()
        }
        for scalar in folded.unicodeScalars {
            if isIdeographic(scalar) {
                flush()
                tokens.append(String(scalar))
            } else if isWordPart(scalar) {
                word.append(scalar)
            } else {
                flush()
            }
        }
        flush()
        return tokens
    }

    /// The name of a file made from a title: folded words joined by hyphens, never empty.
    ///
    /// - Parameter maximumLength: in characters; cut at a word if there is one.
    package static func slug(_ text: String, maximumLength: Int = 60) -> String {
        var slug = ""
        for token in tokens(text) {
            let longer = slug.isEmpty ? token : slug + "-" + token
            if longer.count > maximumLength {
                if slug.isEmpty { slug = String(token.prefix(max(1, maximumLength))) }
                break
            }
            slug = longer
        }
        return slug.isEmpty ? "untitled" : slug
    }
}

// MARK: - Characters

extension TextFolding {
    /// The folded text if it is ASCII, by bytes.
    private static func foldedASCII(_ text: String) -> String? {
        var needsChange = false
        for byte in text.utf8 {
            if byte >= 0x80 { return nil }
            if byte &- 0x41 < 26 { needsChange = true }
        }
        if !needsChange { return text }
        return String(unsafeUninitializedCapacity: text.utf8.count) { target in
            var count = 0
            for byte in text.utf8 {
                target[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                count += 1
            }
            return count
        }
    }

    /// Marks that readers leave out when they type: the combining blocks, Hebrew points, Arabic vowel signs and
    /// lengthening. Not the marks of Indic scripts or the voicing of kana, which make other letters.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
        case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670: true
        default: false
        }
    }

    /// Letters that no decomposition takes apart, as catalogues file them.
    private static func lowered(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let replacement: String =
            switch scalar {
            case "ß", "ẞ": "ss"
            case "æ", "Æ": "ae"
            case "œ", "Œ": "oe"
            case "ø", "Ø": "o"
            case "đ", "Đ", "ð", "Ð": "d"
            case "ł", "Ł": "l"
            case "ħ", "Ħ": "h"
            case "ŧ", "Ŧ": "t"
            case "þ", "Þ": "th"
            case "ı": "i"
            case "ς": "σ"
            case "\u{2018}", "\u{2019}", "\u{02BC}": "'"
            case "\u{201C}", "\u{201D}": "\""
            case "\u{2010}"..."\u{2015}": "-"
            default: scalar.properties.lowercaseMapping
            }
        return replacement.unicodeScalars
    }

    private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3005, 0x3007, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
        case 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    private static func isASCIIWordPart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isASCIIWordPart(UInt8(truncatingIfNeeded: scalar.value)) }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber: true
        default: false
        }
    }
}
