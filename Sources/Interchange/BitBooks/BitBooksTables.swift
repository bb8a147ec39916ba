import Circulation
import TextFormats

/// The four tables of a BitBooks server: `users.json`, `books.json`, `loans.json`, `notifications.json`, each an array
/// of flat objects. Dates are `DD-MM-YYYY`; a member's name is compared without regard to case, as its server does.
enum BitBooksTables {
    /// The members by which each table is known, and what reads its records.
    private static let tables: [(members: [String], read: @Sendable (inout MemberReader) -> [ImportedRecord])] = [
        (["username", "password"], user), (["isbn", "copies", "given_copies"], book),
        (["username", "isbn", "loan_date"], loan), (["username", "isbn", "message", "notified"], notification),
    ]

    /// The record in one object, nil if it belongs to none of the tables.
    static func records(of reader: inout MemberReader) -> [ImportedRecord]? {
        let names = Set(reader.object.keys.map { $0.lowercased() })
        guard let table = tables.first(where: { names.isSuperset(of: $0.members) }) else { return nil }
        reader = lowercased(reader)
        return table.read(&reader)
    }

    private static func lowercased(_ reader: MemberReader) -> MemberReader {
        var object = JSONObject()
        for entry in reader.object {
            object[entry.key.lowercased()] = entry.value
        }
        return MemberReader(
            object: object, file: reader.file, line: reader.line, isExact: reader.isExact, currency: reader.currency,
            fields: reader.fields)
    }

    private static func user(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let username = reader.requiredText("username") else { return [] }
        let patron = Patron(
            username: username, name: reader.text("name") ?? "", surname: reader.text("surname") ?? "", category: "",
            homeBranch: "")
        if reader.value("password")?.stringValue != BitBooksShape.withheldPassword {
            reader.warn("password", "password_left_out", "passwords in plain text are not taken over")
        }
        return reader.isRejected ? [] : [.patron(patron)]
    }

    private static func book(_ reader: inout MemberReader) -> [ImportedRecord] {
        guard let name = reader.requiredText("title") else { return [] }
        var title = Title(title: name)
        title.isbn = reader.isbn("isbn")
        title.authors = reader.text("author").map { [$0] } ?? []
        title.genres = reader.text("genre").map { [$0] } ?? []
        title.coverURL = reader.text("cover")
        let available = reader.integer("copies") ?? 0
        let lent = reader.integer("given_copies") ?? 0
        guard !reader.isRejected else { return [] }
        guard (0...10_000).contains(available), (0...10_000).contains(lent) else {
            reader.reject("copies", "out_of_range", "\(available) copies and \(lent) lent; expected 0 to 10000 of each")
            return []
        }
        return [.title(ImportedTitle(title: title, copies: Int(available + lent)))]
    }

    /// An open loan: BitBooks knows no returns.
    private static func loan(_ reader: inout MemberReader) -> [ImportedRecord] {
        let username = reader.requiredText("username")
        let isbn = reader.isbn("isbn")
        let lent = reader.date("loan_date", order: .dmy)
        let due = reader.date("return_date", order: .dmy)
        guard let username, let isbn, let lent, !reader.isRejected else {
            if !reader.isRejected { reader.reject(nil, "missing", "a loan needs username, isbn and loan_date") }
            return []
        }
        return [
            .loan(
                ImportedLoan(
                    work: .isbn(isbn), username: username, lentOn: lent, dueOn: due,
                    content: "\(username)\u{1F}\(isbn.digits13)\u{1F}\(lent)"))
        ]
    }

    private static func notification(_ reader: inout MemberReader) -> [ImportedRecord] {
        let username = reader.requiredText("username")
        let isbn = reader.isbn("isbn")
        // Its server ends a message with a line feed.
        let message = reader.requiredText("message") == nil ? nil : reader.value("message")?.stringValue
        let isRead = reader.boolean("notified") ?? false
        guard let username, let isbn, let message, !reader.isRejected else { return [] }
        return [.notice(ImportedNotice(username: username, isbn: isbn, message: message, isRead: isRead))]
    }
}
