import Circulation

/// Data made fit for an output that people read: no control, escape or bidirectional-override character is left.
///
/// Removed are the controls C0 and C1, the marks, embeddings, overrides and isolates of bidirectional text, and the line and
/// paragraph separators of Unicode, by which data could pretend to be output of the program (Trojan Source,
/// CVE-2021-42574).
package enum SafeText {
    /// The text on one line: line ends and tabs become blanks.
    package static func line(_ text: String) -> String {
        TextFolding.terminalSafe(text.contains("\r\n") ? text.replacing("\r\n", with: " ") : text)
    }

    /// The text with its line ends, written as line feeds.
    package static func lines(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { TextFolding.terminalSafe(String($0)) }.joined(separator: "\n")
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
