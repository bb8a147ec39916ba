/// A row of `limits` that leaves no room for one more loan.
package struct ExceededLimit: Hashable, Sendable {
    /// Zero-based.
    package var row: Int
    /// Open loans, or those of the row's window, and those that this request was granted already, that meet the row's own conditions.
    package var count: Int64
    package var maximum: Int64
    /// From when on the row has room again by itself: where it counts the loans of a window, and something leaves it.
    package var possibleFrom: Instant?
}

extension CompiledTables {
    /// The rows of `limits` that leave no room for one more loan, in the order of the table.
    ///
    /// Every row counts that the case matches, up to the first matching one that is `unlimited`. A row counts the open
    /// loans - one with `within` those that began in that time - that meet its conditions on item type, branch, copy's
    /// branch, location, on-site use and channel as they were lent; its conditions on the patron, and `when`, only decide
    /// whether the row applies. A row with `claimed = "not counted"` leaves out those that the patron claims to have
    /// returned, one with `of` counts the loans of these patrons, all or those of the title. What is not known of a loan (the
    /// channel of an imported one) meets no condition on it.
    ///
    /// - Throws: what `when` throws.
    package func limitsExceeded(for question: Case, when: WhenCondition) throws -> [ExceededLimit] {
        if limits.count == 0 { return [] }
        var candidates = CandidateRows(limits.candidates(for: question), whens: limits.whens)
        let loans = CountedLoans(question)
        var exceeded: [ExceededLimit] = []
        var position = 0
        while let row = candidates.rows.first(from: position) {
            position = row + 1
            let limit = source.limits[row]
            guard limit.isMetByDebts(of: question) else { continue }
            guard let maximum = limit.maximum else {
                if try candidates.contains(row, when: when) { break }
                continue
            }
            // A row with room for all loans there are cannot be exceeded: no need to count, nor to ask its function.
            guard Int64(loans.most(of: limit)) >= maximum else { continue }
            let count = loans.count(meeting: row, of: limits, limit)
            guard count >= maximum, try candidates.contains(row, when: when) else { continue }
            exceeded.append(
                ExceededLimit(
                    row: row, count: count, maximum: maximum,
                    possibleFrom: loans.possibleFrom(row, of: limits, limit, count, maximum)))
        }
        return exceeded
    }

    /// The row of `limits` that lets the case have any number of loans and ends the reading; nil if none does.
    ///
    /// - Throws: what `when` throws.
    package func unlimitedLimit(for question: Case, when: WhenCondition) throws -> Int? {
        var candidates = CandidateRows(limits.candidates(for: question), whens: limits.whens)
        var position = 0
        while let row = candidates.rows.first(from: position) {
            position = row + 1
            let limit = source.limits[row]
            guard limit.isMetByDebts(of: question) else { continue }
            if limit.maximum == nil, try candidates.contains(row, when: when) { return row }
        }
        return nil
    }
}

/// The loans that limits count.
struct CountedLoans {
    private let question: Case
    private var granted: [OpenLoanFacts] { question.request?.granted ?? [] }

    init(_ question: Case) {
        self.question = question
    }

    /// More loans than these no row of the kind can count.
    func most(of limit: LimitRow) -> Int {
        if let group = limit.of {
            let facts = question.patron[group]
            return Int(clamping: max(facts.loans, facts.sameTitle ?? 0)) + granted.count
        }
        return (limit.within == nil ? question.patron.loans.count : question.patron.history.count) + granted.count
    }

    /// How many loans a row counts.
    func count(meeting row: Int, of limits: ConditionIndex, _ limit: LimitRow) -> Int64 {
        // What others have is known in all.
        if let group = limit.of { return of(group, limit).count(limit) + grantedCount(limit) }
        return count(of: limit) { counts($0, row, limits, limit) }
    }

    /// Loans that meet a row's conditions, and do not count since they are claimed to be returned.
    func leftOut(_ row: Int, of limits: ConditionIndex, _ limit: LimitRow) -> Int64 {
        if let group = limit.of { return of(group, limit).leftOut(by: limit) }
        return limit.countsClaimed ? 0 : count(of: limit) { $0.isClaimed && meets($0, row, limits, limit) }
    }

    /// What a group has; where nothing was gathered, what the patron has alone.
    private func of(_ group: PatronGroup, _ limit: LimitRow) -> GroupFacts {
        var facts = question.patron[group]
        guard question.patron.linked == nil, group.hasPatron else { return facts }
        let own = question.patron.loans
        let same = own.filter { $0.title == question.title?.id }
        facts.claimed = Int64(own.count(where: \.isClaimed))
        facts.sameTitle = Int64(same.count)
        facts.sameTitleClaimed = Int64(same.count(where: \.isClaimed))
        return facts
    }

    /// What the request was granted already is the patron's own, and not claimed to be returned.
    private func grantedCount(_ limit: LimitRow) -> Int64 {
        Int64(granted.count { !limit.isPerTitle || $0.title == question.title?.id })
    }

    private func count(of limit: LimitRow, _ isMeant: (OpenLoanFacts) -> Bool) -> Int64 {
        let loans =
            limit.within.map { window in question.patron.history.count { isInside($0, window) && isMeant($0.loan) } }
            ?? question.patron.loans.count(where: isMeant)
        return Int64(loans + granted.count(where: isMeant))
    }

    /// From when on a row that is full has room for one more; nil where time alone makes none.
    func possibleFrom(
        _ row: Int, of limits: ConditionIndex, _ limit: LimitRow, _ count: Int64, _ maximum: Int64
    ) -> Instant? {
        guard let window = limit.within, maximum > 0 else { return nil }
        let begun = question.patron.history.filter { past in
            isInside(past, window) && counts(past.loan, row, limits, limit)
        }
        let granted = granted.filter { counts($0, row, limits, limit) }.map { _ in question.now }
        let ends = (begun.map(\.lentAt) + granted).map { window.end(ofWindowFrom: $0, for: question) }.sorted()
        let leaving = Int(count - maximum)
        return ends.indices.contains(leaving) ? ends[leaving] : nil
    }

    private func isInside(_ past: PastLoanFacts, _ window: Period) -> Bool {
        question.now < window.end(ofWindowFrom: past.lentAt, for: question)
    }

    private func counts(_ loan: OpenLoanFacts, _ row: Int, _ limits: ConditionIndex, _ limit: LimitRow) -> Bool {
        (limit.countsClaimed || !loan.isClaimed) && meets(loan, row, limits, limit)
    }

    private func meets(_ loan: OpenLoanFacts, _ row: Int, _ limits: ConditionIndex, _ limit: LimitRow) -> Bool {
        if limit.isPerTitle, loan.title != question.title?.id { return false }
        return limits.row(row, counts: loan)
    }
}
