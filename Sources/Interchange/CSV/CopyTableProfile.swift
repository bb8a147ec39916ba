import Circulation
import TextFormats

/// A table of copies of titles that are in the catalogue already, by ISBN; what `export --format csv` writes also tells
/// enough of titles that are not there.
struct CopyTableProfile: TableProfile {
    static let name = "copies"
    static let amounts = ["replacement_price"]
    static let dates = ["acquired_on"]

    /// The columns that it reads.
    static let columns = [
        "barcode", "isbn", "branch", "item_type", "status", "replacement_price", "location", "acquired_on",
    ]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.has("barcode", "isbn") && !header.hasAny(["lent_on", "lent_at"])
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard let barcode = row.text("barcode") else {
            row.reject("barcode", "missing", "a barcode is required")
            return []
        }
        let isbn = row.isbn(["isbn"])
        let title = row.isExact ? row.title(isbn) : nil
        if isbn == nil && title == nil && !row.isRejected {
            row.reject("isbn", "missing", "the ISBN of the title is required")
        }
        var status: CopyStatus?
        if let text = row.text("status") {
            status = CopyStatus(rawValue: text)
            if status == nil {
                let words = CopyStatus.allCases.map(\.rawValue).joined(separator: ", ")
                row.reject("status", "bad_value", "'\(text)' is not a status; expected one of \(words)")
            }
        }
        let price = row.amount("replacement_price")
        let acquiredOn = row.date("acquired_on")
        guard !row.isRejected else { return [] }
        var copy = ImportedCopy(
            barcode: barcode, isbn: isbn, branch: row.text("branch"), itemType: row.text("item_type"), status: status,
            replacementPrice: price)
        copy.location = row.text("location")
        copy.acquiredOn = acquiredOn
        copy.title = title
        copy.extra = row.own(.copy)
        return [.copy(copy)]
    }
}
