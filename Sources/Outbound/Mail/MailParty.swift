package import Circulation

/// Who sends or gets a message: an address and the name before it.
package struct MailParty: Hashable, Sendable {
    package var name: String
    package var address: EmailAddress

    package init(name: String = "", address: EmailAddress) {
        self.name = name
        self.address = address
    }

    /// Reads `Name <address>`, `"Name" <address>` or an address alone.
    package init?(_ text: String) {
        let text = Self.trimmed(text[...])
        guard text.last == ">", let open = text.lastIndex(of: "<") else {
            guard let address = EmailAddress(String(text)) else { return nil }
            self.init(address: address)
            return
        }
        var name = Self.trimmed(text[..<open])
        if name.count >= 2, name.first == "\"", name.last == "\"" { name = name.dropFirst().dropLast() }
        guard let address = EmailAddress(String(text[text.index(after: open)...].dropLast())),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.init(name: String(name), address: address)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return text
    }
}
