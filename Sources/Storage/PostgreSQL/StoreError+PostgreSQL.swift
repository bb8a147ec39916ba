extension StoreError {
    /// The error of a statement that the server refused, by its SQLSTATE.
    ///
    /// The message names constraints, tables and columns; one that could quote a value is replaced.
    static func postgres(_ state: String, _ message: String) -> StoreError {
        if let known = exact(state, message) { return known }
        switch state.prefix(2) {
        case "08": return connectionLost(message)
        case "22": return StoreError(.fault, "PostgreSQL cannot take a value (\(state))")
        case "23": return StoreError(.constraint, message)
        case "40": return undoneByAnother
        case "42": return StoreError(.fault, "PostgreSQL says: \(message) (\(state))")
        case "53": return StoreError(.cannotWrite, "the server lacks means: \(message)")
        case "54": return StoreError(.constraint, "a text is longer than the database can hold")
        case "57": return connectionLost(message)
        case "58": return StoreError(.cannotWrite, "the server's disk fails: \(message)")
        case "XX": return StoreError(.corrupt, "the database is damaged: \(message)")
        default: return StoreError(.fault, "PostgreSQL says: \(message) (\(state))")
        }
    }

    private static func exact(_ state: String, _ message: String) -> StoreError? {
        switch state {
        case "22021", "22P05": StoreError(.constraint, "a text holds a character that the database cannot hold")
        // What is asked of a standby, and it cannot do: above all to begin a transaction that writes.
        case "0A000", "25001": StoreError(.readOnly, "the database does not allow it: \(message)")
        case "25006": StoreError(.readOnly, "the database cannot be written: \(message)")
        case "25P02": StoreError(.cannotWrite, "an earlier error ended the transaction; nothing of it was kept")
        case "25P03": connectionLost(message)
        case "42501": StoreError(.readOnly, "the database does not allow it: \(message)")
        case "53100": StoreError(.cannotWrite, "the server's disk is full")
        case "53300": StoreError(.locked, "the server has no connection left; try again")
        case "55P03": StoreError(.locked, "the store is locked by another process; try again")
        case "57014": StoreError(.locked, "the server broke a statement off: \(message)")
        default: nil
        }
    }

    /// The connection went away under a transaction, which the server undoes then.
    static func connectionLost(_ why: String) -> StoreError {
        StoreError(
            .unreachable,
            "the connection to the database was lost, and nothing of the change was kept"
                + (why.isEmpty ? "" : ": \(why)")
        )
    }

    /// A deadlock, or a failure of serialisation: nothing was kept, and the same may go well at once.
    static let undoneByAnother = StoreError(
        .locked, "the database undid the change because of another one; try again")

    /// The connection went away under a commit, and its outcome could not be found out afterwards.
    static let outcomeUnknown = StoreError(
        .unreachable,
        "the connection to the database was lost during the commit: whether the change was kept is not known, so look "
            + "before doing it again")

    static func unreachable(_ address: String, _ why: String) -> StoreError {
        StoreError(.unreachable, "\(address) does not answer: \(why)")
    }

    static let connectionsBusy = StoreError(.locked, "all connections to the database are in use; try again")
}

extension StoreError {
    /// Whether the database undid the change for the sake of another one, so that it may be made again at once.
    package var isUndoneByAnother: Bool { self == .undoneByAnother }

    /// Whether it is unknown if the change was kept. Every other error means that it was not.
    package var leavesOutcomeOpen: Bool { self == .outcomeUnknown }
}
