import Circulation
import TextFormats

/// Scans of the most borrowed items of Newcastle's libraries: one row for each time the system saw an item.
///
/// The rows do not tell an issue from a renewal, a discharge or a transit, so that they are no loans: titles and copies
/// are taken from them.
struct NewcastleItemsProfile: TableProfile {
    static let name = "newcastle"
    static let columns = ["isbn", "branch", "item", "author", "title", "stock area"]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.has("isbn", "rcn", "date", "issuedate", "branch", "item", "author", "title")
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard let name = row.text("title") else {
            row.reject("title", "missing", "a title is required")
            return []
        }
        guard let barcode = row.text("item") else {
            row.reject("item", "missing", "the number of the item is required")
            return []
        }
        var title = Title(title: name, authors: row.text("author").map { [$0] } ?? [])
        title.isbn = row.isbn(["isbn"])
        title.genres = row.text("stock area").map { [$0.lowercased()] } ?? []
        guard !row.isRejected else { return [] }
        let copy = ImportedCopy(barcode: barcode, branch: row.text("branch").map { "branch-\($0)" })
        return [.title(ImportedTitle(title: title, barcodes: [copy], mergesLists: true))]
    }
}
