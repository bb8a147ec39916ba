package import Circulation

/// A service for book data, asked over a network.
package protocol BookDataSource: Sendable {
    /// For how many days an answer counts, empty answers included.
    var days: Int64 { get }

    /// What is known of a book; empty: nothing. Takes its time, so that nothing may be locked meanwhile.
    ///
    /// - Throws: ``BookDataFailure``.
    func find(_ isbn: ISBN) throws(BookDataFailure) -> BookData

    /// The file of a cover, to be kept; nil where covers are not kept or this one cannot be had.
    ///
    /// - Parameter address: as an answer has it: anything may stand there.
    func cover(at address: String) -> [UInt8]?
}

extension BookDataSource {
    /// Covers are not kept.
    package func cover(at address: String) -> [UInt8]? { nil }
}

/// Why no service could be asked.
package struct BookDataFailure: Error, Hashable, Sendable {
    /// A sentence for the caller.
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
