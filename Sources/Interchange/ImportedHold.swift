package import Circulation

/// A hold as a file describes it.
package struct ImportedHold: Hashable, Sendable {
    package var work: ImportedLoan.Work?
    package var username: String?
    /// Of the one copy that will do.
    package var barcode: String?
    /// Of the copy that is set aside, or by which it was filled.
    package var heldBarcode: String?
    /// The key of the loan that filled it.
    package var loan: String?
    /// All that needs no looking up, with its key, and with the id that it had.
    package var hold: Hold
}
