package import Circulation

/// What a policy must know for one decision, gathered with as few statements as will do.
package struct FactRepository {
    let transaction: Transaction

    /// Whether the patron of a loan says to have returned its copy.
    static let isClaimed = "loans.claimed_at IS NOT NULL"

    static let patronColumns = """
        patrons.id, category, home_branch, language, expires_on, extra,
            (SELECT CAST(SUM(amount) AS {integer}) FROM ledger WHERE ledger.patron = patrons.id),
            (SELECT COUNT(*) FROM holds WHERE holds.patron = patrons.id AND holds.closed_at IS NULL),
            (SELECT COUNT(*) FROM loans WHERE loans.patron = patrons.id AND \(isClaimed)), birth_date
        """
    private static let patron = Query("SELECT \(patronColumns) FROM patrons WHERE id = ? {forUpdate}")
    private static let blocks = Query(
        """
        SELECT kind, ends, actions FROM blocks
        WHERE patron = ? AND lifted_at IS NULL AND (ends IS NULL OR ends >= ?) ORDER BY id
        """)
    private static let openLoans = Query(
        """
        SELECT copies.title, copies.item_type, loans.branch, copies.branch, loans.on_site, loans.channel,
            loans.due_at, CASE WHEN copies.status = '\(CopyStatus.lost.rawValue)' THEN 1 ELSE 0 END,
            CASE WHEN \(isClaimed) THEN 1 ELSE 0 END, copies.location
        FROM loans JOIN copies ON copies.id = loans.copy
        WHERE loans.patron = ? AND loans.returned_at IS NULL ORDER BY loans.id
        """)
    // Of the patron who asks the own hold does not count, and a patron with a copy set aside no longer waits.
    private static let waiting = """
        (SELECT COUNT(*) FROM holds
         WHERE holds.title = titles.id AND holds.state = 'waiting' AND (holds.patron IS NULL OR holds.patron <> ?)
            AND (holds.suspended_until IS NULL OR holds.suspended_until < ?)
            AND (holds.expires_on IS NULL OR holds.expires_on >= ?)
        """
    private static let title = Query("SELECT genres, courses, extra, \(waiting)) FROM titles WHERE id = ?")
    private static let titleOfCopy = Query(
        """
        SELECT genres, courses, extra, \(waiting) AND (holds.copy IS NULL OR holds.copy = ?))
        FROM titles WHERE id = ?
        """)

    private static let waitingForCopy = Query(
        """
        SELECT COUNT(*) FROM holds
        WHERE copy = ? AND state = 'waiting' AND (patron IS NULL OR patron <> ?)
            AND (suspended_until IS NULL OR suspended_until < ?) AND (expires_on IS NULL OR expires_on >= ?)
        """)

    /// The patron as a policy sees one, or nil if there is none of that id.
    ///
    /// Suspensions in force appear as ``PatronFacts/suspendedUntil``, the latest end of them, all other blocks in force
    /// as
    /// ``PatronFacts/blocks``; so does a suspension from something beside lending, or not from all of it. One without
    /// end lasts until ``CivilDate/latest``. An open loan is overdue from its due instant on, unless it is claimed to
    /// be returned; a loan whose copy is lost counts as lost too.
    ///
    /// - Parameters:
    ///   - now: the moment of the question.
    ///   - today: the civil date at that moment in the branch's zone; it decides age and blocks.
    ///   - withLoans: false leaves the open loans out, also of the counts `overdue` and `lost`: they cost as much as
    ///     all the rest. ``addLoans(to:now:)`` adds them.
    package func patron(
        _ id: Int64, now: Instant, today: CivilDate, withLoans: Bool = true
    ) throws(StoreError) -> PatronFacts? {
        let settings = try transaction.settings.snapshot()
        let facts = try transaction.first(Self.aboutPatron(.known(id))) { row throws(StoreError) in
            var facts = try Self.patron(&row, settings)
            facts.age = Self.age(born: try row.optionalDate(), on: today)
            return facts
        }
        guard var facts else { return nil }
        try addBlocks(to: &facts, today: today)
        if withLoans { try addLoans(to: &facts, now: now) }
        return facts
    }

    /// Reads ``patronColumns`` but for the last, the date of birth.
    static func patron(_ row: inout RowReader, _ settings: SettingsSnapshot) throws(StoreError) -> PatronFacts {
        var facts = PatronFacts(
            id: row.integer(), category: "", categories: settings.categories(from: row.text()), homeBranch: "",
            homeBranches: settings.branches(from: row.text()), language: row.optionalText(),
            feesOwed: .zero(settings.library.currency))
        facts.expiresOn = try row.optionalDate()
        facts.extra = try row.object()
        facts.feesOwed = Money(minorUnits: row.integer(), currency: settings.library.currency)
        facts.holds = row.integer()
        facts.claims = row.integer()
        return facts
    }

    private func addBlocks(to facts: inout PatronFacts, today: CivilDate) throws(StoreError) {
        let question = Self.aboutBlocks(.known(facts.id), today)
        let blocks = try transaction.all(question.query, question.values) { row throws(StoreError) in
            BlockFacts(
                kind: row.text(), ends: try row.optionalDate(), actions: BlockRepository.actions(row.integer()))
        }
        for block in blocks { facts.add(block) }
    }

    /// Adds the patron's open loans, and counts those that are overdue and those that are lost.
    package func addLoans(to facts: inout PatronFacts, now: Instant) throws(StoreError) {
        let settings = try transaction.settings.snapshot()
        let question = Self.aboutLoans(.known(facts.id))
        try transaction.each(question.query, question.values) { row throws(StoreError) in
            var loan = OpenLoanFacts(
                title: row.integer(), itemTypes: settings.itemTypes(from: row.text()), branch: "",
                branches: settings.branches(from: row.text()), copyBranches: settings.branches(from: row.text()),
                onSite: row.flag(), channel: try row.optionalChoice(),
                dueAt: row.optionalInstant())
            if row.flag() { facts.lost += 1 }
            loan.isClaimed = row.flag()
            loan.location = row.optionalText()
            if let dueAt = loan.dueAt, dueAt <= now, !loan.isClaimed { facts.overdue += 1 }
            facts.loans.append(loan)
            return true
        }
    }

    /// The title as a policy sees one, with its copies and the holds that wait for it counted now, or nil if there is
    /// none of that id.
    ///
    /// - Parameters:
    ///   - patron: who asks; what they wait for themselves is not counted.
    ///   - copy: the copy that the question is about; holds for another one alone are not counted.
    ///   - today: the date by which holds are suspended or have run out.
    package func title(
        _ id: Int64, askedBy patron: Int64 = 0, copy: Int64? = nil, today: CivilDate
    ) throws(StoreError) -> TitleFacts? {
        let question = Self.aboutTitle(.known(id), .known(patron), copy, today)
        let facts = try transaction.first(question) { row throws(StoreError) in
            try Self.title(id, &row)
        }
        guard var facts else { return nil }
        let counts = try transaction.copies.counts(title: id)
        facts.copies = counts.copies
        facts.available = counts.available
        // Few titles are waited for, so the second question is seldom asked.
        if let copy, facts.holdsWaiting > 0 {
            facts.holdsForCopy =
                try transaction.first(
                    Self.waitingForCopy, [.integer(copy), .integer(patron), .date(today), .date(today)]
                ) { row throws(StoreError) in row.integer() } ?? 0
        }
        return facts
    }

    static func title(_ id: Int64, _ row: inout RowReader) throws(StoreError) -> TitleFacts {
        var facts = TitleFacts(
            id: id, genres: try row.list(),
            courses: try TitleRepository.courses(try row.json()).map(\.code), extra: try row.object())
        facts.holdsWaiting = row.integer()
        return facts
    }

    /// What ``patron(_:now:today:withLoans:)`` asks.
    package func asking(patron: RowNumber, today: CivilDate, withLoans: Bool = true) -> [BoundQuery] {
        [Self.aboutPatron(patron), Self.aboutBlocks(patron, today)] + (withLoans ? [Self.aboutLoans(patron)] : [])
    }

    /// What ``title(_:askedBy:copy:today:)`` asks of a title without waiting holds.
    package func asking(
        title: RowNumber, askedBy patron: RowNumber, copy: Int64? = nil, today: CivilDate
    ) -> [BoundQuery] {
        [Self.aboutTitle(title, patron, copy, today), transaction.copies.counting(title: title)]
    }

    private static func aboutPatron(_ patron: RowNumber) -> BoundQuery { BoundQuery(Self.patron, patron) }

    private static func aboutBlocks(_ patron: RowNumber, _ today: CivilDate) -> BoundQuery {
        BoundQuery(blocks, patron, .date(today))
    }

    private static func aboutLoans(_ patron: RowNumber) -> BoundQuery { BoundQuery(openLoans, patron) }

    private static func aboutTitle(
        _ id: RowNumber, _ patron: RowNumber, _ copy: Int64?, _ today: CivilDate
    ) -> BoundQuery {
        let values = [patron.value, .date(today), .date(today)] + (copy.map { [.integer($0)] } ?? []) + [id.value]
        return BoundQuery(
            copy == nil ? title : titleOfCopy, values, rows: [(0, patron), (values.count - 1, id)])
    }

    /// Whole years from birth to `today`; nil if unknown or in the future. Who was born on 29 February is a year
    /// older on 1 March of a common year.
    static func age(born: CivilDate?, on today: CivilDate) -> Int64? {
        born.flatMap { $0 <= today ? $0.age(at: today) : nil }
    }
}

extension PatronFacts {
    /// Adds a block in force, as ``FactRepository/patron(_:now:today:)`` says.
    package mutating func add(_ block: BlockFacts) {
        let isSuspension =
            block.kind == PatronBlock.suspensionKind && block.actions.isSuperset(of: BlockFacts.Action.lending)
        if isSuspension { suspendedUntil = max(suspendedUntil ?? .earliest, block.ends ?? .latest) }
        if !isSuspension || block.actions != BlockFacts.Action.lending { blocks.append(block) }
    }
}
