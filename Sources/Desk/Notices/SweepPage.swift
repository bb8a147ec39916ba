import Circulation
import Storage

/// One page of a sweep: asks the policies about each loan, gathers what is to be written, and writes it by the batch.
struct SweepPage {
    private let session: DeskSession
    private var desk: CaseBuilder
    /// What was posted for each loan of the page.
    private var posted: [Int64: [LedgerEntry]] = [:]
    private let versions: VersionsOfLoans
    /// What is to be put into words once all is known that has to be.
    private var ordered: [(order: PlannedNotice, about: LoanCase)] = []
    private var notices: [Notice] = []
    private var digests = DigestPage()
    private var entries: [LedgerEntry] = []
    private var keys: Set<String> = []
    private var failures: [FailedDecision] = []
    private var losses: [PlannedLoss] = []
    /// A patron's loans often fall due together.
    private var patrons: [PatronAtBranch: KnownPatron] = [:]
    /// For each version whether loans can count as lost under it.
    private var losesLoans: [String: Bool] = [:]
    /// What this page adds to patrons' accounts, in minor units.
    private var owed: [Int64: Int64] = [:]
    /// The loans that were looked at, and when the turn of some comes again on the same day.
    private(set) var looked: [Int64] = []
    private(set) var turns: [Int64: Instant] = [:]

    private struct PatronAtBranch: Hashable {
        var patron: Int64
        var branch: String
    }

    private struct KnownPatron {
        var facts: PatronFacts
        /// Whether the open loans were gathered, which few policies read in a sweep.
        var hasLoans: Bool
    }

    init(_ session: DeskSession) throws {
        self.session = session
        desk = try CaseBuilder(session: session)
        versions = try VersionsOfLoans(session)
    }

    private var transaction: Transaction { session.transaction }

    /// Looks at the next loans.
    ///
    /// - Returns: where the page ended; nil if there was nothing left.
    mutating func look(
        with policy: any LendingPolicy, after position: DuePosition?, limit: Int64
    ) throws -> DuePosition? {
        let horizon = try desk.horizon(of: policy)
        let page = try transaction.loans.running(before: horizon, after: position, limit: limit)
        try look(at: page, with: policy)
        guard let last = page.last, let due = last.due else { return nil }
        return DuePosition(dueAt: due.instant, loan: last.id)
    }

    /// Looks at those of these loans that run and are near their due time.
    mutating func look(with policy: any LendingPolicy, among loans: [Int64]) throws {
        try look(at: transaction.loans.running(among: loans, before: desk.horizon(of: policy)), with: policy)
    }

    private mutating func look(at page: [Loan], with policy: any LendingPolicy) throws {
        let known = try PageFacts(of: page, transaction)
        desk = try CaseBuilder(session: session, known: known)
        posted = known.gathered.lines
        for loan in page {
            looked.append(loan.id)
            if let due = loan.due?.instant, due >= session.now {
                // At the due instant a notice is due, and just after it the loan is late.
                turn(loan, due == session.now ? try due.adding(microseconds: 1) : due)
            }
            try look(at: loan, with: policy)
        }
        try putIntoWords()
    }

    /// Notes that there may be something new to say of a loan from a moment on.
    private mutating func turn(_ loan: Loan, _ moment: Instant?) {
        guard let moment else { return }
        turns[loan.id] = min(turns[loan.id] ?? moment, moment)
    }

    private mutating func look(at loan: Loan, with policy: any LendingPolicy) throws {
        guard let about = try question(about: loan, withLoans: policy.readsOpenLoans(at: .overdue)) else { return }
        if let due = loan.due, due.instant < session.now {
            guard try fine(about, due: due, policy) else { return }
        }
        var question = about.question
        // What was posted a moment ago is owed already.
        let fees = question.patron.feesOwed
        question.patron.feesOwed = try fees.adding(
            Money(minorUnits: owed[question.patron.id] ?? 0, currency: fees.currency))
        let asked = try desk.ask(policy, question, copy: about.copy)
        turn(loan, policy.nextChange(of: asked.decision, for: question))
        guard asked.decision.answer != .failed else { return fail(asked, loan) }
        try carryOut(asked, about)
        if about.question.isPastDue { try lose(about, question, policy) }
    }

    /// The case of a loan, nil if it lacks what decisions need.
    private mutating func question(about loan: Loan, withLoans: Bool) throws -> LoanCase? {
        guard let branch = loan.branch, let patron = loan.patron else { return nil }
        let key = PatronAtBranch(patron: patron, branch: branch)
        if patrons[key] == nil, let facts = try desk.patron(patron, at: branch, withLoans: false) {
            patrons[key] = KnownPatron(facts: facts, hasLoans: false)
        }
        if withLoans { try addLoans(key) }
        guard let known = patrons[key]?.facts else { return nil }
        return try desk.question(.overdue, about: loan, patron: known)
    }

    private mutating func addLoans(_ key: PatronAtBranch) throws {
        guard var known = patrons[key], !known.hasLoans else { return }
        try desk.addLoans(to: &known.facts)
        known.hasLoans = true
        patrons[key] = known
    }

    /// The question with the patron's open loans.
    private mutating func completed(_ question: Case) throws -> Case {
        let key = PatronAtBranch(patron: question.patron.id, branch: question.branch)
        try addLoans(key)
        guard let facts = patrons[key]?.facts else { return question }
        var question = question
        question.patron.loans = facts.loans
        question.patron.overdue = facts.overdue
        question.patron.lost = facts.lost
        return question
    }

    /// - Returns: false if the policy failed, so that this loan is skipped.
    private mutating func fine(_ about: LoanCase, due: DueTime, _ inForce: any LendingPolicy) throws -> Bool {
        guard let version = versions.version(of: about.loan) else { return true }
        do {
            let entry: LedgerEntry? = try Self.asking(version, or: inForce, at: .fine, session) { policy in
                let question = about.at(.fine)
                let isWhole = policy.readsOpenLoans(at: .fine)
                let asked = try desk.ask(policy, isWhole ? try completed(question) : question, copy: about.copy)
                turn(about.loan, policy.nextChange(of: asked.decision, for: asked.question))
                let charged = try session.fees.fines(
                    of: about.loan, dueAt: due.instant, among: posted[about.loan.id] ?? [])
                return try FineDifference(
                    loan: about.loan, due: due, patron: about.question.patron.id, charged: charged,
                    versionChanged: versions.changed(for: about.loan)
                ).entry(after: asked, at: session.now)
            }
            if let entry { try owe(entry) }
            return true
        } catch let refused as Refused {
            try fail(refused, about.loan)
            return false
        }
    }

    /// Most loans are decided by the version in force, which is at hand.
    private static func asking<Result>(
        _ version: String, or inForce: any LendingPolicy, at point: DecisionPoint, _ session: DeskSession,
        _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        if inForce.version == version { return try body(inForce) }
        return try session.policies.asking(version, at: point, body)
    }

    private mutating func fail(_ refused: Refused, _ loan: Loan) throws {
        guard var failed = refused.failed else { throw refused }
        turn(loan, session.now)
        failed.loan = loan.id
        failed.copy = loan.copy
        failed.patron = loan.patron
        failed.title = loan.title
        failures.append(failed)
    }

    private mutating func owe(_ entry: LedgerEntry) throws {
        entries.append(entry)
        keys.insert(entry.key)
        let (sum, overflow) = owed[entry.patron, default: 0].addingReportingOverflow(entry.amount.minorUnits)
        guard !overflow else { throw DeskError.input(nil, "The account of patron \(entry.patron) exceeds 64 bits.") }
        owed[entry.patron] = sum
    }

    private mutating func fail(_ asked: AskedDecision, _ loan: Loan) {
        turn(loan, session.now)
        failures.append(
            FailedDecision(
                point: .overdue, policy: asked.policy, failure: asked.failure, patron: loan.patron, title: loan.title,
                copy: loan.copy, loan: loan.id))
    }
}

// MARK: - What a policy answers

extension SweepPage {
    private mutating func carryOut(_ asked: AskedDecision, _ about: LoanCase) throws {
        for effect in asked.decision.effects {
            switch effect {
            case .notice(let order):
                try note(order, about)
            case .charge(let order):
                try charge(order.amount, key: "charge:loan:\(about.loan.id):\(order.key)", order.label, about)
            case .fine, .suspend, .rental, .lose: break
            }
        }
    }

    /// Asks the version that decided the loan whether its copy counts as lost by now. What was posted for the loan in
    /// this sweep stays, whatever becomes of that.
    private mutating func lose(_ about: LoanCase, _ now: Case, _ inForce: any LendingPolicy) throws {
        guard let version = versions.version(of: about.loan), losesLoans[version] != false else { return }
        do {
            let asked: AskedDecision? = try Self.asking(version, or: inForce, at: .lost, session) { policy in
                losesLoans[version] = policy.losesLoans
                guard policy.losesLoans else { return nil }
                // With the open loans, whatever it reads: an answer that loses the copy is kept with its question.
                var question = try completed(now)
                question.point = .lost
                question.actor = ActorFacts(role: .job, channel: .job)
                let asked = try desk.ask(policy, question, copy: about.copy)
                turn(about.loan, policy.nextChange(of: asked.decision, for: question))
                if asked.decision.answer == .failed { throw Refused(asked, loan: about.loan.id) }
                return asked
            }
            if let asked { try carryOut(lossOf: about, asked) }
        } catch let refused as Refused {
            try fail(refused, about.loan)
        }
    }

    private mutating func carryOut(lossOf about: LoanCase, _ asked: AskedDecision) throws {
        for case .charge(let order) in asked.decision.effects {
            try charge(order.amount, key: "charge:loan:\(about.loan.id):\(order.key)", order.label, about)
        }
        guard let loss = asked.decision.loss else { return }
        var loan = about.loan
        loan.lostAt = session.now
        losses.append(PlannedLoss(loan: loan, copy: about.copy, asked: asked))
        if let fee = loss.fee { try charge(fee, key: LostFee.key(loan.id), session.loans.lostLabel, about) }
        patrons[PatronAtBranch(patron: about.question.patron.id, branch: about.question.branch)]?.facts.lost += 1
    }

    private mutating func note(_ order: PlannedNotice, _ about: LoanCase) throws {
        let loan = about.loan
        ordered.append((order, about))
        guard let charge = order.charge, !order.isSuperseded, let due = loan.due else { return }
        let key = "notice:\(loan.id):\(due.instant):\(order.stage):\(order.repetition)"
        try self.charge(charge, key: key, "Notice: \(order.stage)", about)
    }

    private mutating func charge(_ amount: Money, key: String, _ label: String, _ about: LoanCase) throws {
        guard amount.currency == desk.settings.library.currency, amount.isPositive else { return }
        // The policy answers the same each day; only the first time is it owed.
        guard !keys.contains(key), posted[about.loan.id]?.contains(where: { $0.key == key }) != true else { return }
        try owe(
            LedgerEntry(
                key: key, patron: about.question.patron.id, loan: about.loan.id, kind: .charge, amount: amount,
                label: label, at: session.now))
    }

    private mutating func putIntoWords() throws {
        // What was passed over has no words.
        let said = ordered.filter { !$0.order.isSuperseded }.map(\.about)
        var people: [Int64: Patron] = [:]
        var titles: [Int64: Title] = [:]
        if !said.isEmpty {
            for patron in try transaction.patrons.get(said.map(\.question.patron.id)) { people[patron.id] = patron }
            for title in try transaction.titles.get(said.map(\.copy.title)) { titles[title.id] = title }
        }
        let templates = TextTemplates()
        for (order, about) in ordered {
            let context = TemplateContext(
                patron: people[about.question.patron.id], title: titles[about.copy.title], copy: about.copy,
                loan: about.loan, branch: desk.settings.branch(about.question.branch), library: desk.settings.library,
                now: session.now)
            let notice = try session.notices.notice(order, about: about.loan, context: context, templates)
            if !order.isSuperseded { digests.add(order, notice, place: notices.count, context) }
            notices.append(notice)
        }
    }

    /// Whether there is nothing to be written.
    var isEmpty: Bool { notices.isEmpty && entries.isEmpty && losses.isEmpty && failures.isEmpty }

    /// Writes down what the page came to: one event for all notices, one for all lines of accounts.
    func write(into report: inout SweepReport, _ run: inout DigestRun) throws {
        let merged = try digests.merge(notices, into: &run, session.notices)
        let recorded = try session.notices.record(merged.notices)
        merged.settle(recorded, in: &run)
        report.notices += merged.carriers - merged.withdrawn
        report.merged += merged.withdrawn
        let posted = try session.fees.post(entries)
        for loss in losses { _ = try session.loans.carryOut(loss) }
        report.loans += Int64(looked.count)
        report.lost += Int64(losses.count)
        for notice in recorded {
            if notice.carriedBy != nil {
                report.merged += 1
            } else if notice.state == .superseded {
                report.superseded += 1
            } else {
                report.notices += 1
            }
        }
        report.charges += Int64(posted.count)
        for entry in posted { report.charged = report.charged.addingCapped(entry.amount.minorUnits) }
        for failed in failures {
            try session.record(.policyFailed, failed)
            report.failed += 1
            guard report.failures.count < 100, let loan = failed.loan else { continue }
            report.failures.append(SweepReport.Failure(loan: loan, point: failed.point, failure: failed.failure))
        }
    }
}

extension Int64 {
    fileprivate func addingCapped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
