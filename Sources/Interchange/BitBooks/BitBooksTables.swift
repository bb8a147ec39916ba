import Circulation
import Desk
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
        password(&reader, of: username)
        // Of the rest its server knows nothing: it stays as it is.
        return reader.isRejected ? [] : [.patron(patron, says: [.name, .surname])]
    }

    /// To the letter: blanks around a password are part of it.
    private static func password(_ reader: inout MemberReader, of username: String) {
        let way = PasswordWords.way(username)
        guard let value = reader.value("password"), value.stringValue != "" else {
            reader.warn("password", "no_password", "there is none: the account comes without, and \(way)")
            return
        }
        guard let text = value.stringValue else {
            reader.warn("password", "bad_password", "it is no text: the account comes without, and \(way)")
            return
        }
        if text != BitBooksShape.withheldPassword { reader.password = PlainPassword(text) }
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
        return [.title(ImportedTitle(title: title, copies: Int(available + lent), given: Int(lent)))]
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
                    content: "\(username)\u{1F}\(isbn.digits13)\u{1F}\(lent)", isOfBitBooks: true))
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
