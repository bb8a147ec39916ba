package import Circulation
package import Storage

/// Gathers the facts of cases within one transaction and puts them to policies.
package struct CaseBuilder {
    let session: DeskSession
    package let settings: SettingsSnapshot
    /// The moment for which is asked.
    let now: Instant
    /// What is known already, in a replay or of a page.
    let known: (any KnownFacts)?

    init(session: DeskSession, now: Instant? = nil, known: (any KnownFacts)? = nil) throws {
        self.session = session
        self.known = known
        settings = try session.settingsSnapshot()
        self.now = now ?? session.now
    }

    package init(session: DeskSession) throws { try self.init(session: session, now: nil, known: nil) }

    var transaction: Transaction { session.transaction }

    /// The branch at which the actor works; online the copy's, or the patron's own.
    package func branch(copy: Copy?, home: String) throws -> String {
        if let branch = session.actor.branch {
            guard settings.branch(branch) != nil else {
                throw DeskError.input("branch", "There is no branch \"\(branch)\".")
            }
            return branch
        }
        if session.actor.channel == .web { return copy?.branch ?? home }
        return settings.branches.first?.code ?? home
    }

    /// The facts of a patron; nil if there is none.
    ///
    /// - Parameter withLoans: false where nothing of the open loans is asked for; see ``addLoans(to:)``.
    package func patron(_ id: Int64, at branch: String, withLoans: Bool = true) throws -> PatronFacts? {
        let today = today(at: branch)
        if let known { return try known.patron(id, now: now, today: today) }
        return try transaction.facts.patron(id, now: now, today: today, withLoans: withLoans)
    }

    /// Adds the open loans to the facts of a patron that were gathered without them.
    func addLoans(to patron: inout PatronFacts) throws {
        try transaction.facts.addLoans(to: &patron, now: now)
    }

    private func today(at branch: String?) -> CivilDate { settings.zone(ofBranch: branch ?? "").date(of: now) }

    /// The title as this patron's question sees it: what they wait for themselves is not counted among those who wait.
    package func title(_ id: Int64, for patron: Int64, copy: Int64? = nil) throws -> TitleFacts? {
        let today = today(at: session.actor.branch)
        if let known { return try known.title(id, askedBy: patron, copy: copy, today: today) }
        return try transaction.facts.title(id, askedBy: patron, copy: copy, today: today)
    }

    private func copy(_ id: Int64) throws -> Copy? {
        if let known { return try known.copy(id) }
        return try transaction.copies.get(id)
    }

    private func notices(of loan: Int64, dueAt: Instant) throws -> [NoticeFacts] {
        if let known { return try known.notices(loan: loan, dueAt: dueAt) }
        return try transaction.notices.facts(loan: loan, dueAt: dueAt)
    }

    func facts(of copy: Copy) -> CopyFacts {
        CopyFacts(
            branch: "", branches: settings.branches(from: copy.branch),
            itemTypes: settings.itemTypes(from: copy.itemType), status: copy.status,
            replacementPrice: copy.replacementPrice, location: copy.location, acquiredOn: copy.acquiredOn,
            extra: copy.extra)
    }

    /// The copy as it is offered to a patron, who may find it held for another.
    func facts(of copy: Copy, for patron: Int64, waiting: Int64) throws -> CopyFacts {
        var facts = facts(of: copy)
        facts.heldForOther = try session.holds.isHeldForOther(copy, than: patron, waiting: waiting)
        return facts
    }

    /// What a granted title adds to the patron's open loans.
    func granted(_ title: Int64, _ copy: Copy?, at branch: String, onSite: Bool, due: DueTime) -> OpenLoanFacts {
        OpenLoanFacts(
            title: title, itemTypes: copy.map { settings.itemTypes(from: $0.itemType) } ?? [], branch: "",
            branches: settings.branches(from: branch), copyBranches: copy.map { settings.branches(from: $0.branch) },
            location: copy?.location, onSite: onSite, channel: session.actor.channel, dueAt: due.instant)
    }

    /// A case out of facts that were gathered.
    package func question(
        _ point: DecisionPoint, at branch: String, patron: PatronFacts, title: TitleFacts? = nil,
        copy: CopyFacts? = nil, loan: LoanFacts? = nil, request: RequestFacts? = nil
    ) -> Case {
        Case(
            point: point, now: now, zone: settings.zone(ofBranch: branch),
            calendar: settings.branch(branch)?.calendar ?? .alwaysOpen, branch: "",
            branches: settings.branches(from: branch), currency: settings.library.currency, actor: session.actor.facts,
            patron: patron, title: title, copy: copy,
            loan: loan, request: request)
    }

    /// The loan as a policy sees it; nil for one that counts in statistics only.
    func facts(of loan: Loan) throws -> LoanFacts? {
        guard let due = loan.due else { return nil }
        return LoanFacts(
            id: loan.id, lentAt: loan.lentAt, dueAt: due.instant, originalDueAt: loan.originalDueAt ?? due.instant,
            renewals: loan.renewals, unseenRenewals: loan.unseenRenewals, recalledAt: loan.recalledAt,
            lostAt: loan.lostAt, claimedAt: loan.claimedAt, onSite: loan.onSite,
            notices: try notices(of: loan.id, dueAt: due.instant), noticesSentUntil: loan.noticesSentUntil)
    }

    /// The case of a loan at a point, nil if the loan lacks what decisions need.
    ///
    /// - Parameters:
    ///   - known: the patron's facts, if they were gathered before.
    ///   - withLoans: false where the patron's open loans are not asked for; see ``addLoans(to:)``.
    func question(
        _ point: DecisionPoint, about loan: Loan, patron known: PatronFacts? = nil, withLoans: Bool = true
    ) throws -> LoanCase? {
        guard loan.due != nil, let copyID = loan.copy, let patronID = loan.patron else { return nil }
        if self.known == nil {
            try prefetch(loan, copy: copyID, patron: known == nil ? patronID : nil, withLoans: withLoans)
        }
        guard let facts = try facts(of: loan), let copy = try copy(copyID),
            let title = try title(copy.title, for: patronID, copy: copyID)
        else { return nil }
        let branch = loan.branch ?? copy.branch
        guard let patron = try known ?? patron(patronID, at: branch, withLoans: withLoans) else { return nil }
        let question = question(
            point, at: branch, patron: patron, title: title, copy: self.facts(of: copy), loan: facts)
        return LoanCase(question: question, loan: loan, copy: copy)
    }

    /// How many titles' facts are asked for together.
    static let mostPrefetched = 32

    /// Says beforehand that patron and titles will be asked for.
    ///
    /// - Parameter lending: whether copies will be looked for that can be lent at `branch`.
    func prefetch(patron: Int64, at branch: String, titles: [Int64], lending: Bool) throws {
        try transaction.prefetch {
            Self.questions(
                about: .known(patron), at: branch, titles: titles.map { .known($0) }, lending: lending, by: settings,
                now: now, in: session)
        }
    }

    /// What is asked about patron and titles.
    ///
    /// - Parameters:
    ///   - settings: by whose zones dates are reckoned.
    ///   - now: the moment of which they are the dates.
    static func questions(
        about patron: RowNumber, at branch: String, titles: [RowNumber], lending: Bool, by settings: SettingsSnapshot,
        now: Instant, in session: DeskSession
    ) -> [BoundQuery] {
        let transaction = session.transaction
        func today(at branch: String) -> CivilDate { settings.zone(ofBranch: branch).date(of: now) }
        var questions = transaction.facts.asking(patron: patron, today: today(at: branch))
        if transaction.isWritable { questions.append(LoanRepository.nextID) }
        for title in titles.prefix(mostPrefetched) {
            questions += transaction.facts.asking(
                title: title, askedBy: patron, today: today(at: session.actor.branch ?? ""))
            if lending { questions.append(transaction.copies.asking(title: title, branch: branch)) }
        }
        return questions
    }

    private func prefetch(_ loan: Loan, copy: Int64, patron: Int64?, withLoans: Bool) throws {
        try transaction.prefetch {
            var questions = [transaction.copies.getting(copy)]
            if let title = loan.title, let borrower = loan.patron {
                questions += transaction.facts.asking(
                    title: .known(title), askedBy: .known(borrower), copy: copy,
                    today: today(at: session.actor.branch))
            }
            if let patron, let branch = loan.branch {
                questions += transaction.facts.asking(
                    patron: .known(patron), today: today(at: branch), withLoans: withLoans)
            }
            return questions
        }
    }

    /// Until when loans are due that a notice of the policy may concern: its lead, and for one of days a day more, since
    /// the branch's days do not begin when the period ends.
    func horizon(of policy: any LendingPolicy) throws -> Instant { try horizon(from: policy.noticesFrom) }

    /// - Parameter lead: how long before its due time a loan enters the sweep.
    func horizon(from lead: Period) throws -> Instant {
        let zone = settings.library.zone
        let calendars = settings.branches.map(\.calendar)
        var latest = now
        for calendar in calendars.isEmpty ? [.alwaysOpen] : calendars {
            let end = try lead.added(to: now, in: zone, calendar: calendar)
            latest = max(latest, end)
        }
        // What is due at this very moment is reached.
        return try lead.count == 0 || lead.isElapsed ? latest.adding(microseconds: 1) : latest.adding(hours: 48)
    }

    /// Asks a policy, with what it reads beside what every case has.
    func ask(_ policy: any LendingPolicy, _ question: Case, copy: Copy? = nil) throws -> AskedDecision {
        let question = try completed(question, for: policy)
        return AskedDecision(
            question: question, decision: policy.decide(question), policy: policy.version, copy: copy)
    }
}

/// A loan with the case that was made of it.
struct LoanCase {
    var question: Case
    var loan: Loan
    var copy: Copy

    /// The same facts at another point.
    func at(_ point: DecisionPoint) -> Case {
        var question = question
        question.point = point
        return question
    }
}
