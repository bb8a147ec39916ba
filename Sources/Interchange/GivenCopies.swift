import Circulation
import Desk

/// Copies that a title of a file counts as out, without saying with whom.
struct GivenCopies {
    let line: Int
    let title: Int64
    let count: Int

    /// How many barcodes are named.
    private static let shownBarcodes = 3

    /// What is to be said of them once all files have been read: those that no loan took.
    func problem(in file: String, _ session: DeskSession) throws -> ImportProblem? {
        let left = try session.catalogue.copies(of: .id(title)).filter { copy in
            try copy.status == .lost && session.loans.get(.barcode(copy.barcode)) == nil
        }.prefix(count)
        guard !left.isEmpty else { return nil }
        let shown = left.prefix(Self.shownBarcodes).map(\.barcode).joined(separator: ", ")
        let more = left.count > Self.shownBarcodes ? ", …" : ""
        let what = left.count == 1 ? "it is kept as lost and not" : "they are kept as lost and none is"
        return ImportProblem(
            file: file, line: line, field: "given_copies", code: "given_without_loan", severity: .warning,
            message:
                "\(left.count) of \(count) given without a loan: nobody knows who has which, so \(what) on offer (\(shown)\(more)); check in what is at hand, or import the loans that take them"
        )
    }
}
