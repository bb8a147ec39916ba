package import Circulation

/// Somebody who knows books, asked over a network.
package protocol BookDataSource: Sendable {
    /// For how many days an answer counts; that nobody knows a book is one.
    var days: Int64 { get }

    /// What is known of a book; empty: nothing. Takes its time, so that nothing may be locked meanwhile.
    ///
    /// - Throws: ``BookDataFailure``.
    func find(_ isbn: ISBN) throws(BookDataFailure) -> BookData
}

/// Why nobody could be asked.
package struct BookDataFailure: Error, Hashable, Sendable {
    /// A sentence for whoever asked.
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
