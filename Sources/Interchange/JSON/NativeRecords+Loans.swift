import Circulation
import TextFormats

extension NativeRecords {
    static func loan(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: [
            "id", "key", "isbn", "title_id", "title", "authors", "year", "barcode", "username", "category",
            "home_branch", "branch", "item_type", "lent_on", "lent_at", "due_on", "due_at", "due_exact",
            "original_due_at", "returned_on", "returned_at", "renewals", "lost_at", "claimed_at", "unseen_renewals",
            "renewed", "renewed_at", "recalled_at", "on_site", "channel", "policy",
        ])
        let lentAt = reader.instant("lent_at")
        let lentOn = reader.date("lent_on")
        let due = reader.date("due_on")
        let returnedOn = reader.date("returned_on")
        let returnedAt = reader.instant("returned_at")
        let lostAt = reader.instant("lost_at")
        let claimedAt = reader.instant("claimed_at")
        let work = work(&reader)
        let renewed = reader.instants("renewed")
        let details = details(&reader, lentAt: lentAt, dueOn: due)
        guard let day = lentOn ?? lentAt.map({ Zone.utc.local(of: $0).date }), !reader.isRejected else {
            if !reader.isRejected { reader.reject("lent_on", "missing", "a loan needs the date it was made") }
            return []
        }
        let loan = ImportedLoan(
            work: work, barcode: reader.text("barcode"), username: reader.text("username"),
            category: reader.text("category"), branch: reader.text("branch"), itemType: reader.text("item_type"),
            lentOn: day, dueOn: due, returnedOn: returnedOn,
            renewals: reader.integer("renewals") ?? Int64(renewed.count),
            lentAt: lentAt, returnedAt: returnedAt, lostAt: lostAt, claimedAt: claimedAt,
            content: JSON.object(reader.object).text(), key: reader.text("key"), details: details,
            renewed: renewed)
        return reader.isRejected ? [] : [.loan(loan)]
    }

    /// The title that a record is about: by ISBN, by its id in the same file, or by its words.
    static func work(_ reader: inout MemberReader) -> ImportedLoan.Work? {
        let isbn = reader.isbn("isbn")
        let name = reader.text("title")
        let authors = reader.texts("authors")
        let year = reader.integer("year")
        let id = reader.integer("title_id")
        if let isbn { return .isbn(isbn) }
        guard let name else { return nil }
        return .title(Title(id: id ?? 0, title: name, authors: authors, year: year))
    }

    /// What only exports tell of a loan.
    private static func details(_ reader: inout MemberReader, lentAt: Instant?, dueOn: CivilDate?) -> Loan {
        var loan = Loan(id: reader.integer("id") ?? 0, lentAt: lentAt ?? Instant(microseconds: 0))
        loan.homeBranch = reader.text("home_branch")
        if let at = reader.instant("due_at") {
            let date = dueOn ?? Zone.utc.date(of: at)
            loan.due = DueTime(instant: at, date: date, isExact: reader.boolean("due_exact") ?? false)
        }
        loan.originalDueAt = reader.instant("original_due_at")
        loan.unseenRenewals = reader.integer("unseen_renewals") ?? 0
        loan.renewedAt = reader.instant("renewed_at")
        loan.recalledAt = reader.instant("recalled_at")
        loan.onSite = reader.boolean("on_site") ?? false
        loan.channel = reader.choice("channel")
        loan.policy = reader.text("policy")
        return loan
    }
}
