import Circulation
import Storage

/// Where the replay of a sweep is.
struct ReplaySweepRun {
    /// Counted from the first one.
    var number: Int64 = 0
    /// When the first page of the sweep before was written.
    var before: Instant?
    /// When the first page was written.
    var first: Instant?
    /// When the last page was written.
    var last: Instant?
    /// The page last written, by the place of its last loan.
    var marked: DuePosition?
    /// How far loans were looked at; nil: not at all.
    var position: DuePosition?
    var isDone = false
    /// An event that belongs to a page whose loans were looked at already.
    var skipped: Int64?
}

// Sweeps leave a trace in what they wrote. At each of them the candidate is asked what it would have written.
extension RecordedReplay {
    func sweepPage(_ item: ReplayStream.Item, _ body: EventBody) throws {
        guard sweep.skipped != item.record.sequence else { return }
        guard var page = try page(item, body) else { return }
        if body[.noticeRecorded] != nil, let next = try stream.peek(0), next.belongs(to: item),
            let entries = next.body?[.ledgerPosted]
        {
            page.entries = entries
            page.add(try positions(entries.map(\.loan)))
            sweep.skipped = next.record.sequence
        }
        guard let first = page.first, let last = page.last else { return }
        let moment = item.record.at
        let goesOn =
            sweep.last.map { abs(moment.microseconds - $0.microseconds) < 3_600_000_000 } ?? false
            && sweep.marked.map { $0 < first } ?? false
        if !goesOn {
            sweep = ReplaySweepRun(
                number: sweep.number + 1, before: sweep.first, first: moment, skipped: sweep.skipped)
        }
        sweep.last = moment
        sweep.marked = last
        guard looksAtSweeps else { return try checkReach(item, page.notices) }
        guard !sweep.isDone else { return }
        let horizon = try CaseBuilder(session: fold.session(at: moment, as: .desk)).horizon(from: noticesFrom)
        try look(item, page, horizon, through: try isFollowedByPage(item) ? last : nil)
    }

    /// What one page of a sweep wrote.
    private struct Page {
        var first: DuePosition?
        var last: DuePosition?
        var entries: [LedgerEntry] = []
        var notices: [Notice] = []

        mutating func add(_ positions: [DuePosition]) {
            for position in positions {
                first = first.map { min($0, position) } ?? position
                last = last.map { max($0, position) } ?? position
            }
        }
    }

    /// Whether lines of the ledger are what a sweep's questions led to.
    func isOfSweep(_ item: ReplayStream.Item, _ body: EventBody) throws -> Bool {
        if sweep.skipped == item.record.sequence { return true }
        return try page(item, body) != nil
    }

    /// nil if the event is of no sweep.
    private func page(_ item: ReplayStream.Item, _ body: EventBody) throws -> Page? {
        var page = Page()
        if let notices = body[.noticeRecorded] {
            let swept = notices.filter { $0.isOfSweep && $0.carriedBy == nil }
            guard !swept.isEmpty else { return nil }
            page.add(try positions(swept.map(\.loan)))
            page.notices = notices.filter(\.isOfSweep)
        } else if let entries = body[.ledgerPosted] {
            let own = entries.filter { $0.isOfSweep }
            guard !own.isEmpty, try !isOfOneLoan(item, own) else { return nil }
            page.entries = own
            page.add(try positions(own.map(\.loan)))
        } else {
            return nil
        }
        return page
    }

    private func positions(_ loans: [Int64?]) throws -> [DuePosition] {
        try Set(loans.compactMap { $0 }).compactMap { id in
            try fold.loan(id)?.due.map { DuePosition(dueAt: $0.instant, loan: id) }
        }
    }

    private func isFollowedByPage(_ item: ReplayStream.Item) throws -> Bool {
        var offset = 0
        while let next = try stream.peek(offset), next.record.sequence == sweep.skipped { offset += 1 }
        guard let next = try stream.peek(offset), let body = next.body, let page = try page(next, body),
            let marked = sweep.marked, let first = page.first
        else { return false }
        return marked < first
    }

    private func look(
        _ item: ReplayStream.Item, _ page: Page, _ horizon: Instant, through last: DuePosition?
    ) throws {
        var patrons: [Int64: PatronFacts] = [:]
        var owed: [Int64: Int64] = [:]
        let entries = Dictionary(grouping: page.entries) { $0.loan ?? 0 }
        let written = Set(page.notices.compactMap(\.loan))
        let version = try fold.transaction.policies.inForce(at: item.record.at)?.policy
        let session = fold.session(of: item.record, nil)
        let maker = try ReplayCaseBuilder(fold, session)
        while true {
            let loans = try fold.transaction.loans.running(before: horizon, after: sweep.position, limit: 500)
            for loan in loans {
                guard let due = loan.due else { continue }
                let position = DuePosition(dueAt: due.instant, loan: loan.id)
                if let last, last < position { return }
                sweep.position = position
                guard counts(loan.id), let patron = loan.patron else { continue }
                let lines = entries[loan.id] ?? []
                for line in lines where line.kind == .fine || line.kind == .adjustment {
                    owed[patron, default: 0] &+= line.amount.minorUnits
                }
                guard var about = try maker.about(loan, .overdue, nil, person(patron)) else { continue }
                patrons[patron] = about.question.patron
                let added = Money(minorUnits: owed[patron] ?? 0, currency: about.question.currency)
                about.question.patron.feesOwed = try about.question.patron.feesOwed.adding(added)
                try inTurn { [self, question = try asking(about.question), run = sweep.number] in
                    decideNotices(question, loan, due, version, isWritten: written.contains(loan.id), in: run)
                }
                for line in lines where line.kind == .charge { owed[patron, default: 0] &+= line.amount.minorUnits }
            }
            if loans.count < 500 { break }
        }
        sweep.isDone = true
    }

    /// - Parameter isWritten: whether the sweep wrote something about the loan.
    private func decideNotices(
        _ question: Case, _ loan: Loan, _ due: DueTime, _ version: String?, isWritten: Bool, in run: Int64
    ) {
        var question = question
        question.loan?.notices = accounts.notices(loan.id, dueAt: due.instant)
        let moment = question.now
        let isClear = isWithin(loan) && !accounts.isLed(loan.id)
        guard !questions.sparesNotices(question, version, isWritten: isWritten, isClear: isClear) else {
            return accounts.follow(loan.id, in: run)
        }
        accounts.lead(loan.id)
        for effect in candidate.decide(question).effects {
            switch effect {
            case .notice(let order): accounts.order(order, for: loan, at: moment)
            case .charge(let order):
                accounts.post(.charge, order.amount.minorUnits, key: "charge:\(order.key)", loan, at: moment)
            case .fine, .suspend, .rental, .lose: break
            }
        }
    }
}

extension ReplayStream.Item {
    /// Written by the same request, at the same moment.
    func belongs(to other: ReplayStream.Item) -> Bool {
        record.requestID == other.record.requestID && record.at == other.record.at
    }
}

extension LedgerEntry {
    /// Posted by the desk about a loan's lateness.
    var isOfSweep: Bool {
        guard loan != nil else { return false }
        return key.hasPrefix("fine:") || key.hasPrefix("notice:") || key.hasPrefix("charge:loan:")
    }
}
