import Circulation
import Desk
import TextFormats

extension Exporter {
    /// The headers of all tables written here: a file that begins so is read to the letter.
    static let headers: Set<[String]> = [TitleColumns.header, copyHeader, patronHeader, LoanColumns.header]

    private static let copyHeader = [
        "barcode", "isbn", "title", "branch", "item_type", "status", "replacement_price", "authors", "year", "title_id",
    ]

    private static let patronHeader = [
        "username", "name", "surname", "email", "phone", "category", "home_branch", "language", "birth_date",
        "expires_on", "role",
    ]

    func titleTable() throws {
        var writer = CSVWriter()
        writer.record(TitleColumns.header)
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            writer.record(TitleColumns.fields(title))
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    func copyTable() throws {
        var writer = CSVWriter()
        writer.record(Self.copyHeader)
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            for copy in try session.catalogue.copies(of: .id(title.id)) {
                writer.record([
                    copy.barcode, title.isbn?.digits13 ?? "", title.title, copy.branch, copy.itemType,
                    copy.status.rawValue, copy.replacementPrice?.description ?? "", ListText.joined(title.authors),
                    title.year.map(String.init) ?? "", String(title.id),
                ])
            }
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    func patronTable() throws {
        var writer = CSVWriter()
        writer.record(Self.patronHeader)
        try session.patrons.each { patron in
            writer.record([
                patron.username, patron.name, patron.surname, patron.email ?? "", patron.phone ?? "", patron.category,
                patron.homeBranch, patron.language ?? "", patron.birthDate?.description ?? "",
                patron.expiresOn?.description ?? "", patron.role.rawValue,
            ])
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    func loanTable() throws {
        let columns = LoanColumns(session: session)
        var writer = CSVWriter()
        writer.record(LoanColumns.header)
        try session.loans.each(LoanQuery()) { loan in
            writer.record(try columns.fields(loan))
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    /// Hands the text on before it grows large.
    private func flush(_ writer: inout CSVWriter) throws {
        guard writer.bytes.count > 1 << 16 else { return }
        try write(writer.take())
    }
}
