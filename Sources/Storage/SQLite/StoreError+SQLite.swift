import GRDB
import GRDBSQLite

extension StoreError {
    /// The error of a call that gave `code`.
    ///
    /// The message is SQLite's own: it names tables and columns, never values.
    static func sqlite(_ code: Int32, _ message: String) -> StoreError {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED:
            StoreError(.locked, "the store is locked by another process; try again")
        case SQLITE_FULL:
            StoreError(.cannotWrite, "the disk is full")
        case SQLITE_READONLY:
            StoreError(.readOnly, "the store cannot be written: \(message)")
        case SQLITE_IOERR:
            StoreError(.cannotWrite, "the disk fails: \(message)")
        case SQLITE_CORRUPT:
            StoreError(.corrupt, "the store is damaged: \(message)")
        case SQLITE_NOTADB:
            StoreError(.notAStore, "the file is not a store of Moonshelf: \(message)")
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            StoreError(.cannotOpen, "the store cannot be opened: \(message)")
        case SQLITE_CONSTRAINT:
            StoreError(.constraint, message)
        case SQLITE_TOOBIG:
            StoreError(.constraint, "a text is longer than a store can hold")
        default:
            StoreError(.fault, "SQLite says: \(message) (\(code))")
        }
    }

    /// The error of the last call on `connection`.
    static func sqlite(_ code: Int32, on connection: OpaquePointer?) -> StoreError {
        sqlite(code, connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "unknown error")
    }

    /// What GRDB threw, as our own; errors of others pass.
    static func translated(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return sqlite(error.extendedResultCode.rawValue, error.message ?? "unknown error")
    }
}
