package import Circulation

/// A block on a patron, as a file describes it.
package struct ImportedBlock: Hashable, Sendable {
    package var username: String
    package var block: PatronBlock

    package init(username: String, block: PatronBlock) {
        self.username = username
        self.block = block
    }
}

/// A line of an account, as a file describes it.
package struct ImportedLedgerEntry: Hashable, Sendable {
    /// nil for a line of a patron who was removed.
    package var username: String?
    /// The key of the loan it is about.
    package var loan: String?
    /// All that needs no looking up, with the id that it had.
    package var entry: LedgerEntry

    package init(username: String?, loan: String?, entry: LedgerEntry) {
        self.username = username
        self.loan = loan
        self.entry = entry
    }
}

/// A message with all that became of it, as a file describes it.
package struct ImportedStoredNotice: Hashable, Sendable {
    package var username: String
    /// The key of the loan it is about.
    package var loan: String?
    /// All that needs no looking up, with the id that it had.
    package var notice: Notice

    package init(username: String, loan: String?, notice: Notice) {
        self.username = username
        self.loan = loan
        self.notice = notice
    }
}

/// A use in the house, as a file describes it.
package struct ImportedInHouseUse: Hashable, Sendable {
    package var work: ImportedLoan.Work?
    package var barcode: String?
    /// All that needs no looking up, with the id that it had.
    package var use: InHouseUse

    package init(work: ImportedLoan.Work?, barcode: String?, use: InHouseUse) {
        self.work = work
        self.barcode = barcode
        self.use = use
    }
}

/// A policy that came into force, as a file describes it.
package struct ImportedActivation: Hashable, Sendable {
    package var activation: PolicyActivation
    /// nil where an earlier record of the file has them.
    package var files: [PolicyBundle.File]?

    package init(activation: PolicyActivation, files: [PolicyBundle.File]?) {
        self.activation = activation
        self.files = files
    }
}
