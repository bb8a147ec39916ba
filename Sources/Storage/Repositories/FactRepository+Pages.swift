package import Circulation

/// What policies must know about a page of loans, gathered by one question of each kind.
package struct FactsOfLoans {
    package fileprivate(set) var copies: [Int64: Copy] = [:]
    /// Titles for which no hold waits.
    package fileprivate(set) var titles: [Int64: TitleFacts] = [:]
    /// What was posted for each loan, the oldest first.
    package fileprivate(set) var lines: [Int64: [LedgerEntry]] = [:]
    fileprivate var recorded: [Int64: [(dueAt: Instant?, facts: NoticeFacts)]] = [:]
    /// Without age and blocks, which depend on the day.
    fileprivate var patrons: [Int64: (facts: PatronFacts, born: CivilDate?)] = [:]
    /// Those that are not lifted.
    fileprivate var blocks: [Int64: [BlockFacts]] = [:]

    /// What ``FactRepository/patron(_:now:today:withLoans:)`` gives without the open loans.
    package func patron(_ id: Int64, today: CivilDate) -> PatronFacts? {
        guard let found = patrons[id] else { return nil }
        var facts = found.facts
        facts.age = FactRepository.age(born: found.born, on: today)
        for block in blocks[id] ?? [] where block.ends.map({ today <= $0 }) ?? true { facts.add(block) }
        return facts
    }

    /// What ``NoticeRepository/facts(loan:dueAt:)`` gives.
    package func notices(loan: Int64, dueAt: Instant) -> [NoticeFacts] {
        (recorded[loan] ?? []).filter { $0.dueAt == dueAt }.map(\.facts)
    }
}

extension FactRepository {
    private static let patronsOfLoans = Query("SELECT \(patronColumns) FROM patrons WHERE {among id}")
    private static let blocksOfLoans = Query(
        "SELECT patron, kind, ends, actions FROM blocks WHERE {among patron} AND lifted_at IS NULL ORDER BY id")
    private static let titlesOfLoans = Query(
        """
        SELECT id, genres, courses, extra,
            (SELECT COUNT(*) FROM holds WHERE holds.title = titles.id AND holds.state = 'waiting')
        FROM titles WHERE {among id}
        """)

    /// What is known about these loans.
    package func about(_ loans: [Loan]) throws(StoreError) -> FactsOfLoans {
        let ids = loans.map(\.id)
        let patrons = loans.compactMap(\.patron)
        let copyIDs = loans.compactMap(\.copy)
        let titles = loans.compactMap(\.title)
        try transaction.prefetch {
            [
                BoundQuery(CopyRepository.table.among, [.numbers(copyIDs)]), transaction.ledger.asking(loans: ids),
                transaction.notices.asking(loans: ids), BoundQuery(Self.patronsOfLoans, [.numbers(patrons)]),
                BoundQuery(Self.blocksOfLoans, [.numbers(patrons)]),
                BoundQuery(Self.titlesOfLoans, [.numbers(titles)]), transaction.copies.counting(titles: titles),
            ]
        }
        var facts = FactsOfLoans()
        for copy in try transaction.copies.get(copyIDs) { facts.copies[copy.id] = copy }
        for line in try transaction.ledger.of(loans: ids) {
            if let loan = line.loan { facts.lines[loan, default: []].append(line) }
        }
        facts.recorded = try transaction.notices.facts(loans: ids)
        try add(patrons: patrons, to: &facts)
        try add(titles: titles, to: &facts)
        return facts
    }

    private func add(patrons: [Int64], to facts: inout FactsOfLoans) throws(StoreError) {
        let settings = try transaction.settings.snapshot()
        try transaction.each(Self.patronsOfLoans, [.numbers(patrons)]) { row throws(StoreError) in
            let patron = try Self.patron(&row, settings)
            facts.patrons[patron.id] = (patron, try row.optionalDate())
            return true
        }
        try transaction.each(Self.blocksOfLoans, [.numbers(patrons)]) { row throws(StoreError) in
            let patron = row.integer()
            facts.blocks[patron, default: []].append(
                BlockFacts(
                    kind: row.text(), ends: try row.optionalDate(), actions: BlockRepository.actions(row.integer())))
            return true
        }
    }

    private func add(titles: [Int64], to facts: inout FactsOfLoans) throws(StoreError) {
        try transaction.each(Self.titlesOfLoans, [.numbers(titles)]) { row throws(StoreError) in
            let title = try Self.title(row.integer(), &row)
            // Who of those that wait counts depends on who asks, and for which copy.
            if title.holdsWaiting == 0 { facts.titles[title.id] = title }
            return true
        }
        for (title, counts) in try transaction.copies.counts(titles: titles) {
            facts.titles[title]?.copies = counts.copies
            facts.titles[title]?.available = counts.available
        }
    }
}
