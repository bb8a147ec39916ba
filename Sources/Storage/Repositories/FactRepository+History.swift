package import Circulation

// What is gathered only for policies that read it.
extension FactRepository {
    private static let pastColumns = """
        COALESCE(copies.title, loans.title, 0), COALESCE(copies.item_type, loans.item_type, ''), loans.branch,
                copies.branch, loans.on_site, loans.channel, loans.lent_at, loans.returned_at, copies.location,
                CASE WHEN \(isClaimed) AND loans.returned_at IS NULL THEN 1 ELSE 0 END, loans.id
        """
    // The open ones and those returned last, each found in the index that has a patron's loans by their return: no loan
    // that began since a moment was returned before it.
    private static let history = Query(
        """
        SELECT * FROM (
            SELECT \(pastColumns)
            FROM loans LEFT JOIN copies ON copies.id = loans.copy
            WHERE loans.patron = ? AND loans.returned_at IS NULL) AS open_loans
        UNION ALL
        SELECT * FROM (
            SELECT \(pastColumns)
            FROM loans LEFT JOIN copies ON copies.id = loans.copy
            WHERE loans.patron = ? AND loans.returned_at >= ? ORDER BY loans.returned_at DESC LIMIT ?) AS returned_loans
        """)
    private static let timesLent = Query(
        """
        SELECT COUNT(*) FROM (
            SELECT id FROM loans WHERE title = ? AND lent_at >= ? AND lent_at <= ? LIMIT ?) AS lent
        """)

    /// Adds the patron's loans that began between two moments, the latest first, and from when on these are all.
    ///
    /// Of those that were returned the latest ``CaseNeeds/mostHistory`` are looked at: where there are more, the history
    /// begins behind the return of the first that is left out.
    package func addHistory(to facts: inout PatronFacts, from start: Instant, to end: Instant) throws(StoreError) {
        let settings = try transaction.settings.snapshot()
        var start = start
        var returned: Int64 = 0
        var found: [(id: Int64, past: PastLoanFacts)] = []
        let values: [StoredValue] = [
            .integer(facts.id), .integer(facts.id), .instant(start), .integer(CaseNeeds.mostHistory + 1),
        ]
        try transaction.each(Self.history, values) { row throws(StoreError) in
            let loan = OpenLoanFacts(
                title: row.integer(), itemTypes: settings.itemTypes(from: row.text()), branch: "",
                branches: settings.branches(from: row.optionalText() ?? ""),
                copyBranches: row.optionalText().map { settings.branches(from: $0) } ?? [], onSite: row.flag(),
                channel: try row.optionalChoice())
            var past = PastLoanFacts(loan: loan, lentAt: row.instant(), returnedAt: row.optionalInstant())
            past.loan.location = row.optionalText()
            past.loan.isClaimed = row.flag()
            if let back = past.returnedAt {
                returned += 1
                if returned > CaseNeeds.mostHistory {
                    start = max(start, Instant(microseconds: back.microseconds + 1))
                    return true
                }
                // What came back later is out as yet.
                if back > end { past.returnedAt = nil }
            }
            found.append((row.integer(), past))
            return true
        }
        facts.historySince = start
        facts.history = found.filter { start <= $0.past.lentAt && $0.past.lentAt <= end }
            .sorted { ($1.past.lentAt, $1.id) < ($0.past.lentAt, $0.id) }.map(\.past)
    }

    /// How often a title was lent between two moments, to ``CaseNeeds/mostTimesLent`` at most.
    package func timesLent(title: Int64, from start: Instant, to end: Instant) throws(StoreError) -> Int64 {
        try transaction.number(
            Self.timesLent, [.integer(title), .instant(start), .instant(end), .integer(CaseNeeds.mostTimesLent)])
    }
}
