import Foundation

/// An address to which mail can go: `local@domain` as RFC 5321 has it, without quoting, comments or literals.
///
/// A domain in another script is kept as what it is on the wire, `xn--mnchen-3ya.de` for `münchen.de` (IDNA 2008 by UTS
/// 46). What stands before the `@` may be in any script too (RFC 6531), but goes to servers alone that speak SMTPUTF8.
/// Whatever is made here stands in a header or behind `RCPT TO` as it is: nothing in it can end a line or begin another
/// recipient.
package struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// What stands behind the `@`.
    package var domain: Substring { description[description.index(after: at)...] }

    private var at: String.Index { description.lastIndex(of: "@") ?? description.startIndex }

    /// - Returns: nil for a text that is not such an address.
    package init?(_ text: String) {
        guard text.utf8.count <= 1_000, let text = Self.ascii(text), text.utf8.count <= 254,
            let at = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        else { return nil }
        let local = text.utf8[..<at]
        let domain = text.utf8[text.utf8.index(after: at)...]
        guard local.count <= 64, Self.isDotted(local, by: { Self.isAtom($0) || $0 >= 0x80 }),
            text.unicodeScalars.allSatisfy(Self.isVisible), domain.count <= 253,
            Self.isDotted(domain, by: { Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        let labels = domain.split(separator: UInt8(ascii: "."))
        guard labels.allSatisfy({ $0.count <= 63 && $0.first != UInt8(ascii: "-") && $0.last != UInt8(ascii: "-") })
        else { return nil }
        description = text
    }

    /// Why a text cannot become an address of a person; nil where it can. Addresses that were kept before are not
    /// looked at again.
    package static func problem(of text: String) -> String? {
        EmailAddress(text) == nil
            ? "The e-mail address must look like ada@example.org: a name without spaces, '@', and a domain."
            : nil
    }

    /// Whether there is more than ASCII before the `@`.
    package var isInternational: Bool { !description.utf8.allSatisfy { $0 < 0x80 } }

    /// The address with its domain in ASCII; nil where that has no such form.
    private static func ascii(_ text: String) -> String? {
        // One form for each letter, as RFC 6532 asks for.
        let text = text.precomposedStringWithCanonicalMapping
        guard let at = text.lastIndex(of: "@") else { return nil }
        let domain = text[text.index(after: at)...]
        if domain.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        // Nothing that could end a host within a URL.
        guard domain.utf8.allSatisfy({ $0 >= 0x80 || isLetterOrDigit($0) || $0 == 0x2D || $0 == 0x2E }),
            let host = URL(string: "http://\(domain)/")?.host, host.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return text[...at] + host
    }

    /// Parts that are not empty, with dots between them.
    private static func isDotted(_ text: Substring.UTF8View.SubSequence, by isPart: (UInt8) -> Bool) -> Bool {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(isPart) }
    }

    /// Whether a reader of the address sees the character: no control, no mark of direction, no blank of another
    /// script.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// `atext` of RFC 5322, section 3.2.3.
    package static func isAtom(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
}
