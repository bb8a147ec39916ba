import Circulation
import Desk
import TextFormats

/// A title as exports write it.
enum TitleColumns {
    static let header = [
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
            String(title.id),
        ]
    }

    static func json(_ title: Title) -> JSONObject {
        var object = JSONObject()
        object["isbn"] = title.isbn.map { .string($0.digits13) }
        object["title"] = .string(title.title)
        object["authors"] = texts(title.authors)
        object["publisher"] = title.publisher.map { .string($0) }
        object["year"] = title.year.map { .integer($0) }
        object["language"] = title.language.map { .string($0) }
        object["genres"] = texts(title.genres)
        object["subjects"] = texts(title.subjects)
        object["courses"] = title.courses.isEmpty ? nil : .array(title.courses.map(course))
        object["college"] = title.college.map { .string($0) }
        object["edition"] = title.edition.map { .string($0) }
        object["description"] = title.description.map { .string($0) }
        object["cover_url"] = title.coverURL.map { .string($0) }
        object["preview_url"] = title.previewURL.map { .string($0) }
        object["stars"] = title.stars.map { .integer($0) }
        if title.recommended { object["recommended"] = true }
        if !title.extra.isEmpty { object["extra"] = .object(title.extra) }
        return object
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

    private static func texts(_ texts: [String]) -> JSON? {
        texts.isEmpty ? nil : .array(texts.map { .string($0) })
    }

    private static func course(_ course: Course) -> JSON {
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

    init(session: DeskSession) {
        self.session = session
    }
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

    func json(_ loan: Loan) throws -> JSONObject {
        let names = try names(loan)
        var object: JSONObject = ["id": .integer(loan.id), "key": .string(loan.exportKey)]
        TitleColumns.name(names.title, in: &object)
        object["barcode"] = names.barcode.map { .string($0) }
        object["username"] = names.username.map { .string($0) }
        object["category"] = loan.category.map { .string($0) }
        object["home_branch"] = loan.homeBranch.map { .string($0) }
        object["branch"] = loan.branch.map { .string($0) }
        object["item_type"] = loan.itemType.map { .string($0) }
        object["lent_at"] = .string(loan.lentAt.description)
        object["due_on"] = loan.due.map { .string($0.date.description) }
        object["due_at"] = loan.due.map { .string($0.instant.description) }
        if loan.due?.isExact == true { object["due_exact"] = true }
        if loan.originalDueAt != loan.due?.instant {
            object["original_due_at"] = loan.originalDueAt.map { .string($0.description) }
        }
        object["returned_at"] = loan.returnedAt.map { .string($0.description) }
        if loan.renewals > 0 { object["renewals"] = .integer(loan.renewals) }
        object["lost_at"] = loan.lostAt.map { .string($0.description) }
        object["claimed_at"] = loan.claimedAt.map { .string($0.description) }
        if loan.unseenRenewals > 0 { object["unseen_renewals"] = .integer(loan.unseenRenewals) }
        if loan.renewals > 0 {
            let renewed = try session.exports.renewals(of: loan.id)
            if !renewed.isEmpty { object["renewed"] = .array(renewed.map { .string($0.description) }) }
        }
        object["renewed_at"] = loan.renewedAt.map { .string($0.description) }
        object["recalled_at"] = loan.recalledAt.map { .string($0.description) }
        if loan.onSite { object["on_site"] = true }
        object["channel"] = loan.channel.map { .string($0.rawValue) }
        object["policy"] = loan.policy.map { .string($0) }
        return object
    }
}
