/// A password as it was handed over, in plain text. It is held against the library's rule and hashed, and shows itself in no
/// description.
package struct PlainPassword: Sendable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension PlainPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a password" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PlainPassword {
    /// Why it is no password that somebody types; nil where it may be one.
    var fault: String? {
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "it has a character that cannot be typed"
        }
        return isHash ? "it looks like a hash of a password" : nil
    }

    /// What systems that keep no plain text have in its place: whoever can read it must not get in by it.
    private var isHash: Bool {
        let prefixes = [
            "$1$", "$2", "$5$", "$6$", "$7$", "$y$", "$argon2", "$pbkdf2", "$scrypt", "$P$", "$H$", "pbkdf2", "bcrypt",
            "scrypt", "argon2", "sha1$", "sha256$", "sha512$", "md5$",
        ]
        let lowered = text.lowercased()
        if lowered.utf8.count > 20, prefixes.contains(where: { lowered.hasPrefix($0.lowercased()) }) { return true }
        if lowered.hasPrefix("{"),
            ["ssha", "sha", "md5", "smd5", "crypt", "pbkdf2", "argon2"].contains(where: { lowered.hasPrefix("{\($0)") })
        {
            return true
        }
        return [32, 40, 56, 64, 96, 128].contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
