import Circulation
import Storage

/// Decides one request for titles, title after title, and writes nothing.
struct Checkout {
    enum Decided {
        case loans([PlannedLoan])
        /// The patron has the scanned copy already.
        case renewal(Loan)
    }

    private let request: CheckoutRequest
    private let trail: RequestTrail
    private let desk: CaseBuilder
    private var session: DeskSession { desk.session }
    private var transaction: Transaction { desk.transaction }

    init(_ request: CheckoutRequest, _ trail: RequestTrail, _ session: DeskSession) throws {
        self.request = request
        self.trail = trail
        try session.transaction.prefetch { Self.questions(request, session) }
        desk = try CaseBuilder(session: session)
    }

    /// Who borrows and what is in hand, and what is then asked about both, by the settings that were in force a moment ago.
    private static func questions(_ request: CheckoutRequest, _ session: DeskSession) -> [BoundQuery] {
        let transaction = session.transaction
        var questions = transaction.settings.lookingForChanges
        let patron: RowNumber
        switch request.patron {
        case .id(let id):
            questions.append(transaction.patrons.locking(id))
            patron = .known(id)
        case .username(let username):
            let finding = transaction.patrons.finding(username: username)
            questions.append(finding)
            patron = .found(by: finding, column: "id")
        }
        var titles: [RowNumber] = []
        var lending = false
        switch request.wanted {
        case .barcode(let barcode):
            let finding = transaction.copies.finding(barcode: barcode)
            questions.append(finding)
            titles = [.found(by: finding, column: "title")]
        case .titles(let keys):
            lending = true
            for key in keys.prefix(CaseBuilder.mostPrefetched) {
                switch key {
                case .id(let id): titles.append(.known(id))
                case .isbn(let isbn):
                    let finding = transaction.titles.finding(isbn)
                    questions.append(finding)
                    titles.append(.found(by: finding, column: "id"))
                }
            }
        }
        guard let settings = transaction.settings.presumed else { return questions }
        return questions
            + CaseBuilder.questions(
                about: patron, at: session.actor.branch ?? settings.branches.first?.code ?? "", titles: titles,
                lending: lending, by: settings, now: session.presumedNow, in: session)
    }

    func decided() throws -> Decided {
        let patron = try patronID()
        let activation = try session.policies.inForce()
        var scanned: Copy?
        if case .barcode(let barcode) = request.wanted {
            let copy = try session.catalogue.known(barcode: barcode)
            trail.copy = copy.id
            trail.titles = [copy.title]
            if copy.status == .onLoan, let loan = try transaction.loans.open(copy: copy.id), loan.patron == patron {
                try request.checkRenewal()
                return .renewal(loan)
            }
            scanned = copy
        }
        guard let version = activation?.policy else { throw Refused.noPolicy }
        return .loans(
            try session.policies.asking(version, at: .checkout) { policy in
                try decide(policy, patron: patron, scanned: scanned)
            })
    }

    private func patronID() throws -> Int64 {
        let found: Int64? =
            switch request.patron {
            case .id(let id): try transaction.patrons.lock(id) ? id : nil
            case .username(let username): try transaction.patrons.id(username: username)
            }
        guard let found else { throw Refused(Refusal.Code.unknownPatron, "There is no such patron.") }
        trail.patron = found
        return found
    }

    private func decide(_ policy: any LendingPolicy, patron id: Int64, scanned: Copy?) throws -> [PlannedLoan] {
        var progress = Progress(policy: policy, language: nil)
        do {
            let home = try desk.branch(copy: scanned, home: desk.settings.branches.first?.code ?? "")
            let found = try foundTitles(scanned)
            try desk.prefetch(
                patron: id, at: home, titles: found.compactMap(\.id), lending: scanned == nil)
            let wanted = try found.map { try known($0, to: id) }
            trail.titles = wanted.map { $0.id ?? 0 }
            guard var patron = try desk.patron(id, at: home) else {
                throw Refused(Refusal.Code.unknownPatron, "There is no such patron.")
            }
            let needs = policy.needs(at: .checkout)
            if !needs.isEmpty {
                patron = try desk.completed(patron, in: desk.question(.checkout, at: home, patron: patron), needs)
            }
            progress.language = patron.language
            let overridden = try askRequest(policy, patron, wanted, scanned)
            for (index, title) in wanted.enumerated() {
                progress.title = title.id
                try grant(title, index, patron, scanned, &progress)
            }
            progress.title = nil
            try checkStock(progress.planned)
            // The first loan records what was overridden for all; without a loan nothing was overridden.
            if let overridden, let first = progress.planned.first {
                progress.planned[0].override = overridden.merged(with: first.override)
            }
            return progress.planned
        } catch let refused as Refused {
            throw try refused.worded(by: policy, language: progress.language) { title in
                try session.loans.context(
                    patron: id, title: title ?? progress.title ?? trail.titles.first { $0 != 0 }, copy: scanned,
                    branch: session.actor.branch ?? desk.settings.branches.first?.code)
            }
        }
    }

    /// What was decided so far.
    private struct Progress {
        let policy: any LendingPolicy
        var language: String?
        var title: Int64?
        var planned: [PlannedLoan] = []
        var granted: [OpenLoanFacts] = []
    }

    /// A title asked for; without id it is unknown.
    private struct WantedTitle {
        var key: TitleKey
        var id: Int64?
        var facts: TitleFacts?
    }

    private func foundTitles(_ scanned: Copy?) throws -> [WantedTitle] {
        switch request.wanted {
        case .barcode:
            guard let scanned else { return [] }
            return [WantedTitle(key: .id(scanned.title), id: scanned.title)]
        case .titles(let keys):
            return try keys.map { key in
                switch key {
                case .id(let id): WantedTitle(key: key, id: id)
                case .isbn(let isbn): WantedTitle(key: key, id: try transaction.titles.find(isbn)?.id)
                }
            }
        }
    }

    /// A title that was asked for by its id may not exist.
    private func known(_ wanted: WantedTitle, to patron: Int64) throws -> WantedTitle {
        guard case .titles = request.wanted, case .id(let id) = wanted.key else { return wanted }
        let facts = try desk.title(id, for: patron)
        return WantedTitle(key: wanted.key, id: facts?.id, facts: facts)
    }
}

// MARK: - The points

extension Checkout {
    private func facts(_ wanted: [WantedTitle], index: Int, granted: [OpenLoanFacts]) -> RequestFacts {
        RequestFacts(
            size: Int64(wanted.count), titles: wanted.map { $0.id ?? 0 }, index: Int64(index), granted: granted,
            onSite: request.onSite, wantedUntil: request.wantedUntil)
    }

    private func askRequest(
        _ policy: any LendingPolicy, _ patron: PatronFacts, _ wanted: [WantedTitle], _ scanned: Copy?
    ) throws -> PolicyOverride? {
        let branch = try desk.branch(copy: scanned, home: patron.homeBranch)
        let question = desk.question(
            .request, at: branch, patron: patron, request: facts(wanted, index: 0, granted: []))
        let asked = try desk.ask(policy, question)
        trail.asked.append(asked)
        return try overridden(asked, patron: patron.id, title: nil, copy: nil)
    }

    private func grant(
        _ wanted: WantedTitle, _ index: Int, _ patron: PatronFacts, _ scanned: Copy?, _ progress: inout Progress
    ) throws {
        guard let id = wanted.id, let title = try wanted.facts ?? desk.title(id, for: patron.id) else {
            throw CatalogueService.unknown(wanted.key)
        }
        let home = try desk.branch(copy: scanned, home: patron.homeBranch)
        let copy = try scanned ?? candidate(of: title, at: home, for: patron, besides: progress.planned)
        let branch = try desk.branch(copy: copy, home: patron.homeBranch)
        var question = desk.question(
            .checkout, at: branch, patron: patron, title: title,
            copy: try copy.map { try desk.facts(of: $0, for: patron.id, waiting: title.holdsWaiting) })
        question.request = RequestFacts(
            size: Int64(trail.titles.count), titles: trail.titles, index: Int64(index + 1), granted: progress.granted,
            onSite: request.onSite, wantedUntil: request.wantedUntil)
        var asked = try desk.ask(progress.policy, question, copy: copy)
        trail.asked.append(asked)
        let override = try overridden(asked, patron: patron.id, title: id, copy: copy?.id)
        let (due, effects) = try due(of: asked, progress.policy, title: id)
        asked.decision.effects += effects
        progress.granted.append(desk.granted(id, copy, at: branch, onSite: request.onSite, due: due))
        let loan = loan(of: copy, title: id, patron, at: branch, due: due, policy: asked.policy)
        progress.planned.append(PlannedLoan(loan: loan, asked: asked, override: override))
    }

    /// The copy that the title would be lent on. A title asked for twice takes two copies.
    private func candidate(
        of title: TitleFacts, at branch: String, for patron: PatronFacts, besides planned: [PlannedLoan]
    ) throws -> Copy? {
        let taken = planned.compactMap(\.loan.copy)
        // What waits for the patron comes before what anybody could have.
        if patron.holds > 0, let own = try session.holds.copySetAside(of: title.id, for: patron.id),
            !taken.contains(own.id)
        {
            return own
        }
        let first = try transaction.copies.candidate(title: title.id, branch: branch)
        guard let first else { return nil }
        let isHeld = try session.holds.isHeldForOther(first, than: patron.id, waiting: title.holdsWaiting)
        guard isHeld || taken.contains(first.id) else { return first }
        let rest = try transaction.copies.of(title: title.id).filter { copy in
            try !taken.contains(copy.id) && copy.status == .available
                && !session.holds.isHeldForOther(copy, than: patron.id, waiting: title.holdsWaiting)
        }
        // The same copy again: the stock check refuses it.
        return rest.first { $0.branch == branch } ?? rest.first ?? first
    }

    private func loan(
        of copy: Copy?, title: Int64, _ patron: PatronFacts, at branch: String, due: DueTime, policy: String
    ) -> Loan {
        Loan(
            copy: copy?.id, title: title, patron: patron.id, category: patron.category,
            homeBranch: patron.homeBranch, itemType: copy?.itemType, branch: branch, lentAt: session.now, due: due,
            originalDueAt: due.instant, onSite: request.onSite, channel: session.actor.channel, policy: policy)
    }

    /// nil for an allowed title; the override where staff go on in spite of a refusal.
    private func overridden(
        _ asked: AskedDecision, patron: Int64, title: Int64?, copy: Int64?
    ) throws -> PolicyOverride? {
        try session.overridden(asked, wanted: request.override, reason: request.reason, title: title) { reason in
            PolicyOverride(
                patron: patron, title: title, copy: copy, codes: asked.codes, policy: asked.policy, reason: reason)
        }
    }

    /// The due time of an allowed title, or of one that staff lend in spite of the policy, and what else was decided
    /// with it if it had to be asked for.
    private func due(
        of asked: AskedDecision, _ policy: any LendingPolicy, title: Int64
    ) throws -> (DueTime, [Decision.Effect]) {
        if let due = asked.decision.due { return (due, []) }
        var question = asked.question
        question.point = .due
        let second = try desk.ask(policy, question, copy: asked.copy)
        guard second.decision.answer != .failed, let due = second.decision.due else {
            throw Refused(second.withoutDue, title: title)
        }
        return (due, second.decision.effects)
    }

    /// Whether the copy can be lent: to whom it is held was for the policy to say.
    private func isAtHand(_ copy: Copy) throws -> Bool {
        switch copy.status {
        case .available: true
        case .onHoldShelf, .inTransit: try transaction.holds.setAside(copy: copy.id) != nil
        case .onLoan, .lost, .withdrawn: false
        }
    }

    /// Stock comes last, so that the reason given is the policy's before it is the shelf's.
    private func checkStock(_ planned: [PlannedLoan]) throws {
        var taken: Set<Int64> = []
        var reasons: [Refusal.Reason] = []
        for plan in planned {
            let isThere = try plan.asked.copy.map { try isAtHand($0) && taken.insert($0.id).inserted } ?? false
            guard !isThere else { continue }
            reasons.append(
                Refusal.Reason(
                    code: Refusal.Code.noCopies, message: "No copy is available.", title: plan.loan.title))
        }
        guard let first = reasons.first else { return }
        var refused = Refused(Refusal(reasons: reasons, policy: planned.first?.asked.policy))
        refused.asked = planned.first { $0.loan.title == first.title }?.asked
        throw refused
    }
}

extension AskedDecision {
    /// A decision that should have carried a due time and does not is a failure of the policy.
    var withoutDue: AskedDecision {
        guard decision.answer != .failed else { return self }
        var failed = self
        let failure = PolicyFailure(code: "bad_answer", message: "The policy gave no due time.")
        failed.decision.answer = .failed
        failed.decision.failure = failure
        failed.decision.refusal = Refusal(
            code: Refusal.Code.policyFailed, message: failure.message)
        return failed
    }
}

extension PolicyOverride {
    fileprivate func merged(with other: PolicyOverride?) -> PolicyOverride {
        var merged = self
        merged.title = other?.title
        merged.copy = other?.copy
        merged.codes += other?.codes ?? []
        return merged
    }
}
