/// What a key for a program lets its holder ask for: everything, or words that each name something.
///
/// `read` is whatever changes nothing; the name of a group of routes (`loans`) is all of that group, and with `:read` behind it
/// (`loans:read`) what changes nothing in it.
package struct AccessScope: Hashable, Sendable {
    package static let all = AccessScope(words: ["all"])

    package let words: [String]

    package init(words: [String]) { self.words = words }

    /// As a store keeps it.
    package init(kept text: String) { words = text.split(separator: " ").map(String.init) }

    /// As a store keeps it.
    package var text: String { words.joined(separator: " ") }

    /// Whether it lets ask for a route.
    ///
    /// - Parameters:
    ///   - group: the routes that it is one of; nil: it is none's, so that all or `read` alone let it.
    ///   - changes: whether it changes something.
    package func allows(_ group: String?, changes: Bool) -> Bool {
        words.contains { word in
            if word == "all" || word == "read" && !changes { return true }
            guard let group else { return false }
            return word == group || word == "\(group):read" && !changes
        }
    }
}
