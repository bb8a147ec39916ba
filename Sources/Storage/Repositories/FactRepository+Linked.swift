package import Circulation

// What is gathered of those to whom a patron is linked, only for policies that read it.
extension FactRepository {
    private static let linked = Query(
        """
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
            UNION ALL SELECT 'household' AS kind, id FROM household UNION ALL SELECT 'family' AS kind, id FROM family),
        counted AS (
            SELECT members.kind,
                (SELECT COUNT(*) FROM loans WHERE loans.patron = members.id AND loans.returned_at IS NULL
                    AND loans.copy IS NOT NULL AND loans.lent_at <= ?) AS loans,
                (SELECT COUNT(*) FROM loans WHERE loans.patron = members.id AND loans.returned_at IS NULL
                    AND loans.copy IS NOT NULL AND loans.lent_at <= ? AND loans.due_at <= ?
                    AND NOT (\(isClaimed))) AS overdue,
                (SELECT SUM(amount) FROM ledger WHERE ledger.patron = members.id) AS owed
            FROM members)
        SELECT kind, COUNT(*), CAST(SUM(loans) AS {integer}), CAST(SUM(overdue) AS {integer}),
            CAST(SUM(CASE WHEN owed > 0 THEN owed ELSE 0 END) AS {integer})
        FROM counted GROUP BY kind
        """)

    /// What those have and owe to whom the patron is linked.
    ///
    /// - Parameter now: the moment of the question; loans that began after it are not counted.
    package func linked(to patron: PatronFacts, now: Instant) throws(StoreError) -> LinkedFacts {
        let id = StoredValue.integer(patron.id)
        var linked = LinkedFacts(alone: patron)
        let values = Array(repeating: id, count: 6) + Array(repeating: StoredValue.instant(now), count: 3)
        try transaction.each(Self.linked, values) { row throws(StoreError) in
            let group: PatronGroup = try row.choice()
            linked[group] = GroupFacts(
                people: row.integer(), loans: row.integer(), overdue: row.integer(),
                owed: Money(minorUnits: row.integer(), currency: patron.feesOwed.currency))
            return true
        }
        return linked
    }
}
