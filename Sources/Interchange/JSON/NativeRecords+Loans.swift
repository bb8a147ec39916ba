import Circulation
import TextFormats

extension NativeRecords {
    static func loan(_ reader: inout MemberReader) -> [ImportedRecord] {
        let loan = reader.record(ImportShapes.loan)
        let (lentOn, returnedOn) = (reader.date("lent_on"), reader.date("returned_on"))
        let work = work(&reader)
        let renewed = reader.instants("renewed")
        let (barcode, username, borrower) = (reader.text("barcode"), reader.text("username"), reader.text("borrower"))
        guard let loan, !reader.isRejected else { return [] }
        let (lentAt, dueOn) = (reader.instant("lent_at"), reader.date("due_on"))
        guard let day = lentOn ?? lentAt.map({ Zone.utc.local(of: $0).date }) else {
            reader.reject("lent_on", "missing", "a loan needs the date it was made")
            return []
        }
        return [
            .loan(
                ImportedLoan(
                    work: work, barcode: barcode, username: username, borrower: borrower, category: loan.category,
                    branch: loan.branch,
                    itemType: loan.itemType, lentOn: day, dueOn: dueOn, returnedOn: returnedOn,
                    renewals: reader.value("renewals") == nil ? Int64(renewed.count) : loan.renewals, lentAt: lentAt,
                    returnedAt: loan.returnedAt, lostAt: loan.lostAt, claimedAt: loan.claimedAt,
                    content: reader.text("content") ?? JSON.object(reader.object).text(), key: loan.importKey,
                    details: loan, renewed: renewed))
        ]
    }

    /// The title that a record is about: by ISBN, by its id in the same file, or by its words.
    static func work(_ reader: inout MemberReader) -> ImportedLoan.Work? {
        if let object = reader.value("title")?.objectValue {
            var part = reader.part(object, path: "title")
            let title = part.record(ExportedRecords.title, required: ["title"])
            reader.take(part.problems)
            return title.map { .whole($0) }
        }
        let isbn = reader.isbn("isbn")
        let name = reader.text("title")
        let authors = reader.texts("authors")
        let year = reader.integer("year")
        let id = reader.integer("title_id")
        if let isbn { return .isbn(isbn) }
        guard let name else { return nil }
        return .title(Title(id: id ?? 0, title: name, authors: authors, year: year))
    }
}
