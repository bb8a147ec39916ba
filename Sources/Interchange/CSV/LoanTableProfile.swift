import Circulation
import TextFormats

/// A table of loans, past or open, one row each.
struct LoanTableProfile: TableProfile {
    static let name = "loans"
    static let dates = ["lent_on", "due_on", "returned_on"]

    /// The columns that it reads.
    static let columns = [
        "key", "isbn", "title", "authors", "author", "barcode", "username", "category", "branch", "item_type",
        "lent_on", "lent_at", "due_on", "returned_on", "returned_at", "renewals", "lost_at", "claimed_at",
    ]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.hasAny(["lent_on", "lent_at"]) && header.hasAny(["isbn", "barcode", "title"])
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        let isbn = row.isbn(["isbn"])
        let barcode = row.identifier("barcode")
        let username = row.identifier("username")
        let lentAt = row.instant("lent_at")
        let returnedAt = row.instant("returned_at")
        let lostAt = row.instant("lost_at")
        let claimedAt = row.instant("claimed_at")
        let renewals = row.integer("renewals") ?? 0
        let lent = row.date("lent_on") ?? lentAt.map { Zone.utc.local(of: $0).date }
        let due = row.date("due_on")
        let returned = row.date("returned_on")
        if lent == nil && !row.isRejected { row.reject("lent_on", "missing", "a loan needs the date it was made") }
        let work: ImportedLoan.Work? =
            isbn.map { .isbn($0) }
            ?? row.title(nil).map { .title($0) }
        // Of a loan whose title was removed, an export still tells that it was.
        let isTold = row.isExact && row.text("key") != nil
        if work == nil && barcode == nil && !isTold && !row.isRejected {
            row.reject(nil, "missing", "a loan needs an ISBN, a barcode or a title")
        }
        guard let lent, !row.isRejected else { return [] }
        if let returned, returned < lent {
            row.warn("returned_on", "impossible_date", "returned on \(returned), before it was lent on \(lent); kept")
        }
        return [
            .loan(
                ImportedLoan(
                    work: work, barcode: barcode, username: username,
                    category: row.text("category"), branch: row.text("branch"), itemType: row.text("item_type"),
                    lentOn: lent, dueOn: due, returnedOn: returned, renewals: renewals, lentAt: lentAt,
                    returnedAt: returnedAt, lostAt: lostAt, claimedAt: claimedAt,
                    content: row.content, key: row.text("key")))
        ]
    }
}
