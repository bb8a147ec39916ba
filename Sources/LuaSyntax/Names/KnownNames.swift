/// The globals a chunk may use, each with its members, such as `catalogue` with `get` and `search`.
package struct KnownNames: Hashable, Sendable {
    package var members: [String: KnownNames]
    /// Whether there may be members that are not listed.
    package var isOpen: Bool

    package init(_ members: [String: KnownNames] = [:], isOpen: Bool = false) {
        self.members = members
        self.isOpen = isOpen
    }

    /// Names of the form `days` and `catalogue.get`.
    package init(paths: some Sequence<String>) {
        self.init()
        for path in paths { insert(path.split(separator: ".").map(String.init)[...]) }
    }

    /// A name of which nothing more is known: a function, or a value.
    package static let leaf = KnownNames()

    private mutating func insert(_ path: ArraySlice<String>) {
        guard let first = path.first else { return }
        members[first, default: .leaf].insert(path.dropFirst())
    }
}
