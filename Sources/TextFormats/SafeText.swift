/// Data made fit for an output that people read: no control, escape or bidirectional-override character is left.
///
/// Removed are the controls C0 and C1, the marks, embeddings, overrides and isolates of bidirectional text, and the line and
/// paragraph separators of Unicode, by which data could pretend to be output of the program (Trojan Source,
/// CVE-2021-42574).
package enum SafeText {
    /// The text on one line, without what could steer a terminal or disguise a line of a log: control and escape
    /// characters, bidirectional overrides, invisible tags. Line ends, line separators and tabs become a space.
    package static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where previous == "\r": break
            case 0x09...0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
            case 0..<0x20, 0x7F..<0xA0: break
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: break
            case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: break
            default: scalars.append(scalar)
            }
            previous = scalar
        }
        return String(scalars)
    }

    /// The text with its line ends, written as line feeds.
    package static func lines(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { line(String($0)) }.joined(separator: "\n")
    }

    /// JSON text with the unsafe characters of its strings as `\u` escapes; it reads back as the same values.
    package static func escapedJSON(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: { isUnsafe($0) && $0 != "\n" }) else { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if isUnsafe(scalar) && scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                result.append(contentsOf: "\\u\(padded)".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
