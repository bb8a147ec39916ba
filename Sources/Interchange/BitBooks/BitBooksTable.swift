/// A table of a BitBooks server, a file of its folder `Data`.
package enum BitBooksTable: String, Hashable, Sendable, CaseIterable {
    case users, books, loans, notifications

    /// `users.json`
    package var fileName: String { "\(rawValue).json" }
}
