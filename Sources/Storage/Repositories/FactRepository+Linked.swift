package import Circulation

// What is gathered of those to whom a patron is linked, only for policies that read it.
extension FactRepository {
    private static let members = """
        WITH guardians AS (SELECT other AS id FROM patron_links WHERE patron = ? AND kind = 'guardian'),
        dependents AS (SELECT patron AS id FROM patron_links WHERE other = ? AND kind = 'guardian'),
        heads AS (
            SELECT other AS id FROM patron_links WHERE patron = ? AND kind = 'household'
            UNION SELECT id FROM patrons WHERE id = ?),
        household AS (
            SELECT id FROM heads UNION SELECT id FROM patrons WHERE id = ?
            UNION SELECT patron_links.patron FROM heads JOIN patron_links
                ON patron_links.other = heads.id AND patron_links.kind = 'household'),
        family AS (
            SELECT id FROM patrons WHERE id = ? UNION SELECT id FROM guardians UNION SELECT id FROM dependents
            UNION SELECT patron_links.patron FROM guardians JOIN patron_links
                ON patron_links.other = guardians.id AND patron_links.kind = 'guardian'),
        members AS (
            SELECT 'guardians' AS kind, id FROM guardians UNION ALL SELECT 'dependents' AS kind, id FROM dependents
            UNION ALL SELECT 'household' AS kind, id FROM household UNION ALL SELECT 'family' AS kind, id FROM family)
        """
    private static let linked = Query(
        """
        \(members),
        counted AS (
            SELECT members.kind,
                (SELECT COUNT(*) FROM loans WHERE loans.patron = members.id AND loans.returned_at IS NULL
                    AND loans.copy IS NOT NULL AND loans.lent_at <= ?) AS loans,
                (SELECT COUNT(*) FROM loans WHERE loans.patron = members.id AND loans.returned_at IS NULL
                    AND loans.copy IS NOT NULL AND loans.lent_at <= ? AND loans.due_at <= ?
                    AND NOT (\(isClaimed))) AS overdue,
                (SELECT SUM(amount) FROM ledger WHERE ledger.patron = members.id) AS owed,
                (SELECT COUNT(*) FROM loans WHERE loans.patron = members.id AND loans.returned_at IS NULL
                    AND loans.copy IS NOT NULL AND loans.lent_at <= ? AND \(isClaimed)) AS claimed
            FROM members)
        SELECT kind, COUNT(*), CAST(SUM(loans) AS {integer}), CAST(SUM(overdue) AS {integer}),
            CAST(SUM(CASE WHEN owed > 0 THEN owed ELSE 0 END) AS {integer}), CAST(SUM(claimed) AS {integer})
        FROM counted GROUP BY kind
        """)
    private static let sameTitle = Query(
        """
        \(members)
        SELECT members.kind, COUNT(*), CAST(SUM(CASE WHEN \(isClaimed) THEN 1 ELSE 0 END) AS {integer})
        FROM members JOIN loans ON loans.patron = members.id AND loans.returned_at IS NULL AND loans.lent_at <= ?
        JOIN copies ON copies.id = loans.copy AND copies.title = ?
        GROUP BY members.kind
        """)

    /// What those have and owe to whom the patron is linked.
    ///
    /// - Parameters:
    ///   - now: the moment of the question; loans that began after it are not counted.
    ///   - hasClaims: also what they claim to have returned.
    package func linked(
        to patron: PatronFacts, now: Instant, hasClaims: Bool = false
    ) throws(StoreError) -> LinkedFacts {
        let id = StoredValue.integer(patron.id)
        var linked = LinkedFacts(alone: patron)
        let values = Array(repeating: id, count: 6) + Array(repeating: StoredValue.instant(now), count: 4)
        try transaction.each(Self.linked, values) { row throws(StoreError) in
            let group: PatronGroup = try row.choice()
            linked[group] = GroupFacts(
                people: row.integer(), loans: row.integer(), overdue: row.integer(),
                owed: Money(minorUnits: row.integer(), currency: patron.feesOwed.currency))
            let claimed = row.integer()
            if hasClaims { linked[group].claimed = claimed }
            return true
        }
        return linked
    }

    /// How many open loans of a title each group has, and how many of these are claimed to be returned; groups without any
    /// are left out.
    package func linkedLoans(
        of title: Int64, to patron: Int64, now: Instant
    ) throws(StoreError) -> [PatronGroup: (loans: Int64, claimed: Int64)] {
        var found: [PatronGroup: (loans: Int64, claimed: Int64)] = [:]
        let values = Array(repeating: StoredValue.integer(patron), count: 6) + [.instant(now), .integer(title)]
        try transaction.each(Self.sameTitle, values) { row throws(StoreError) in
            let group: PatronGroup = try row.choice()
            found[group] = (row.integer(), row.integer())
            return true
        }
        return found
    }
}
