import Circulation
package import Desk
import Market
package import TextFormats

/// Writes a library out, in the shapes that an import reads.
///
/// What is written depends on what the library holds and on nothing else: an import into an empty store and a second
/// export give the same bytes.
package struct Exporter {
    /// What to write.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case all, titles, copies, patrons, loans, holds, ledger, notices, policies

        /// Those that fit into one table.
        package static let tables: Set<Kind> = [.titles, .copies, .patrons, .loans]
    }

    /// The version of the JSON lines written here. Since the second, texts are taken to the letter when they are read.
    package static let version: Int64 = 2

    let session: DeskSession
    let write: ([UInt8]) throws -> Void
    /// Takes records instead of their text.
    private var take: ((JSONObject) throws -> Void)?

    /// - Parameter write: takes the text piece by piece.
    package init(session: DeskSession, write: @escaping ([UInt8]) throws -> Void) {
        self.session = session
        self.write = write
    }

    /// The records that ``records(_:in:_:)`` hands out, by name.
    private static let kinds: [String: @Sendable (Exporter) throws -> Void] = [
        "titles": { try $0.titles() }, "patrons": { try $0.patrons() }, "loans": { try $0.loans() },
        "holds": { try $0.holds() }, "ledger": { try $0.ledger() }, "notices": { try $0.notices() },
        "listings": { try $0.listings() },
        "orders": { try $0.session.exports.orders($0.lines("order", ExportedRecords.order)) },
        "rentals": { try $0.session.exports.rentals($0.lines("rental", ExportedRecords.rental)) },
        "suggestions": { try $0.session.exports.suggestions($0.lines("suggestion", ExportedRecords.suggestion)) },
    ]

    /// The names of the kinds that ``records(_:in:_:)`` knows.
    package static var recordKinds: [String] { kinds.keys.sorted() }

    /// Hands out the records of a kind one by one, as JSON Lines have them.
    ///
    /// - Returns: whether there is such a kind.
    package static func records(
        _ kind: String, in session: DeskSession, _ body: @escaping (JSONObject) throws -> Void
    ) throws -> Bool {
        guard let write = kinds[kind] else { return false }
        var exporter = Exporter(session: session) { _ in }
        exporter.take = body
        try write(exporter)
        return true
    }

    /// The parts of an export in the order in which they refer to each other, each with the kind that asks for it
    /// alone.
    private static let parts: [(kind: Kind?, write: @Sendable (Exporter) throws -> Void)] = [
        (nil, { try $0.settings() }),
        (.policies, { try $0.policies() }),
        (.titles, { try $0.titles() }),
        (.patrons, { try $0.patrons() }),
        (.loans, { try $0.loans() }),
        (.holds, { try $0.holds() }),
        (nil, { try $0.market() }),
        (nil, { try $0.readers() }),
        (.ledger, { try $0.ledger() }),
        (.notices, { try $0.notices() }),
        (nil, { try $0.inHouseUses() }),
    ]

    /// JSON Lines: a head, then one record a line, each under the name of its kind.
    package func json(_ kind: Kind) throws {
        var head: JSONObject = ["version": .integer(Exporter.version)]
        if kind == .all { head["whole"] = true }
        try line(["moonshelf": .object(head)])
        let wanted = kind == .copies ? .titles : kind
        for part in Exporter.parts where kind == .all || part.kind == wanted { try part.write(self) }
    }

    /// A table with a header, exact to the character.
    ///
    /// - Throws: ``ImportProblem`` for what is not one table: JSON alone holds it.
    package func csv(_ kind: Kind) throws {
        switch kind {
        case .titles: try titleTable()
        case .copies: try copyTable()
        case .patrons: try patronTable()
        case .loans: try loanTable()
        case .all, .holds, .ledger, .notices, .policies:
            throw ImportProblem(
                file: "export", line: 0, code: "no_table", severity: .error,
                message: "CSV holds one table: titles, copies, patrons or loans")
        }
    }

    func line(_ json: JSON) throws {
        try write(Array((json.text() + "\n").utf8))
    }

    func line(_ kind: String, _ object: JSONObject) throws {
        if let take { return try take(object) }
        var record = JSONObject()
        record[kind] = .object(object)
        try line(.object(record))
    }
}

// MARK: - JSON Lines

extension Exporter {
    private func settings() throws {
        let library = try session.settings.library()
        var object: JSONObject = [
            "name": .string(library.name), "zone": .string(library.zone.identifier),
            "currency": .string(library.currency.code),
        ]
        if library.reservedNames != LibrarySettings.usualReservedNames {
            object["reserved_names"] = .array(library.reservedNames.map { .string($0) })
        }
        if !library.hasRatings { object["has_ratings"] = false }
        if !library.gatheredKinds.isEmpty {
            object["gathered_notices"] = .array(library.gatheredNotices.map { .string($0) })
        }
        try line("library", object)
        try declared("category", try session.settings.categories()) { _ in [:] }
        try declared("item_type", try session.settings.itemTypes()) { _ in [:] }
        try declared("branch", try session.settings.branches()) { branch in
            var object: JSONObject = [:]
            object["zone"] = branch.zone.map { .string($0.identifier) }
            object["calendar"] = branch.calendar.json
            return object
        }
        try declared("location", try session.settings.locations()) { _ in [:] }
    }

    /// The entries in their order, since the first one counts. One whose parent comes after it stands there twice, the
    /// second time with its parent.
    private func declared<Entry: DeclaredCode>(
        _ name: String, _ entries: [Entry], _ members: (Entry) -> JSONObject
    ) throws {
        var written: Set<String> = []
        var early: [Entry] = []
        func write(_ entry: Entry, parent: String?) throws {
            var object: JSONObject = ["code": .string(entry.code), "name": .string(entry.name)]
            object["parent"] = parent.map { .string($0) }
            for member in members(entry) { object[member.key] = member.value }
            try line([name: .object(object)])
        }
        for entry in entries {
            let isEarly = entry.parent.map { !written.contains($0) } ?? false
            if isEarly { early.append(entry) }
            try write(entry, parent: isEarly ? nil : entry.parent)
            written.insert(entry.code)
        }
        for entry in early { try write(entry, parent: entry.parent) }
    }

    private func titles() throws {
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            var object = try session.exported(title, ExportedRecords.title)
            let copies = try session.catalogue.copies(of: .id(title.id))
            if !copies.isEmpty {
                object["copies"] = .array(
                    try copies.map { .object(try session.exported($0, ExportedRecords.copy)) })
            }
            object["cover"] = try title.cover.flatMap { try session.catalogue.picture($0)?.json }
            object["marc"] = try session.catalogue.marc(of: title.id).map { .object($0) }
            try line("title", object)
            return true
        }
    }

    private func listings() throws {
        try session.exports.listings { listing in
            var object = try session.exported(listing, ExportedRecords.listing)
            let pictures = try listing.pictures.compactMap { try session.catalogue.picture($0)?.json }
            if !pictures.isEmpty { object["pictures"] = .array(pictures) }
            try line("listing", object)
            return true
        }
    }

    private func patrons() throws {
        try session.patrons.each { patron in
            var object = try session.exported(patron, ExportedRecords.patron)
            let blocks = try session.exports.blocks(of: patron.id)
            if !blocks.isEmpty {
                object["blocks"] = .array(
                    try blocks.map { .object(try session.exported($0, ExportedRecords.block)) })
            }
            try line("patron", object)
            return true
        }
        try session.exports.patronLinks(lines("patron_link", ExportedRecords.patronLink))
    }

    /// What patrons think of titles, and their lists, each title of a list by its place.
    private func readers() throws {
        try session.exports.ratings(lines("rating", ExportedRecords.rating))
        try session.exports.titleLists { list in
            try line("title_list", try session.exported(list, ExportedRecords.titleList))
            for listed in try session.lists.titles(of: list.id, .all) {
                try line(
                    "listed_title",
                    try session.exported(listed, ExportedRecords.listedTitle) { field, object in
                        guard field == "added_at" else { return }
                        object["username"] = try session.patrons.get(.id(list.patron)).map { .string($0.username) }
                        object["list"] = .string(list.name)
                    })
            }
            return true
        }
    }

    private func loans() throws {
        try session.loans.each(LoanQuery()) { loan in
            let object = try session.exported(loan, ExportedRecords.loan) { field, object in
                guard field == "renewed_at", loan.renewals > 0 else { return }
                let renewed = try session.exports.renewals(of: loan.id)
                if !renewed.isEmpty { object["renewed"] = .array(renewed.map { .string($0.description) }) }
            }
            try line("loan", object)
            return true
        }
    }

    /// Writes each record that it is given.
    private func lines<Record: DeclaredRecord>(
        _ kind: String, _ members: RecordMembers<Record>
    ) -> (Record) throws -> Bool {
        { record in
            try line(kind, try session.exported(record, members))
            return true
        }
    }

    private func holds() throws { try session.holds.each(lines("hold", ExportedRecords.hold)) }

    /// Each after what it refers to.
    private func market() throws {
        try listings()
        try session.exports.orders(lines("order", ExportedRecords.order))
        try session.exports.rentals(lines("rental", ExportedRecords.rental))
        try session.exports.cartLines(lines("cart_line", ExportedRecords.cartLine))
        try session.exports.favourites(lines("favourite", ExportedRecords.favourite))
        try session.exports.suggestions(lines("suggestion", ExportedRecords.suggestion))
        try session.exports.conversations(lines("conversation", ExportedRecords.conversation))
        try session.exports.messages(lines("message", ExportedRecords.message))
        try session.exports.blockedWriters(lines("blocked_writer", ExportedRecords.blockedWriter))
    }

    private func ledger() throws { try session.exports.ledger(lines("ledger_entry", ExportedRecords.ledgerEntry)) }

    private func notices() throws {
        let write = lines("notice", ExportedRecords.notice)
        // What carries others comes before them, so that an import knows it when they name it.
        for isCarried in [false, true] {
            try session.exports.notices { try ($0.carriedBy != nil) != isCarried || write($0) }
        }
    }

    private func inHouseUses() throws {
        try session.exports.inHouseUses(lines("in_house_use", ExportedRecords.inHouseUse))
    }

    /// Each version's files stand in the first record that names it.
    private func policies() throws {
        var written: Set<String> = []
        for activation in try session.exports.activations() {
            var object = try session.exported(activation, ExportedRecords.activation)
            if written.insert(activation.policy).inserted, let bundle = try session.policies.bundle(activation.policy) {
                object["files"] = .array(
                    bundle.files.map { ["name": .string($0.name), "source": .string($0.source)] })
            }
            try line("policy_activation", object)
        }
    }
}
