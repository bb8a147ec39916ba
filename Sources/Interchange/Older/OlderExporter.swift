import Circulation
package import Desk
import Market
import TextFormats

/// Writes the tables of an older system, as that system has them and an import reads them.
///
/// They hold less than a library: people without their passwords, offers without their history. What is written depends on
/// what the library holds alone.
package struct OlderExporter {
    let session: DeskSession

    package init(session: DeskSession) {
        self.session = session
    }

    /// Writes one table.
    ///
    /// - Parameter write: takes the text piece by piece.
    /// - Returns: how many records have no place in the table.
    package func export(_ table: OlderTable, to write: @escaping ([UInt8]) throws -> Void) throws -> Int {
        var rows = OlderRows(isAnswer: OlderSystem.bookio.tables.contains(table), write)
        switch table {
        case .users: try users(&rows) { ["username": .string($0.username)] }
        case .texttraderUsers:
            try users(&rows) {
                [
                    "username": .string($0.username), "name": .string($0.fullName == $0.username ? "" : $0.fullName),
                    "email": .string($0.email ?? ""),
                ]
            }
        case .bookioUsers:
            try users(&rows) {
                [
                    "user_id": .string($0.username), "user_fname": .string($0.name),
                    "user_lname": .string($0.surname), "user_phone": .string($0.phone ?? ""),
                ]
            }
        case .books: try textbooks(&rows)
        case .texttraderBooks: try offers(&rows)
        case .shelf: try shelf(&rows)
        case .bookioBooks, .courses, .courseBooks: try bookio(table, &rows)
        case .userBooks: try ownBooks(&rows)
        case .rented: try rented(&rows)
        }
        try rows.end()
        return rows.leftOut
    }

    private func users(_ rows: inout OlderRows, _ row: (Patron) -> JSON) throws {
        try session.patrons.each { patron in
            try rows.add(row(patron))
            return true
        }
    }

    func username(_ patron: Int64?) throws -> String? {
        try patron.flatMap { try session.patrons.get(.id($0)) }?.username
    }

    func title(of listing: Listing) throws -> Title? {
        try listing.title.flatMap { try session.catalogue.get(.id($0)) } ?? listing.proposal?.record
    }

    static func number(_ price: Money?) -> JSON {
        guard let amount = price.flatMap({ Double($0.amountText) }) else { return .null }
        return Int64(exactly: amount).map { .integer($0) } ?? .number(amount)
    }
}

// MARK: - Book SWAG

extension OlderExporter {
    private func shelf(_ rows: inout OlderRows) throws {
        try session.catalogue.each(CatalogueQuery(order: .id, limit: .max)) { title in
            let loan = try session.loans.latest(of: title.id)
            let name = try loan?.patron.flatMap { try session.patrons.get(.id($0)) }?.fullName
            try rows.add(SharedShelfShape.book(title, lent: loan?.lentAt, to: name))
            return true
        }
    }
}

// MARK: - TexBookSub

extension OlderExporter {
    private static let keyPrefix = "textbooksub:"

    /// The number that a listing had in such a table; nil for every other listing.
    private static func number(of listing: Listing) -> Int64? {
        guard let key = listing.importKey, key.hasPrefix(keyPrefix) else { return nil }
        return key.split(separator: ":").dropFirst().first.flatMap { Int64($0) }
    }

    private func textbooks(_ rows: inout OlderRows) throws {
        var taken: Set<Int64> = []
        try session.exports.listings { listing in
            if let number = Self.number(of: listing) { taken.insert(number) }
            return true
        }
        var next = (taken.max() ?? -1) + 1
        try session.exports.listings { listing in
            guard listing.kind == .sell, listing.state != .withdrawn, listing.state != .draft,
                let title = try title(of: listing)
            else {
                rows.leftOut += 1
                return true
            }
            var number = Self.number(of: listing)
            if number.map({ taken.remove($0) == nil }) ?? true {
                number = next
                next += 1
            }
            try rows.add(try textbook(number ?? 0, listing, title))
            return true
        }
    }

    private func textbook(_ number: Int64, _ listing: Listing, _ title: Title) throws -> JSON {
        let kept = title.extra["\(Self.keyPrefix)\(number)"]
        let history = try history(of: title, listing, kept)
        let total = max(kept?["total"]?.integerValue ?? listing.quantity, listing.quantity)
        return [
            "id": .integer(number), "title": .string(title.title),
            "publisher": .string(try username(listing.seller) ?? OlderRecords.office),
            "stars": .integer(title.stars ?? 0), "price": Self.number(listing.price),
            "BookDescription": .string(title.description ?? ""),
            "BookImage": .string(title.coverURL ?? kept?["image"]?.stringValue ?? listing.picture ?? ""),
            "courses": .string(title.courses.map(\.code).joined(separator: ", ")),
            "historyPrice": history.prices, "historyPurchase": history.purchases,
            "remain": .integer(listing.quantity), "total": .integer(total),
            "college": .string(title.college ?? ""), "author": .string(title.authors.joined(separator: ", ")),
            "expand": false, "recommend": .bool(title.recommended),
        ]
    }

    /// What it sold for in twelve months: by orders where there are any, else as it came, else its price of today.
    private func history(
        of title: Title, _ listing: Listing, _ kept: JSON?
    ) throws -> (prices: JSON, purchases: JSON) {
        let months = try session.market.priceHistory(of: .id(title.id)) ?? []
        if months.contains(where: { $0.sold > 0 }) {
            return (
                .array(months.map { $0.average.map { Self.number($0) } ?? .integer(0) }),
                .array(months.map { .integer($0.sold) })
            )
        }
        let nothing = JSON.array(Array(repeating: .integer(0), count: 12))
        let today = JSON.array(Array(repeating: .integer(0), count: 11) + [Self.number(listing.price)])
        return (kept?["historyPrice"] ?? today, kept?["historyPurchase"] ?? nothing)
    }
}

// MARK: - Text Trader

extension OlderExporter {
    private func offers(_ rows: inout OlderRows) throws {
        try session.exports.listings { listing in
            guard listing.kind != .rent, listing.isOpen, listing.state != .draft, let title = try title(of: listing),
                let seller = try username(listing.seller)
            else {
                rows.leftOut += 1
                return true
            }
            var names = title.authors.first.map { AuthorName.parts(of: $0) } ?? (first: "", last: "")
            if let kept = title.extra["texttrader_author"], let last = kept["last"]?.stringValue {
                names = (kept["first"]?.stringValue ?? "", last)
            }
            let place =
                listing.note.hasPrefix(OlderRecords.place) ? listing.note.dropFirst(OlderRecords.place.count) : ""
            try rows.add([
                "username": .string(seller), "isbn": .string(title.isbn?.digits13 ?? ""),
                "title": .string(title.title), "authfirstname": .string(names.first),
                "authlastname": .string(names.last), "location": .string(String(place)),
                "price": listing.kind == .donate ? .integer(0) : Self.number(listing.price),
            ])
            return true
        }
    }
}
