extension Patron {
    /// The name under which other patrons see a patron: the one that they chose, or else the username; of those who log in
    /// by an e-mail address a name that gives nothing away, such as `Reader 62`. Everything shown to others than staff names
    /// people by this alone.
    package var publicName: String {
        if let displayName { return displayName }
        return Username.isAddress(username) ? "\(Self.neutralName) \(id)" : username
    }

    private static let neutralName = "Reader"

    /// Whose name such a one is; nil for any other text.
    package static func id(ofNeutralName name: String) -> Int64? {
        let words = Username.folded(name).split(separator: " ")
        guard words.count == 2, words[0] == neutralName.lowercased() else { return nil }
        return Int64(words[1])
    }
}
