import Circulation
import Desk
import TextFormats

extension Exporter {
    /// The headers of all tables written here: a file that begins so is read to the letter.
    private static let headers: [(columns: [String], owner: CustomField.Owner?)] = [
        (TitleColumns.header, .title), (TitleColumns.earlierHeader, .title), (copyHeader, .copy),
        (earlierCopyHeader, .copy), (patronHeader, .patron), (earlierPatronHeader, .patron),
        (firstPatronHeader, .patron), (LoanColumns.header, nil),
    ]

    /// Whether it is the header of a table written here, with any columns for the library's own fields.
    static func isOurs(_ header: [String], _ fields: CustomFields) -> Bool {
        headers.contains { columns, owner in
            let own = owner.map { fields[$0].map(\.name) } ?? []
            return header.starts(with: columns) && header.dropFirst(columns.count).allSatisfy(own.contains)
        }
    }

    /// The columns of the library's own fields.
    private func own(_ owner: CustomField.Owner) throws -> [String] {
        try session.settings.customFields()[owner].map(\.name)
    }

    private static let copyHeader = locatedCopyHeader + ["call_number"]

    /// Before copies had a call number.
    private static let locatedCopyHeader = earlierCopyHeader + ["location", "acquired_on"]

    /// Before copies had a location.
    private static let earlierCopyHeader = [
        "barcode", "isbn", "title", "branch", "item_type", "status", "replacement_price", "authors", "year", "title_id",
    ]

    private static let patronHeader = earlierPatronHeader + ["guardians"]

    /// Before it named guardians.
    private static let earlierPatronHeader = firstPatronHeader + ["display_name"]

    /// Before patrons had display names.
    private static let firstPatronHeader = [
        "username", "name", "surname", "email", "phone", "category", "home_branch", "language", "birth_date",
        "expires_on", "role",
    ]

    func titleTable() throws {
        var writer = CSVWriter()
        writer.record(TitleColumns.header + (try own(.title)))
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            writer.record(TitleColumns.fields(title) + (try session.cells(title.extra, .title)))
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    func copyTable() throws {
        var writer = CSVWriter()
        writer.record(Self.copyHeader + (try own(.copy)))
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            for copy in try session.catalogue.copies(of: .id(title.id)) {
                let cells = [
                    copy.barcode, title.isbn?.digits13 ?? "", title.title, copy.branch, copy.itemType,
                    copy.status.rawValue, copy.replacementPrice?.description ?? "", ListText.joined(title.authors),
                    title.year.map(String.init) ?? "", String(title.id), copy.location ?? "",
                    copy.acquiredOn?.description ?? "", copy.callNumber ?? "",
                ]
                writer.record(cells + (try session.cells(copy.extra, .copy)))
            }
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    func patronTable() throws {
        var writer = CSVWriter()
        writer.record(Self.patronHeader + (try own(.patron)))
        try session.patrons.each { patron in
            let cells = [
                patron.username, patron.name, patron.surname, patron.email ?? "", patron.phone ?? "", patron.category,
                patron.homeBranch, patron.language ?? "", patron.birthDate?.description ?? "",
                patron.expiresOn?.description ?? "", patron.role.rawValue,
                patron.displayName ?? "", ListText.joined(try session.patrons.guardians(of: patron.id)),
            ]
            writer.record(cells + (try session.cells(patron.extra, .patron)))
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
