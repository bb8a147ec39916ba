import Circulation
import TextFormats

/// The checkouts of Reed College's library: each row is one loan, with the patron's category instead of the patron.
///
/// Repeated rows are repeated loans; a return before the loan is kept as it stands. Both are reported.
struct ReedLoansProfile: TableProfile {
    static let name = "reed"
    static let columns = ["Title", "Author", "PubDate", "Location", "Loaned", "Returned", "Patron"]
    static let dates = ["Loaned", "Returned"]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.has("Title", "Author", "PubDate", "Location", "Call_No", "Loaned", "Returned", "Patron")
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard let name = row.text("Title") else {
            row.reject("Title", "missing", "a title is required")
            return []
        }
        let lent = row.date("Loaned")
        let returned = row.date("Returned")
        guard !row.isRejected else { return [] }
        guard let lent else {
            row.reject("Loaned", "missing", "a loan needs the date it was made")
            return []
        }
        if let returned, returned < lent {
            row.warn("Returned", "impossible_date", "returned on \(returned), before it was lent on \(lent); kept")
        }
        var title = Title(title: name)
        title.authors = row.text("Author").map { [author($0)] } ?? []
        title.year = row.text("PubDate").flatMap(FieldText.year)
        return [
            .loan(
                ImportedLoan(
                    work: .title(title), category: row.text("Patron"), itemType: itemType(row.text("Location")),
                    lentOn: lent, returnedOn: returned, content: row.content))
        ]
    }

    /// `Hall, Catherine, 1946-` without the dates and the word `author`.
    private func author(_ text: String) -> String {
        let parts = text.split(separator: ",").compactMap { FieldText.nonBlank(String($0)) }
            .filter { part in !(part.first?.isNumber ?? false) && !part.lowercased().hasPrefix("author") }
        return parts.joined(separator: ", ")
    }

    private func itemType(_ location: String?) -> String? {
        location.flatMap { TextFolding.slug($0) }
    }
}
