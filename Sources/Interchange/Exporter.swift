import Circulation
package import Desk
import TextFormats

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

    /// - Parameter write: takes the text piece by piece.
    package init(session: DeskSession, write: @escaping ([UInt8]) throws -> Void) {
        self.session = session
        self.write = write
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
        var record = JSONObject()
        record[kind] = .object(object)
        try line(.object(record))
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
        try declared("category", try session.settings.categories()) { _ in [:] }
        try declared("item_type", try session.settings.itemTypes()) { _ in [:] }
        try declared("branch", try session.settings.branches()) { branch in
            var object: JSONObject = [:]
            object["zone"] = branch.zone.map { .string($0.identifier) }
            object["calendar"] = branch.calendar.json
            return object
        }
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
            var object: JSONObject = ["id": .integer(title.id)]
            for entry in TitleColumns.json(title) { object[entry.key] = entry.value }
            let copies = try session.catalogue.copies(of: .id(title.id))
            if !copies.isEmpty { object["copies"] = .array(copies.map(Exporter.json)) }
            try line("title", object)
            return true
        }
    }

    private static func json(_ copy: Copy) -> JSON {
        var object: JSONObject = [
            "id": .integer(copy.id), "barcode": .string(copy.barcode), "branch": .string(copy.branch),
            "item_type": .string(copy.itemType),
        ]
        if copy.status != .available && copy.status != .onLoan { object["status"] = .string(copy.status.rawValue) }
        object["replacement_price"] = copy.replacementPrice.map { .string($0.description) }
        return .object(object)
    }

    private func patrons() throws {
        try session.patrons.each { patron in
            var object: JSONObject = [
                "id": .integer(patron.id), "username": .string(patron.username), "name": .string(patron.name),
                "surname": .string(patron.surname),
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
            let blocks = try session.exports.blocks(of: patron.id)
            if !blocks.isEmpty { object["blocks"] = .array(blocks.map(AccountColumns.json)) }
            try line("patron", object)
            return true
        }
    }

    private func loans() throws {
        let columns = LoanColumns(session: session)
        try session.loans.each(LoanQuery()) { loan in
            try line("loan", try columns.json(loan))
            return true
        }
    }

    private func holds() throws {
        let columns = HoldColumns(session: session)
        try session.holds.each { hold in
            try line("hold", try columns.json(hold))
            return true
        }
    }

    /// Each after what it refers to.
    private func market() throws {
        let columns = MarketColumns(session: session)
        try session.exports.listings { listing in
            try line("listing", try columns.json(listing))
            return true
        }
        try session.exports.orders { order in
            try line("order", try columns.json(order))
            return true
        }
        try session.exports.rentals { rental in
            try line("rental", try columns.json(rental))
            return true
        }
        try session.exports.cartLines { cartLine in
            try line("cart_line", try columns.json(cartLine))
            return true
        }
        try session.exports.favourites { favourite in
            try line("favourite", try columns.json(favourite))
            return true
        }
        try session.exports.suggestions { suggestion in
            try line("suggestion", try columns.json(suggestion))
            return true
        }
    }

    private func ledger() throws {
        let columns = AccountColumns(session: session)
        try session.exports.ledger { entry in
            try line("ledger_entry", try columns.json(entry))
            return true
        }
    }

    private func notices() throws {
        let columns = AccountColumns(session: session)
        // What carries others comes before them, so that an import knows it when they name it.
        for isCarried in [false, true] {
            try session.exports.notices { notice in
                if (notice.carriedBy != nil) == isCarried { try line("notice", try columns.json(notice)) }
                return true
            }
        }
    }

    private func inHouseUses() throws {
        let columns = AccountColumns(session: session)
        try session.exports.inHouseUses { use in
            try line("in_house_use", try columns.json(use))
            return true
        }
    }

    /// Each version's files stand in the first record that names it.
    private func policies() throws {
        var written: Set<String> = []
        for activation in try session.exports.activations() {
            var object: JSONObject = [
                "id": .integer(activation.id), "policy": .string(activation.policy), "name": .string(activation.name),
                "effective_from": .string(activation.effectiveFrom.description),
                "activated_at": .string(activation.activatedAt.description), "actor": .string(activation.actor),
                "note": .string(activation.note),
            ]
            if activation.isRetroactive { object["retroactive"] = true }
            object["withdrawn_at"] = activation.withdrawnAt.map { .string($0.description) }
            if written.insert(activation.policy).inserted, let bundle = try session.policies.bundle(activation.policy) {
                object["files"] = .array(
                    bundle.files.map { ["name": .string($0.name), "source": .string($0.source)] })
            }
            try line("policy_activation", object)
        }
    }
}
