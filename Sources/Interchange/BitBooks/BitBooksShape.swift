package import Circulation
package import Desk
package import TextFormats

/// Records as the tables of a BitBooks server have them, and its clients read them: flat objects, their members in its
/// order, dates as `DD-MM-YYYY`, and an empty text where nothing is known, since its clients expect every member.
package enum BitBooksShape {
    /// What its server says for a book that left the catalogue.
    package static let unknownTitle = "Unknown Title"

    /// What stands in place of a password: none is kept that could be told, and no client can send a blank.
    static let withheldPassword = "not exported"

    private static let titlePrefix = "title:"

    /// `24-12-2026`
    package static func date(_ date: CivilDate) -> String {
        let (year, month, day) = (String(date.year), String(date.month), String(date.day))
        return [(day, 2), (month, 2), (year, 4)].map { text, width in
            String(repeating: "0", count: max(0, width - text.count)) + text
        }.joined(separator: "-")
    }

    /// What a client borrows a title by: its ISBN, or `title:17` where it has none.
    package static func name(of title: Title) -> String { title.isbn?.digits13 ?? "\(titlePrefix)\(title.id)" }

    /// The title that such a name means; one that cannot be a name means a title that there is not.
    package static func key(_ name: String) -> TitleKey {
        if name.hasPrefix(titlePrefix), let id = Int64(name.dropFirst(titlePrefix.count)) { return .id(id) }
        return (try? ISBN(name)).map { .isbn($0) } ?? .id(0)
    }

    package static func user(_ patron: Patron) -> JSON {
        [
            "name": .string(patron.name), "surname": .string(patron.surname), "username": .string(patron.username),
            "password": .string(withheldPassword),
        ]
    }

    /// A lost copy is given: who had it last has it still, or nobody knows.
    ///
    /// - Parameter name: nil: the ISBN alone, empty where there is none.
    package static func book(_ title: Title, _ counts: CopyCounts, name: String? = nil) -> JSON {
        [
            "title": .string(title.title), "ISBN": .string(name ?? title.isbn?.digits13 ?? ""),
            "author": .string(title.authors.joined(separator: ", ")),
            "genre": .string(title.genres.joined(separator: ", ")),
            "copies": .integer(counts.available),
            "given_copies": .integer(counts.copies - counts.available + counts.lost),
            "cover": .string(title.coverURL ?? ""),
        ]
    }

    package static func loan(_ loan: Loan, of username: String, isbn: String, zone: Zone) -> JSONObject {
        [
            "username": .string(username), "isbn": .string(isbn),
            "loan_date": .string(date(zone.date(of: loan.lentAt))),
            "return_date": .string(loan.due.map { date($0.isExact ? zone.date(of: $0.instant) : $0.date) } ?? ""),
        ]
    }

    package static func notification(to username: String, isbn: String, message: String, isRead: Bool) -> JSON {
        [
            "username": .string(username), "isbn": .string(isbn), "message": .string(message),
            "notified": .bool(isRead),
        ]
    }

    /// The ISBN of a message that came with such a table; nil for every other message.
    package static func isbn(ofImported notice: Notice) -> ISBN? {
        guard notice.subjectKey.contains(ImportedNotice.keyPrefix) else { return nil }
        return notice.subjectKey.split(separator: ":").last.flatMap { try? ISBN($0) }
    }
}
