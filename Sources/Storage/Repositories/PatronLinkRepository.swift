package import Circulation

/// What joins patrons to each other.
package struct PatronLinkRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<PatronLink>()
    private static let ofPatron = Query("SELECT \(columns) FROM patron_links WHERE patron = ? ORDER BY id")
    private static let toOther = Query("SELECT \(columns) FROM patron_links WHERE other = ? ORDER BY id")
    private static let one = Query("SELECT \(columns) FROM patron_links WHERE patron = ? AND kind = ? AND other = ?")
    private static let newHead = Query("UPDATE patron_links SET other = ? WHERE other = ? AND kind = 'household'")

    /// The patron's guardians, and the link by which they are in a household, if any, by id.
    package func of(patron: Int64) throws(StoreError) -> [PatronLink] { try all(Self.ofPatron, [.integer(patron)]) }

    /// For whom the patron answers, and who is linked to them as the head of a household, by id.
    package func to(other: Int64) throws(StoreError) -> [PatronLink] { try all(Self.toOther, [.integer(other)]) }

    /// The link of a kind from a patron to another; nil if there is none.
    package func find(_ patron: Int64, _ kind: PatronLink.Kind, _ other: Int64) throws(StoreError) -> PatronLink? {
        try first(Self.one, [.integer(patron), .text(kind.rawValue), .integer(other)])
    }

    /// The member to whom all others of the patron's household are linked; nil where the patron is in none.
    package func head(ofHouseholdOf patron: Int64) throws(StoreError) -> Int64? {
        if let own = try of(patron: patron).first(where: { $0.kind == .household }) { return own.other }
        return try to(other: patron).contains { $0.kind == .household } ? patron : nil
    }

    /// The links to the head of a household, by id.
    package func household(of head: Int64) throws(StoreError) -> [PatronLink] {
        try to(other: head).filter { $0.kind == .household }
    }

    /// Takes a patron out of their household. Where all others are linked to them, these are linked to the one who has been
    /// in it for longest.
    package func leaveHousehold(_ patron: Int64) throws(StoreError) {
        if let own = try of(patron: patron).first(where: { $0.kind == .household }) {
            try remove(own.id)
        } else if let next = try household(of: patron).first {
            try remove(next.id)
            try transaction.execute(Self.newHead, [.integer(next.patron), .integer(patron)])
        }
    }

    /// Removes what two records of one person could not have together, before the links of one go over to the other: links
    /// between both, a guardian whom both have or who has the other for one, and the first one's household where the
    /// other has one.
    package func prepareMerge(of patron: Int64, into kept: Int64) throws(StoreError) {
        if try head(ofHouseholdOf: kept) != nil { try leaveHousehold(patron) }
        let taken = Set(try guardianLinks(of: kept).map { $0.opposite(of: kept) } + [kept])
        for link in try guardianLinks(of: patron) where taken.contains(link.opposite(of: patron)) {
            try remove(link.id)
        }
    }

    /// On either side.
    private func guardianLinks(of patron: Int64) throws(StoreError) -> [PatronLink] {
        try (of(patron: patron) + to(other: patron)).filter { $0.kind == .guardian }
    }
}

extension PatronLink {
    /// The patron on the side where one is not.
    fileprivate func opposite(of one: Int64) -> Int64 { patron == one ? other : patron }
}
