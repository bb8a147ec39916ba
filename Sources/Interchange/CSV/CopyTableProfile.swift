import Circulation
import TextFormats

/// A table of copies, a row for each, by the ISBN of their titles or by what it says of these. A title that the catalogue does not have is
/// added where the table has a column `title`; one that it has stays as it is.
struct CopyTableProfile: TableProfile {
    static let name = "copies"
    static let vital: [String: Set<String>] = ["loan": ["lent_at", "due_on", "returned_at"]]
    static let amounts = ["replacement_price"]
    static let dates = ["acquired_on"]

    /// The columns that it reads.
    static let columns = own + TitleTableProfile.columns.filter { !own.contains($0) && $0 != "copies" }

    /// What it says of copies.
    static let own = [
        "barcode", "isbn", "branch", "item_type", "status", "replacement_price", "location", "acquired_on",
        "call_number",
    ]

    static func recognises(_ header: CSVHeader) -> Bool {
        guard !header.hasAny(["lent_on", "lent_at"]) else { return false }
        // A title beside a barcode may also be what a patron is addressed by.
        return header.has("barcode", "isbn")
            || header.has("barcode", "title") && header.hasAny(["isbn13", "authors", "author"])
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard let barcode = row.identifier("barcode") else {
            if !row.isRejected { row.reject("barcode", "missing", "a barcode is required") }
            return []
        }
        let isbn = row.isbn(row.isExact ? ["isbn"] : ["isbn", "isbn13"])
        let title = row.isExact ? row.title(isbn) : TitleTableProfile().title(of: &row, isbn)
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
        copy.callNumber = row.text("call_number")
        copy.acquiredOn = acquiredOn
        copy.title = title
        copy.extra = row.own(.copy)
        return [.copy(copy)]
    }
}
