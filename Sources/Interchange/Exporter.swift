import Circulation
package import Desk
import TextFormats

/// Writes a library out, in the shapes that an import reads.
package struct Exporter {
    /// What to write.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case all, titles, copies, patrons, loans, holds
    }

    /// The version of the JSON lines written here.
    package static let version: Int64 = 1

    private let session: DeskSession
    private let write: ([UInt8]) throws -> Void

    /// - Parameter write: takes the text piece by piece.
    package init(session: DeskSession, write: @escaping ([UInt8]) throws -> Void) {
        self.session = session
        self.write = write
    }

    /// JSON Lines: a head, then one record a line, each under the name of its kind.
    package func json(_ kind: Kind) throws {
        try line(["moonshelf": ["version": .integer(Exporter.version)]])
        if kind == .all { try settings() }
        if kind == .all || kind == .titles || kind == .copies { try titles() }
        if kind == .all || kind == .patrons { try patrons() }
        if kind == .all || kind == .loans { try loans() }
        if kind == .all || kind == .holds { try holds() }
    }

    /// A table with a header, exact to the character.
    ///
    /// - Throws: ``ImportProblem`` for `all`, which is no one table, and for holds, which JSON alone holds.
    package func csv(_ kind: Kind) throws {
        switch kind {
        case .all, .holds:
            throw ImportProblem(
                file: "export", line: 0, code: "no_table", severity: .error,
                message: "CSV holds one table: titles, copies, patrons or loans")
        case .titles: try titleTable()
        case .copies: try copyTable()
        case .patrons: try patronTable()
        case .loans: try loanTable()
        }
    }

    private func line(_ json: JSON) throws {
        try write(Array((json.text() + "\n").utf8))
    }
}

// MARK: - JSON Lines

extension Exporter {
    private func settings() throws {
        let library = try session.settings.library()
        try line([
            "library": [
                "name": .string(library.name), "zone": .string(library.zone.identifier),
                "currency": .string(library.currency.code),
            ]
        ])
        for category in try session.settings.categories() {
            try line(["category": ["code": .string(category.code), "name": .string(category.name)]])
        }
        for type in try session.settings.itemTypes() {
            var object: JSONObject = ["code": .string(type.code), "name": .string(type.name)]
            object["parent"] = type.parent.map { .string($0) }
            try line(["item_type": .object(object)])
        }
        for branch in try session.settings.branches() {
            var object: JSONObject = ["code": .string(branch.code), "name": .string(branch.name)]
            object["zone"] = branch.zone.map { .string($0.identifier) }
            object["calendar"] = branch.calendar.json
            try line(["branch": .object(object)])
        }
    }

    private func titles() throws {
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            var object = TitleColumns.json(title)
            let copies = try session.catalogue.copies(of: .id(title.id))
            if !copies.isEmpty { object["copies"] = .array(copies.map(Exporter.json)) }
            try line(["title": .object(object)])
            return true
        }
    }

    private static func json(_ copy: Copy) -> JSON {
        var object: JSONObject = [
            "barcode": .string(copy.barcode), "branch": .string(copy.branch), "item_type": .string(copy.itemType),
        ]
        if copy.status != .available && copy.status != .onLoan { object["status"] = .string(copy.status.rawValue) }
        object["replacement_price"] = copy.replacementPrice.map { .string($0.description) }
        return .object(object)
    }

    private func patrons() throws {
        try session.patrons.each { patron in
            var object: JSONObject = [
                "username": .string(patron.username), "name": .string(patron.name), "surname": .string(patron.surname),
            ]
            object["email"] = patron.email.map { .string($0) }
            object["phone"] = patron.phone.map { .string($0) }
            object["category"] = .string(patron.category)
            object["home_branch"] = .string(patron.homeBranch)
            object["language"] = patron.language.map { .string($0) }
            object["birth_date"] = patron.birthDate.map { .string($0.description) }
            object["expires_on"] = patron.expiresOn.map { .string($0.description) }
            if patron.role != .patron { object["role"] = .string(patron.role.rawValue) }
            if !patron.extra.isEmpty { object["extra"] = .object(patron.extra) }
            try line(["patron": .object(object)])
            return true
        }
    }

    private func holds() throws {
        try session.holds.each { hold in
            try line(["hold": .object(try HoldColumns(session: session).json(hold))])
            return true
        }
    }

    private func loans() throws {
        try session.loans.each(LoanQuery()) { loan in
            try line(["loan": .object(try LoanColumns(session: session).json(loan))])
            return true
        }
    }
}

// MARK: - Tables

extension Exporter {
    private func titleTable() throws {
        var writer = CSVWriter()
        writer.record(TitleColumns.header)
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            writer.record(TitleColumns.fields(title))
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    private func copyTable() throws {
        var writer = CSVWriter()
        writer.record(["barcode", "isbn", "title", "branch", "item_type", "status", "replacement_price"])
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            for copy in try session.catalogue.copies(of: .id(title.id)) {
                writer.record([
                    copy.barcode, title.isbn?.digits13 ?? "", title.title, copy.branch, copy.itemType,
                    copy.status.rawValue, copy.replacementPrice?.description ?? "",
                ])
            }
            try flush(&writer)
            return true
        }
        try write(writer.take())
    }

    private func patronTable() throws {
        var writer = CSVWriter()
        writer.record([
            "username", "name", "surname", "email", "phone", "category", "home_branch", "language", "birth_date",
            "expires_on", "role",
        ])
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

    private func loanTable() throws {
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
