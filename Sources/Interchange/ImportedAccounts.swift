package import Circulation

/// A block on a patron, as a file describes it.
package struct ImportedBlock: Hashable, Sendable {
    package var username: String
    package var block: PatronBlock
}

/// A link between patrons, as a file describes it.
package struct ImportedPatronLink: Hashable, Sendable {
    package var username: String
    /// The other's username.
    package var other: String
    /// All that needs no looking up, with the id that it had.
    package var link: PatronLink
}

/// Who answers for a patron, as the patron's own row says.
package struct ImportedGuardians: Hashable, Sendable {
    package var username: String
    /// The guardians' usernames.
    package var guardians: [String]
}

/// A guardian who comes later in the file than the patron.
struct WaitingGuardian {
    let patron: Int64
    let guardian: String
    let file: String
    let line: Int
}

/// A line of an account, as a file describes it.
package struct ImportedLedgerEntry: Hashable, Sendable {
    /// nil for a line of a patron who was removed.
    package var username: String?
    /// The key of the loan it is about.
    package var loan: String?
    /// All that needs no looking up, with the id that it had.
    package var entry: LedgerEntry
}

/// A message with all that became of it, as a file describes it.
package struct ImportedStoredNotice: Hashable, Sendable {
    package var username: String
    /// The key of the loan it is about.
    package var loan: String?
    /// All that needs no looking up, with the id that it had.
    package var notice: Notice
}

/// A use in the house, as a file describes it.
package struct ImportedInHouseUse: Hashable, Sendable {
    package var work: ImportedLoan.Work?
    package var barcode: String?
    /// All that needs no looking up, with the id that it had.
    package var use: InHouseUse
}

/// A policy that came into force, as a file describes it.
package struct ImportedActivation: Hashable, Sendable {
    package var activation: PolicyActivation
    /// nil where an earlier record of the file has them.
    package var files: [PolicyBundle.File]?
}
