import Circulation
import Storage

/// Lets the past happen once more under a policy: what people wanted is done at a desk of its own, by the code that
/// does it live, at the moments at which they wanted it.
///
/// Loans that the policy refuses are not there afterwards, so that their returns and renewals are void. Loans that it
/// alone grants come back at their due time. What follows from something else (a hold that is set aside, a recall, a
/// suspension, a sweep's notices and fines) follows from what happens here, not from what was recorded.
final class SimulatedReplay: ReplayRun {
    /// Under ids that no recorded loan has.
    private static let firstOwnLoan: Int64 = 1 << 40

    let tables: Transaction
    private let bundle: PolicyBundle
    private var isUnderWay = false
    /// Recorded loans that were never made here.
    var void: Set<Int64> = []
    /// Loans that were made here alone, with the moment at which they come back.
    var own: [Int64: Instant] = [:]
    var nextReturn: Instant?
    var nextOwn = SimulatedReplay.firstOwnLoan
    /// What recorded holds and blocks are called here.
    var holds: [Int64: Int64] = [:]
    /// Copies on their way to a pickup branch as it was recorded, where they arrive when they did.
    var onTheWay: Set<Int64> = []
    private var blocks: [Int64: Int64] = [:]
    /// What patrons owed as it was recorded, in minor units.
    private var balances: [Int64: Int64] = [:]
    /// The suspension that a recorded return led to, until its block is read.
    var suspension: (patron: Int64, ends: CivilDate)?
    private var lastSweep: (request: String, at: Instant)?
    private var adopted: [Int64: KnownPerson] = [:]

    init(
        _ plan: ReplayPlan, _ candidate: any LendingPolicy, _ bundle: PolicyBundle, from tables: Transaction,
        _ fold: ReplayFold, _ observer: any ReplayObserver
    ) throws {
        self.tables = tables
        self.bundle = bundle
        try super.init(plan, candidate, from: tables, fold, observer)
        accounts.beforeTelling = { [unowned self] loan in try fill(loan) }
    }

    var transaction: Transaction { fold.transaction }

    override func take(_ item: ReplayStream.Item, _ body: EventBody) throws {
        if !isUnderWay {
            guard plan.covers(item.record.at), ReplayPlan.kinds.contains(item.record.kind) || item.isArrival else {
                return try repeatAsRecorded(item, body)
            }
            try begin()
        }
        try comeBack(by: item.record.at)
        try accounts.pass(to: item.record.at)
        try live(item, body)
    }

    override func finish() throws {
        guard isUnderWay else { return }
        try transaction.loans.forEach(LoanQuery(state: .open)) { loan in
            try fill(loan.id)
            return true
        }
    }

    /// What came before the replay is as it was.
    private func repeatAsRecorded(_ item: ReplayStream.Item, _ body: EventBody) throws {
        note(body, at: item.record.at)
        if var activated = body[.policyActivated] {
            activated.bundle = try tables.policies.bundle(activated.activation.policy)
            return try fold.apply(EventBody(.policyActivated, activated))
        }
        try fold.apply(body)
    }

    /// From here on the candidate decides.
    private func begin() throws {
        isUnderWay = true
        try transaction.policies.insert(bundle)
        try transaction.holds.forEach { hold in
            if hold.closedAt == nil { holds[hold.id] = hold.id }
            if hold.state == .transit, let copy = hold.heldCopy { onTheWay.insert(copy) }
            return true
        }
    }

    func note(_ body: EventBody, at moment: Instant) {
        if let notices = body[.noticeRecorded] { accounts.recorded(notices) }
        if let entries = body[.ledgerPosted] {
            accounts.posted(entries, at: moment)
            for entry in entries { balances[entry.patron, default: 0] &+= entry.amount.minorUnits }
        }
    }

    private func live(_ item: ReplayStream.Item, _ body: EventBody) throws {
        if let loan = body[.loanMade] { return try lend(item, loan) }
        if let loan = body[.loanImported] { return try arrive(item, loan) }
        if let refused = body[.requestRefused] { return try refuse(item, refused) }
        if let change = body[.loanRenewed] { return try renew(item, change) }
        if let back = body[.loanReturned] { return try takeBack(item, back) }
        if let change = body[.loanLost] { return try lose(item, change) }
        if let change = claim(in: body) { return try claim(item, change) }
        if let change = body[.loanDueSet] { return try setDue(item, change) }
        if let change = body.content(HoldChange.self) { return try follow(item, change) }
        if let moved = body[.holdsMoved] { return try move(item, moved) }
        if let entries = body[.ledgerPosted] { return try post(item, entries) }
        if let notices = body[.noticeRecorded] {
            note(body, at: item.record.at)
            if notices.contains(where: \.isOfSweep) { try sweep(item) }
            return
        }
        if let made = body[.patronBlocked] { return try block(made) }
        if let block = body[.patronUnblocked] { return try unblock(block) }
        if Self.consequences.contains(body.kind) { return }
        try keep(body)
        if let copy = body[.copyWithdrawn] ?? body[.copyUpdated] { try letGo(of: copy.id, item) }
    }

    /// These follow from what happens here.
    private static let consequences: Set<String> = [
        EventKind.loanRecalled.name, EventKind.policyActivated.name, EventKind.policyWithdrawn.name,
    ]

    // MARK: - People and copies

    /// What no policy decides happens as it did, unless it cannot happen here.
    func keep(_ body: EventBody) throws {
        var body = body
        if let copy = body[.copyUpdated] { body = EventBody(.copyUpdated, try here(copy)) }
        if let copy = body[.copyWithdrawn] { body = EventBody(.copyWithdrawn, try here(copy)) }
        if let removed = body[.patronRemoved] {
            for loan in try transaction.loans.open(patron: removed.id) {
                try transaction.loans.setReturned(loan.id, at: loan.lentAt)
                if let copy = loan.copy { try transaction.copies.setStatus(.available, of: copy) }
            }
        }
        do {
            try transaction.savepoint { try fold.apply(body) }
        } catch let error as StoreError where error.code != .interrupted {
            // A title with a loan that only exists here cannot go, and the like.
            return
        }
        if let change = body[.patronUpdated] { adopted[change.patron.id] = nil }
    }

    /// A copy as it was changed, where it is here.
    func here(_ copy: Copy) throws -> Copy {
        guard let known = try transaction.copies.get(copy.id) else { return copy }
        var changed = copy
        let isGone = copy.status == .withdrawn || copy.status == .lost
        if known.status == .onLoan || !isGone { changed.status = known.status }
        if copy.status == .available, known.status == .lost || known.status == .withdrawn {
            changed.status = .available
        }
        return changed
    }

    /// Makes a patron's age and `extra` known here, as the recorded case has them.
    func adopt(_ recorded: Case) throws {
        let id = recorded.patron.id
        guard let known = KnownPerson(recorded.patron), adopted[id] != known,
            var patron = try transaction.patrons.get(id)
        else { return }
        adopted[id] = known
        patron.extra = known.extra
        patron.birthDate = try known.age.map { age in
            let today = recorded.today
            return try CivilDate(year: today.year - Int(age), month: today.month, day: min(today.day, 28))
        }
        try transaction.patrons.update(patron)
    }

    private func block(_ block: PatronBlock) throws {
        if let known = suspension, block.patron == known.patron, block.ends == known.ends,
            block.kind == PatronBlock.suspensionKind
        {
            suspension = nil
            return
        }
        var here = block
        here.id = 0
        guard let made = try EventKind.patronBlocked.apply(here, transaction) else {
            return
        }
        blocks[block.id] = made.id
    }

    private func unblock(_ block: PatronBlock) throws {
        if let id = blocks.removeValue(forKey: block.id) {
            var here = block
            here.id = id
            return try fold.apply(EventBody(.patronUnblocked, here))
        }
        // A suspension that came about here by itself.
        for own in try transaction.blocks.of(patron: block.patron)
        where own.kind == block.kind && own.liftedAt == nil {
            var lifted = own
            lifted.liftedAt = block.liftedAt
            try fold.apply(EventBody(.patronUnblocked, lifted))
        }
    }

    // MARK: - Sweeps and accounts

    /// One sweep for each that was recorded; its pages come one after another.
    func sweep(_ item: ReplayStream.Item) throws {
        if let last = lastSweep {
            let passed = item.record.at.microseconds - last.at.microseconds
            if last.request == item.record.requestID && passed == 0 || (1..<3_600_000_000).contains(passed) { return }
        }
        lastSweep = (item.record.requestID, item.record.at)
        let session = fold.session(of: item.record, nil)
        try arrive(session)
        _ = try session.notices.sweep()
    }

    /// What is on its way to a pickup branch here alone gets there.
    private func arrive(_ session: DeskSession) throws {
        var copies: [(barcode: String, branch: String)] = []
        for id in holds.values.sorted() {
            guard let hold = try transaction.holds.get(id), hold.state == .transit, let held = hold.heldCopy,
                !onTheWay.contains(held), let copy = try transaction.copies.get(held)
            else { continue }
            copies.append((copy.barcode, hold.pickupBranch))
        }
        for (barcode, branch) in copies {
            var actor = session.actor
            actor.branch = branch
            _ = try fold.session(at: session.now, as: actor).loans.checkin(.barcode(barcode))
        }
    }

    private func post(_ item: ReplayStream.Item, _ entries: [LedgerEntry]) throws {
        let manual = entries.filter { entry in
            entry.loan.map { ReplayAccounts.heading(of: entry.key, $0) == nil } ?? true
        }
        if !manual.isEmpty { try post(manual, item) }
        note(EventBody(.ledgerPosted, entries), at: item.record.at)
        noteRelief(entries, item)
        if entries.contains(where: \.isOfSweep), try !isOfOneLoan(item, entries.filter(\.isOfSweep)) {
            try sweep(item)
        }
    }

    /// Patrons pay what they owe here, not what they once owed: all of it where they once paid all.
    private func post(_ manual: [LedgerEntry], _ item: ReplayStream.Item) throws {
        let session = fold.session(of: item.record, nil)
        for var entry in manual {
            entry.id = 0
            if entry.amount.isNegative {
                let owed = max(0, try session.fees.balance(of: entry.patron).minorUnits)
                let relief = -max(entry.amount.minorUnits, -.max)
                let isAll = relief >= balances[entry.patron, default: 0]
                let amount = isAll ? owed : min(owed, relief)
                guard amount > 0 else { continue }
                entry.amount = Money(minorUnits: -amount, currency: entry.amount.currency)
            }
            _ = try session.record(.ledgerPosted, [entry])
        }
    }

    /// What a loan led to here.
    private func fill(_ loan: Int64) throws {
        guard isUnderWay, let found = try transaction.loans.get(loan) else { return }
        for line in try transaction.ledger.of(loan: loan) where plan.covers(line.at) {
            guard let (kind, _) = ReplayAccounts.heading(of: line.key, loan) else { continue }
            accounts.post(kind, line.amount.minorUnits, key: line.key, found, at: line.at)
        }
        var notices: [Notice] = []
        try transaction.notices.forEach(NoticeQuery(loan: loan)) { notice in
            if notice.isOfSweep { notices.append(notice) }
            return true
        }
        accounts.simulated(notices, of: found)
    }

    func tell(
        _ item: ReplayStream.Item, _ loan: Loan, _ point: DecisionPoint, _ before: ReplayedAnswer,
        _ after: ReplayedAnswer
    ) throws {
        guard plan.covers(item.record.at) else { return }
        summary.requests += 1
        summary.first = summary.first ?? item.record.at
        summary.last = item.record.at
        try observer.decided(
            ReplayedDecision(
                event: item.record.sequence, at: item.record.at, kind: item.record.kind, point: point,
                patron: loan.patron, loan: loan.id, title: loan.title, category: loan.category ?? "",
                itemType: loan.itemType, branch: loan.branch ?? "", before: before, after: after))
    }
}

extension ReplayedAnswer {
    init(_ planned: PlannedLoan) {
        self.init(planned.asked.decision)
        due = planned.loan.due?.instant
        isOverridden = planned.override != nil && answer != Decision.Answer.allow.rawValue
    }

    init(_ refusal: Refusal) {
        let answer: Decision.Answer =
            refusal.code == Refusal.Code.policyFailed ? .failed : refusal.isQuestion ? .confirm : .deny
        self.init(answer: answer.rawValue, code: refusal.code, message: refusal.message, origin: refusal.origin)
    }
}
