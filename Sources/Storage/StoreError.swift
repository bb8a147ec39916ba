/// Why a store could not do what was asked, for a person.
///
/// A message names files, tables and columns, never a value that stands in them and never a password.
package struct StoreError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The address names no kind of store that there is.
        case badLocation
        /// The file is something else: a text, a picture, another program's database.
        case notAStore
        /// The store was written by a newer version of the program.
        case newer
        /// The store must be migrated first, and this opening does not migrate.
        case older
        /// No store exists at that place, or it may not be read.
        case cannotOpen
        /// Another process holds the store longer than the time allowed; trying again may help.
        case locked
        /// The disk is full or refuses to be written.
        case cannotWrite
        /// The store, or this transaction, was opened for reading only.
        case readOnly
        /// The file is damaged, or holds what this program never writes.
        case corrupt
        /// The server of the store does not answer.
        case unreachable
        /// The store or the transaction has ended.
        case closed
        /// A transaction was begun inside another one of the same thread.
        case nested
        /// A unique key, a reference or a check of the schema forbids the change.
        case constraint
        /// A store that is to be filled holds something.
        case notEmpty
        /// The person at the keyboard, or the system, asked to stop.
        case interrupted
        /// A fault of the program.
        case fault
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String { message }
}

// All messages in one place, so that they keep one voice.
extension StoreError {
    static func badLocation(_ why: String) -> StoreError { StoreError(.badLocation, why) }

    static func notAStore(_ path: String, _ why: String) -> StoreError {
        StoreError(.notAStore, "\(path) is not a store of Moonshelf: \(why)")
    }

    static func newer(_ path: String, version: Int64, known: Int64) -> StoreError {
        StoreError(
            .newer,
            "\(path) has schema version \(version), and this program knows up to \(known): use a newer moonshelf")
    }

    static func older(_ path: String, version: Int64, needed: Int64) -> StoreError {
        StoreError(
            .older,
            "\(path) has schema version \(version), and this program needs \(needed): `moonshelf init` migrates it, "
                + "and a `moonshelf backup` made before keeps it as it is")
    }

    static func missing(_ path: String) -> StoreError {
        StoreError(.cannotOpen, "there is no store at \(path): `moonshelf init` makes one")
    }

    static func cannotWrite(_ path: String, _ why: String) -> StoreError {
        StoreError(.cannotWrite, "\(path) cannot be written: \(why)")
    }

    static let interrupted = StoreError(.interrupted, "interrupted: what was not finished was undone")

    static func notEmpty(_ location: StoreLocation) -> StoreError {
        StoreError(.notEmpty, "\(location) is not empty, and nothing in it was touched")
    }

    static func cannotOpen(_ path: String, _ why: String) -> StoreError {
        StoreError(.cannotOpen, "\(path) cannot be opened: \(why)")
    }

    static func corrupt(_ what: String) -> StoreError { StoreError(.corrupt, what) }

    static func fault(_ what: String) -> StoreError { StoreError(.fault, what) }

    static let storeClosed = StoreError(.closed, "the store is closed")

    static let transactionEnded = StoreError(.closed, "the transaction has ended; nothing of it can be used any more")

    static let transactionLost = StoreError(
        .cannotWrite, "the database rolled the whole transaction back, so nothing of it was kept")

    static let nested = StoreError(.nested, "a transaction is open already: transactions do not nest, savepoints do")

    static let openedReadOnly = StoreError(.readOnly, "the store was opened for reading only")
}
