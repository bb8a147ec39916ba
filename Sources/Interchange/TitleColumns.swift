import Circulation
import Desk
import TextFormats

/// A title as exports write it.
enum TitleColumns {
    static let header = earlierHeader + ["series", "series_number"]

    /// Before titles had a series.
    static let earlierHeader = [
        "isbn", "title", "authors", "publisher", "year", "language", "genres", "subjects", "courses", "college",
        "edition", "description", "cover_url", "preview_url", "stars", "recommended", "id",
    ]

    static func fields(_ title: Title) -> [String] {
        [
            title.isbn?.digits13 ?? "", title.title, ListText.joined(title.authors), title.publisher ?? "",
            title.year.map(String.init) ?? "", title.language ?? "", ListText.joined(title.genres),
            ListText.joined(title.subjects), ListText.joined(title.courses.map(\.code)),
            title.college ?? "", title.edition ?? "", title.description ?? "", title.coverURL ?? "",
            title.previewURL ?? "", title.stars.map(String.init) ?? "", title.recommended ? "true" : "",
            String(title.id), title.series ?? "", title.seriesNumber ?? "",
        ]
    }

    /// How a record names its title: by ISBN, or by the id and the words of one that has none.
    static func name(_ title: Title?, in object: inout JSONObject) {
        guard let title else { return }
        if let isbn = title.isbn {
            object["isbn"] = .string(isbn.digits13)
            return
        }
        object["title_id"] = .integer(title.id)
        object["title"] = .string(title.title)
        object["authors"] = .array(title.authors.map { .string($0) })
        object["year"] = title.year.map { .integer($0) }
    }

    static func course(_ course: Course) -> JSON {
        guard let name = course.name else { return .string(course.code) }
        return ["code": .string(course.code), "name": .string(name)]
    }
}

/// A loan as exports write it: by the keys that another store knows, never by ids.
struct LoanColumns {
    let session: DeskSession

    static let header = [
        "key", "isbn", "title", "authors", "barcode", "username", "category", "branch", "item_type", "lent_at",
        "due_on", "returned_at", "renewals", "lost_at", "claimed_at", "title_id", "year",
    ]
}

extension LoanColumns {
    private struct Names {
        var title: Title?
        var barcode: String?
        var username: String?
    }

    private func names(_ loan: Loan) throws -> Names {
        Names(
            title: try loan.title.flatMap { try session.catalogue.get(.id($0)) },
            barcode: try loan.copy.flatMap { try session.catalogue.copy(id: $0)?.barcode },
            username: try loan.patron.flatMap { try session.patrons.get(.id($0))?.username })
    }

    func fields(_ loan: Loan) throws -> [String] {
        let names = try names(loan)
        return [
            loan.exportKey, names.title?.isbn?.digits13 ?? "", names.title?.title ?? "",
            ListText.joined(names.title?.authors ?? []), names.barcode ?? "", names.username ?? "",
            loan.category ?? "", loan.branch ?? "", loan.itemType ?? "", loan.lentAt.description,
            loan.due?.date.description ?? "", loan.returnedAt?.description ?? "", String(loan.renewals),
            loan.lostAt?.description ?? "", loan.claimedAt?.description ?? "",
            names.title.map { String($0.id) } ?? "", names.title?.year.map(String.init) ?? "",
        ]
    }
}
