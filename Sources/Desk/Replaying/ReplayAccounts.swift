import Circulation
import Storage

/// What loans led to beside their due times, as it was recorded and as the candidate would have it. Of a loan that has
/// come back nothing is kept.
final class ReplayAccounts {
    /// A notice is unique by these.
    private struct NoticeKey: Hashable {
        var dueAt: Instant
        var stage: String
        var repetition: Int64
    }

    private struct NoticeMark: Hashable {
        var channel: String
        var isSuperseded: Bool
        var at: Instant

        /// The pages of a sweep do not share a moment.
        func isSame(as other: NoticeMark) -> Bool {
            channel == other.channel && isSuperseded == other.isSuperseded
                && abs(at.microseconds - other.at.microseconds) < 3_600_000_000
        }
    }

    private struct Marks {
        var before: NoticeMark?
        var after: NoticeMark?
        /// Recorded before the replay begins.
        var isEarlier = false
    }

    private struct Line {
        var kind: ReplayedFee.Kind
        var amount: Int64
        var at: Instant
    }

    private struct Account {
        var patron: Int64?
        var category = ""
        var notices: [NoticeKey: Marks] = [:]
        var order: [NoticeKey] = []
        var before: [ReplayedFee.Kind: Int64] = [:]
        /// Fines by due time, those before the replay begins apart.
        var fined: [Instant: (earlier: Int64, within: Int64)] = [:]
        /// By key, so that what is asked again each day counts once.
        var after: [String: Line] = [:]
        /// Due times whose fine stays as it was recorded, with the moments at which it was settled.
        var kept: [Instant: Instant] = [:]
        /// The sweep, by its number, whose marks stay as they are recorded; nil: none.
        var followed: Int64?
        /// Whether the candidate was asked what a sweep sends: what later ones send depends on its answer.
        var isLed = false

        /// Posts what a sweep charged, under the key that the candidate's own charge would have.
        mutating func follow(_ entry: LedgerEntry, _ kind: ReplayedFee.Kind, at moment: Instant) {
            guard let loan = entry.loan, !entry.key.hasPrefix("back:") else { return }
            let key: String
            switch kind {
            case .notice: key = "notice:" + entry.key.dropFirst("notice:\(loan):".count)
            case .charge: key = "charge:" + entry.key.dropFirst("charge:loan:\(loan):".count)
            case .fine, .rental, .lost: return
            }
            if after[key] == nil { after[key] = Line(kind: kind, amount: entry.amount.minorUnits, at: moment) }
        }

        mutating func mark(_ key: NoticeKey, _ change: (inout Marks) -> Void) {
            if notices[key] == nil { order.append(key) }
            change(&notices[key, default: Marks()])
        }
    }

    private var accounts: [Int64: Account] = [:]
    /// Loans that came back at the moment of the last events: what else happened then is still to come.
    private var closing: (loans: Set<Int64>, at: Instant?) = ([], nil)
    /// Whether what sweeps write stays as it is recorded, of loans of which nothing else is said.
    var followsSweeps = false
    private let plan: ReplayPlan
    private unowned let observer: any ReplayObserver
    /// Sees to what a loan would have led to, where that is only known at its end.
    var beforeTelling: ((Int64) throws -> Void)?

    init(_ plan: ReplayPlan, _ observer: any ReplayObserver) {
        self.plan = plan
        self.observer = observer
    }
}

// MARK: - As it was

extension ReplayAccounts {
    /// - Parameter run: the sweep that is going on, by its number; 0: none.
    func recorded(_ notices: [Notice], in run: Int64 = 0) {
        for notice in notices {
            guard let loan = notice.loan, let dueAt = notice.dueAt, notice.isOfSweep else { continue }
            let key = NoticeKey(dueAt: dueAt, stage: notice.stage, repetition: notice.repetition)
            let mark = NoticeMark(
                channel: notice.channel, isSuperseded: notice.state == .superseded && notice.carriedBy == nil,
                at: notice.createdAt)
            change(loan) { account in
                account.patron = notice.patron
                let isFollowing = followsSweeps || account.followed == run
                account.mark(key) { marks in
                    marks.before = mark
                    if !plan.covers(notice.createdAt) {
                        marks.isEarlier = true
                        marks.after = mark
                    } else if isFollowing {
                        marks.after = marks.after ?? mark
                    }
                }
            }
        }
    }

    /// - Parameter run: the sweep whose questions led to them, by its number; 0: none.
    func posted(_ entries: [LedgerEntry], at moment: Instant, in run: Int64 = 0) {
        for entry in entries {
            guard let loan = entry.loan, let (kind, dueAt) = Self.heading(of: entry.key, loan) else { continue }
            let isWithin = plan.covers(moment)
            let amount = entry.amount.minorUnits
            change(loan) { account in
                account.patron = entry.patron
                if isWithin {
                    account.before[kind, default: 0] &+= amount
                    if run > 0, followsSweeps || account.followed == run { account.follow(entry, kind, at: moment) }
                }
                guard kind == .fine, let dueAt else { return }
                var sums = account.fined[dueAt] ?? (0, 0)
                if isWithin { sums.within &+= amount } else { sums.earlier &+= amount }
                account.fined[dueAt] = sums
            }
        }
    }

    /// Whether a fine was charged for a due time, and how much before the replay begins.
    func fined(_ loan: Int64, dueAt: Instant) -> (earlier: Int64, within: Int64)? {
        accounts[loan]?.fined[dueAt]
    }

    /// Under what the desk posted a line by itself; nil for what staff or patrons did.
    static func heading(of key: String, _ loan: Int64) -> (ReplayedFee.Kind, Instant?)? {
        let name = key.hasPrefix("back:") ? key.dropFirst("back:".count) : Substring(key)
        if let dueAt = FineDifference.dueAt(in: key, of: loan) { return (.fine, dueAt) }
        if name.hasPrefix("notice:\(loan):") { return (.notice, nil) }
        if name.hasPrefix("charge:loan:\(loan):") { return (.charge, nil) }
        if name.hasPrefix("rental:\(loan):") { return (.rental, nil) }
        return name == "lost:\(loan)" || name.hasPrefix("lost:\(loan):") ? (.lost, nil) : nil
    }
}

// MARK: - As it would be

extension ReplayAccounts {
    /// The notices that the candidate has given for a due time so far, as it sees them when it is asked again.
    func notices(_ loan: Int64, dueAt: Instant) -> [NoticeFacts] {
        guard let account = accounts[loan] else { return [] }
        return account.order.compactMap { key in
            guard key.dueAt == dueAt, let mark = account.notices[key]?.after else { return nil }
            return NoticeFacts(stage: key.stage, repetition: key.repetition, at: mark.at)
        }
    }

    func order(_ order: PlannedNotice, for loan: Loan, at moment: Instant) {
        guard let due = loan.due else { return }
        let key = NoticeKey(dueAt: due.instant, stage: order.stage, repetition: order.repetition)
        change(loan.id) { account in
            account.patron = loan.patron
            account.category = loan.category ?? ""
            account.mark(key) { marks in
                guard marks.after == nil else { return }
                marks.after = NoticeMark(channel: order.channel, isSuperseded: order.isSuperseded, at: moment)
            }
        }
        guard let charge = order.charge, !order.isSuperseded else { return }
        post(
            .notice, charge.minorUnits, key: "notice:\(due.instant):\(order.stage):\(order.repetition)", loan,
            at: moment)
    }

    func post(_ kind: ReplayedFee.Kind, _ amount: Int64, key: String, _ loan: Loan, at moment: Instant) {
        guard amount != 0 else { return }
        change(loan.id) { account in
            account.patron = loan.patron
            account.category = loan.category ?? ""
            if account.after[key] == nil { account.after[key] = Line(kind: kind, amount: amount, at: moment) }
        }
    }

    /// What the fine for a due time comes to, in place of what it was said to come to before.
    func fine(_ amount: Int64, _ loan: Loan, dueAt: Instant, at moment: Instant) {
        let earlier = fined(loan.id, dueAt: dueAt)?.earlier ?? 0
        change(loan.id) { account in
            account.patron = loan.patron
            account.category = loan.category ?? ""
            account.kept[dueAt] = nil
            account.after["fine:\(dueAt)"] = Line(kind: .fine, amount: max(0, amount &- earlier), at: moment)
        }
    }

    /// The fine for a due time comes to what it was recorded to come to, in place of what was said before.
    func keepFine(_ loan: Loan, dueAt: Instant, at moment: Instant) {
        change(loan.id) { account in
            account.patron = loan.patron
            account.category = loan.category ?? ""
            account.after["fine:\(dueAt)"] = nil
            account.kept[dueAt] = moment
        }
    }

    /// Whether the fine for a due time was settled later than at a moment already, as at a loss before the copy was
    /// found.
    func isSettled(_ loan: Int64, dueAt: Instant, after moment: Instant) -> Bool {
        guard let account = accounts[loan], let at = account.kept[dueAt] ?? account.after["fine:\(dueAt)"]?.at else {
            return false
        }
        return moment < at
    }

    /// What a sweep writes of a loan is what the candidate would have it write.
    func follow(_ loan: Int64, in run: Int64) { change(loan) { $0.followed = run } }

    /// What a sweep writes of a loan is not known to be that: the candidate is asked, from now on at each sweep.
    func lead(_ loan: Int64) { change(loan) { ($0.followed, $0.isLed) = (nil, true) } }

    func isLed(_ loan: Int64) -> Bool { accounts[loan]?.isLed ?? false }

    /// A copy turned out to have come back earlier: what was charged since then is taken off, but for the fine of the
    /// present due time, which ends with the moment by itself.
    ///
    /// - Parameter withPresentFine: whether that goes as a whole, since the copy could not be returned then.
    func takeOff(_ loan: Loan, after moment: Instant, withPresentFine: Bool = false) {
        let present = loan.due.map { "fine:\($0.instant)" }
        change(loan.id) { account in
            if let present, withPresentFine { account.after[present] = nil }
            if withPresentFine, let due = loan.due { account.kept[due.instant] = nil }
            account.after = account.after.filter { key, line in
                line.at <= moment || key == present || line.kind == .lost || line.amount < 0
            }
        }
    }

    /// Notices of a loan whose due times may be others than those recorded: the first stands for the first, and so on.
    func simulated(_ notices: [Notice], of loan: Loan) {
        guard !notices.isEmpty else { return }
        change(loan.id) { account in
            account.patron = loan.patron
            account.category = loan.category ?? ""
            let recorded = Set(account.order.map(\.dueAt)).sorted()
            let simulated = Set(notices.compactMap(\.dueAt)).sorted()
            for notice in notices {
                guard let dueAt = notice.dueAt, let place = simulated.firstIndex(of: dueAt) else { continue }
                let key = NoticeKey(
                    dueAt: recorded.indices.contains(place) ? recorded[place] : dueAt, stage: notice.stage,
                    repetition: notice.repetition)
                account.mark(key) { marks in
                    guard !marks.isEarlier else { return }
                    // A stage that was passed over has no words; one that was overtaken by the return has.
                    marks.after = NoticeMark(
                        channel: notice.channel, isSuperseded: notice.state == .superseded && notice.body.isEmpty,
                        at: notice.createdAt)
                }
            }
        }
    }

    func takeBackLoss(_ loan: Loan) {
        change(loan.id) { $0.after["lost"] = nil }
    }
}

// MARK: - Telling

extension ReplayAccounts {
    /// A loan has ended. What follows from it has the same moment.
    func close(_ loan: Int64, at moment: Instant) throws {
        try pass(to: moment)
        closing.loans.insert(loan)
        closing.at = moment
    }

    func pass(to moment: Instant) throws {
        guard let at = closing.at, at != moment else { return }
        for loan in closing.loans.sorted() { try tell(loan) }
        closing = ([], nil)
    }

    /// Reports all remaining loans.
    func end() throws {
        for loan in accounts.keys.sorted() { try tell(loan) }
        closing = ([], nil)
    }

    private func tell(_ loan: Int64) throws {
        try beforeTelling?(loan)
        guard let account = accounts.removeValue(forKey: loan) else { return }
        var told = ReplayedLoan(loan: loan, patron: account.patron, category: account.category)
        for key in account.order {
            guard let marks = account.notices[key], !marks.isEarlier else { continue }
            // A superseded stage was never sent, so it is not missing.
            let before = marks.before.flatMap { $0.isSuperseded ? nil : $0 }
            let after = marks.after.flatMap { $0.isSuperseded ? nil : $0 }
            let change: ReplayedNotice.Change
            switch (before, after) {
            case (nil, nil): continue
            case (nil, _?): change = .added
            case (_?, nil): change = .dropped
            case (let before?, let after?): change = before.isSame(as: after) ? .same : .changed
            }
            told.notices.append(ReplayedNotice(stage: key.stage, repetition: key.repetition, change: change))
        }
        var after: [ReplayedFee.Kind: Int64] = [:]
        for line in account.after.values { after[line.kind, default: 0] &+= line.amount }
        for dueAt in account.kept.keys { after[.fine, default: 0] &+= account.fined[dueAt]?.within ?? 0 }
        for kind in ReplayedFee.Kind.allCases {
            let fee = ReplayedFee(kind: kind, before: account.before[kind] ?? 0, after: after[kind] ?? 0)
            if fee.before != 0 || fee.after != 0 { told.fees.append(fee) }
        }
        if !told.notices.isEmpty || !told.fees.isEmpty { try observer.settled(told) }
    }

    private func change(_ loan: Int64, _ change: (inout Account) -> Void) {
        change(&accounts[loan, default: Account()])
    }
}

extension Notice {
    /// Made by the sweep from a stage of a policy.
    var isOfSweep: Bool { kind == NoticeService.dueSoonKind || kind == NoticeService.overdueKind }
}
