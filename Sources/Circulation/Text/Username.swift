import Foundation

/// Usernames: which are allowed, and which look the same.
package enum Username {
    package static let mostBytes = 128

    /// What no name by which people find each other may have.
    package enum Flaw: Hashable, Sendable {
        /// It begins or ends with a blank, or has two of them in a row.
        case blanks
        case invisibleLetters
        /// More than two marks stand on a letter.
        case piledMarks
        /// Its letters are of several alphabets.
        case mixedAlphabets
    }

    /// Why a text cannot become a username; nil where it can. Names that people have already are not looked at again.
    package static func problem(of text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= mostBytes else {
            return "A username must be 1 to \(mostBytes) bytes long."
        }
        return switch flaw(of: text) {
        case .blanks: "A username cannot begin or end with a space, or contain two spaces in a row."
        case .invisibleLetters: "A username cannot contain invisible characters."
        case .piledMarks: "A username can have at most two accents or other marks on a letter."
        case .mixedAlphabets:
            "A username must use letters of one alphabet only, so that it cannot be mistaken for another one."
        case nil: nil
        }
    }

    /// The first flaw of a text that is to become a name; nil where it has none.
    package static func flaw(of text: String) -> Flaw? {
        if text.first == " " || text.last == " " || text.contains("  ") { return .blanks }
        if text.unicodeScalars.contains(where: isInvisible) { return .invisibleLetters }
        if hasPiledMarks(text) { return .piledMarks }
        return Set(text.unicodeScalars.compactMap(Alphabet.init)).count < 2 ? nil : .mixedAlphabets
    }

    /// Whether a name is an e-mail address, or looks like one: only its owner and staff see it then.
    package static func isAddress(_ text: String) -> Bool { folded(text).contains("@") }

    /// The same for all names that look the same to a reader: without regard to case, to invisible signs, to the ways
    /// in which Unicode writes a letter, and to letters of other alphabets that look like Latin ones.
    package static func folded(_ text: String) -> String {
        let trimmed = text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
        if trimmed.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return trimmed.lowercased() }
        var scalars = String.UnicodeScalarView()
        for scalar in trimmed.precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
        where !isInvisible(scalar) || scalar == " " {
            scalars.append(lookAlikes[scalar] ?? scalar)
        }
        let folded = String(scalars).precomposedStringWithCompatibilityMapping.lowercased()
        return folded.split(separator: " ").joined(separator: " ")
    }

    /// Controls, formats, blanks other than the plain one, and what fonts leave out.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        case .spaceSeparator: return scalar != " "
        default:
            // Fillers of Hangul, which take the place of a letter, and the blank pattern of Braille.
            return properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
        }
    }

    private static func hasPiledMarks(_ text: String) -> Bool {
        var marks = 0
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            marks = isMark ? marks + 1 : 0
            if marks > 2 { return true }
        }
        return false
    }

    /// The alphabets whose letters are taken for each other's.
    private enum Alphabet: Hashable {
        case latin, greek, cyrillic, armenian, cherokee, coptic, lisu

        init?(_ scalar: Unicode.Scalar) {
            guard scalar.properties.isAlphabetic else { return nil }
            switch scalar.value {
            case 0x41...0x5A, 0x61...0x7A, 0xC0...0x2AF, 0x1D00...0x1D25, 0x1D62...0x1D65, 0x1D6B...0x1D77,
                0x1D79...0x1DBE, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA722...0xA7FF, 0xAB30...0xAB64, 0xFB00...0xFB06,
                0xFF21...0xFF3A, 0xFF41...0xFF5A:
                self = .latin
            case 0x370...0x3E1, 0x3F0...0x3FF, 0x1F00...0x1FFF: self = .greek
            case 0x400...0x52F, 0x1C80...0x1C8F, 0x1D2B, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
            case 0x530...0x58F, 0xFB13...0xFB17: self = .armenian
            case 0x13A0...0x13FF, 0xAB70...0xABBF: self = .cherokee
            case 0x3E2...0x3EF, 0x2C80...0x2CFF: self = .coptic
            case 0xA4D0...0xA4FF: self = .lisu
            default: return nil
            }
        }
    }

    /// Small letters that look like Latin ones, by what they look like; after capitals were made small.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        let table: [(Unicode.Scalar, String)] = [
            ("a", "\u{430}\u{251}\u{3B1}\u{1D00}"), ("b", "\u{42C}\u{44C}\u{185}\u{432}\u{3B2}\u{299}"),
            ("c", "\u{441}\u{3F2}\u{1D04}\u{2CA5}"), ("d", "\u{501}\u{1D05}"), ("e", "\u{435}\u{4BD}\u{3B5}\u{1D07}"),
            ("f", "\u{3DD}\u{584}"), ("g", "\u{261}\u{581}\u{262}"), ("h", "\u{4BB}\u{570}\u{43D}\u{29C}\u{3B7}"),
            ("i", "\u{456}\u{131}\u{269}\u{3B9}\u{26A}\u{4CF}"), ("j", "\u{458}\u{3F3}\u{575}\u{1D0A}"),
            ("k", "\u{43A}\u{3BA}\u{1D0B}\u{138}\u{49B}\u{4C4}"), ("l", "\u{29F}\u{2113}"),
            ("m", "\u{43C}\u{3BC}\u{1D0D}"), ("n", "\u{578}\u{57C}\u{274}\u{43F}\u{3BD}"),
            ("o", "\u{43E}\u{3BF}\u{585}\u{3C3}\u{1D0F}\u{2C9F}\u{275}"),
            ("p", "\u{440}\u{3C1}\u{2CA3}\u{1D18}"), ("q", "\u{51B}\u{566}"), ("r", "\u{433}\u{1D26}\u{280}"),
            ("s", "\u{455}\u{A731}"), ("t", "\u{442}\u{3C4}\u{1D1B}"), ("u", "\u{57D}\u{3C5}\u{1D1C}"),
            ("v", "\u{475}\u{1D20}\u{474}"), ("w", "\u{51D}\u{461}\u{3C9}\u{1D21}\u{561}"),
            ("x", "\u{445}\u{3C7}\u{4B3}"), ("y", "\u{443}\u{3B3}\u{4AF}\u{28F}"), ("z", "\u{1D22}\u{3B6}"),
            ("'", "\u{2018}\u{2019}\u{2BC}\u{2B9}\u{60}\u{B4}\u{2032}"),
            ("-", "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{30FC}\u{FE58}"),
            (".", "\u{2024}\u{A4F8}\u{660}\u{6F0}"), ("_", "\u{2017}\u{FF3F}"), ("/", "\u{2044}\u{2215}"),
            ("@", "\u{FE6B}\u{FF20}"),
        ]
        var map: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (plain, letters) in table {
            for letter in letters.unicodeScalars { map[letter] = plain }
        }
        return map
    }()
}
