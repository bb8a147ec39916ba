import Circulation
import Storage

// Renewals, returns, losses, recalls and holds.
extension RecordedReplay {
    /// What is late is charged before a renewal or a loss is written, but asked for after: such questions are put before the
    /// charge is applied.
    func askAhead(of entries: [LedgerEntry], _ item: ReplayStream.Item) throws {
        guard let loan = entries.first?.loan, entries.allSatisfy({ $0.loan == loan }) else { return }
        var offset = 0
        while let next = try stream.peek(offset), next.record.requestID == item.record.requestID {
            if let change = next.body?[.loanRenewed], change.loan.id == loan {
                try askRenewal(next, change)
                asked.insert(next.record.sequence)
                return
            }
            guard next.goesAhead else { return }
            offset += 1
        }
    }

    func askAboutLoan(_ item: ReplayStream.Item, _ body: EventBody) throws {
        guard asked.remove(item.record.sequence) == nil else { return }
        if let change = body[.loanRenewed] { try askRenewal(item, change) }
        if let back = body[.loanReturned] { try askReturn(item, back) }
        if let change = body[.loanLost] { try askLoss(item, change) }
        if let change = body[.loanRecalled] { try askRecall(item, change) }
        if let change = body[.loanDueSet] { try askDue(item, change) }
        if let claimed = claim(in: body)?.loan, let moment = claimed.claimedAt, moment < item.record.at {
            try inTurn { [accounts] in accounts.takeOff(claimed, after: moment) }
        }
    }

    private func about(
        _ loan: Int64, _ point: DecisionPoint, _ item: ReplayStream.Item, _ recorded: Case?, at moment: Instant? = nil
    ) throws -> LoanCase? {
        guard let loan = try fold.loan(loan) else { return nil }
        let maker = try ReplayCaseBuilder(fold, fold.session(of: item.record, recorded, at: moment))
        return try maker.about(loan, point, recorded, person(loan.patron))
    }

    private func askRenewal(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        try settleFine(of: change.loan.id, item, at: item.record.at, isPlain: true)
        guard takes(change.loan.id), let recorded = try recordedCase(item, isExpected: true) else { return }
        guard let about = try about(change.loan.id, .renew, item, recorded.content) else {
            return try report(item.record.sequence, "The events know no open loan \(change.loan.id).")
        }
        let put = try asking(about)
        try inTurn { [self] in
            guard try check(recorded, about.question), let before = try stored(recorded.record) else { return }
            try decideRenewal(
                item, change, put, recorded.record, before, isAutomatic: recorded.content.actor.role == .job)
        }
    }

    private func decideRenewal(
        _ item: ReplayStream.Item, _ change: LoanChange, _ about: LoanCase, _ record: DecisionRecord,
        _ stored: ReplayedAnswer, isAutomatic: Bool
    ) throws {
        var before = stored
        before.isOverridden = before.answer != Decision.Answer.allow.rawValue
        if let due = before.due, due != change.loan.due?.instant {
            try contradict(
                item.record.sequence,
                "The stored due time is \(due), by the event \(change.loan.due?.instant.description ?? "none").")
        }
        before.due = before.due ?? change.loan.due?.instant
        let after = try answered(record, about.question, before) {
            let after = answer(about.question, overriding: before)
            guard isAutomatic, after.answer == Decision.Answer.allow.rawValue, !renewsByItself(about) else {
                return after
            }
            return ReplayedAnswer(
                answer: Decision.Answer.deny.rawValue, code: "not_automatic",
                message: "The loan does not renew by itself.", origin: after.origin)
        }
        accounts.post(
            .rental, after.isGranted ? after.cost : 0, key: "rental:\(change.loan.renewals)", change.loan,
            at: item.record.at)
        try tell(item, about.question, loan: change.loan.id, before, after)
    }

    private func renewsByItself(_ about: LoanCase) -> Bool {
        candidate.decide(about.question).rule?.renewsByItself(about.question, renewedAt: about.loan.renewedAt)
            ?? false
    }

    private func askReturn(_ item: ReplayStream.Item, _ back: LoanReturn) throws {
        try inTurn { [accounts] in try accounts.close(back.loan, at: item.record.at) }
        guard let loan = try fold.loan(back.loan) else {
            return try report(item.record.sequence, "The events know no loan \(back.loan).")
        }
        try settleFine(
            of: loan.id, item, at: loan.endOfFine(returnedAt: back.returnedAt),
            isPlain: back.returnedAt == item.record.at && loan.lostAt == nil)
        let hasFailed = failedReturns.remove(loan.id) != nil
        let isTaken = takes(loan.id)
        if back.returnedAt < item.record.at {
            try inTurn { [accounts] in accounts.takeOff(loan, after: back.returnedAt) }
        }
        // A loan that no policy decided is taken back without asking one.
        guard isTaken, loan.policy != nil else { return }
        let known = item.decisions.isEmpty ? nil : try recordedCase(item, isExpected: true)
        guard let about = try about(loan.id, .checkin, item, known?.content, at: back.returnedAt) else { return }
        let put = try asking(about)
        try inTurn { [self] in
            if let known, !hasFailed, try !check(known, about.question) { return }
            try decideReturn(item, back, put, known, hasFailed: hasFailed)
        }
    }

    private func decideReturn(
        _ item: ReplayStream.Item, _ back: LoanReturn, _ about: LoanCase, _ known: RecordedCase?,
        hasFailed: Bool
    ) throws {
        let loan = about.loan
        var before = ReplayedAnswer(answer: Decision.Answer.allow.rawValue)
        if hasFailed {
            before = ReplayedAnswer(answer: Decision.Answer.failed.rawValue, code: Refusal.Code.policyFailed)
        } else if let known {
            guard let answer = try stored(known.record) else { return }
            before = answer
        }
        let versions = known.map { known in known.record.policy.map { [$0] } } ?? questions.versions(of: loan)
        let isClear =
            contradicted != item.record.sequence && !hasFailed && !before.isBroken && before.cost == 0
            && loan.lostAt == nil
        switch questions.request(about.question, of: versions, isClear: isClear) {
        case .spared:
            before.origin = nil
            return try tell(item, about.question, loan: loan.id, before, before)
        case .asked: try tell(item, back, about, before)
        case .checked: try tell(item, back, about, before, isKnown: true)
        }
    }

    /// Asks about a return.
    ///
    /// - Parameter isKnown: it can only stay as it was.
    private func tell(
        _ item: ReplayStream.Item, _ back: LoanReturn, _ about: LoanCase, _ before: ReplayedAnswer,
        isKnown: Bool = false
    ) throws {
        let loan = about.loan
        var before = before
        let decision = candidate.decide(about.question)
        for case .charge(let order) in decision.effects {
            accounts.post(.charge, order.amount.minorUnits, key: "charge:\(order.key)", loan, at: item.record.at)
        }
        if let lostAt = loan.lostAt,
            try back.returnedAt < lostAt || decision.rule?.refundsLoss(about.question) ?? false
        {
            accounts.takeBackLoss(loan)
            try chargeFine(ofFound: loan, item, back, decision)
        }
        var after = ReplayedAnswer(decision)
        // Nothing hangs on the row that says how long such a loan is.
        before.origin = nil
        after.origin = decision.effects.lazy.compactMap(\.origin).first
        if isKnown, !before.isSame(as: after) { throw ReplayDoubt(event: item.record.sequence, reason: .answer) }
        try tell(item, about.question, loan: loan.id, before, after)
    }

    /// The fine up to the return of a copy that was lost, where the rule charges it.
    private func chargeFine(
        ofFound loan: Loan, _ item: ReplayStream.Item, _ back: LoanReturn, _ decision: Decision
    ) throws {
        guard let lostAt = loan.lostAt, back.returnedAt >= lostAt, decision.rule?.lost.fineOfFound == .charge,
            let due = loan.due, back.returnedAt > due.instant,
            var about = try about(
                loan.id, .fine, item, nil, at: loan.endOfFine(foundAt: back.returnedAt))
        else { return }
        about.question.loan?.lostAt = nil
        settleFine(of: loan, about.question, due, isClear: false)
    }

    private func askLoss(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        let loan = change.loan
        try settleFine(of: loan.id, item, at: loan.claimedAt ?? loan.lostAt ?? item.record.at)
        guard takes(loan.id), !item.decisions.isEmpty,
            let recorded = try recordedCase(item, isExpected: true)
        else { return }
        guard var about = try about(loan.id, .lost, item, recorded.content) else { return }
        about.question.loan?.lostAt = recorded.content.loan?.lostAt
        try inTurn { [self, question = try asking(about.question)] in
            guard let before = try stored(recorded.record) else { return }
            try decideLoss(item, loan, question, before)
        }
    }

    private func decideLoss(
        _ item: ReplayStream.Item, _ loan: Loan, _ question: Case, _ before: ReplayedAnswer
    ) throws {
        let decision = candidate.decide(question)
        let after = ReplayedAnswer(decision)
        for case .lose(let fee?, _) in decision.effects {
            accounts.post(.lost, fee.minorUnits, key: "lost", loan, at: item.record.at)
        }
        for case .charge(let order) in decision.effects {
            accounts.post(.charge, order.amount.minorUnits, key: "charge:\(order.key)", loan, at: item.record.at)
        }
        try tell(item, question, loan: loan.id, before, after)
    }

    /// The fine for the due time that ends is what the last sweep made of it; none where a closure took it off.
    private func askDue(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        guard let loan = try fold.loan(change.loan.id), let due = loan.due else { return }
        if isRelieved(loan.id, item) {
            try inTurn { [accounts] in accounts.takeOff(loan, after: due.instant, withPresentFine: true) }
        } else if let last = sweep.last {
            try settleFine(of: loan.id, item, at: last, isOfSweep: true)
        }
    }

    private func askRecall(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        guard takes(change.loan.id), let recorded = try recordedCase(item, isExpected: true),
            let about = try about(change.loan.id, .recall, item, recorded.content)
        else { return }
        let put = try asking(about.question)
        try inTurn { [self] in
            guard try check(recorded, about.question), let before = try stored(recorded.record) else { return }
            let after = try answered(recorded.record, put, before) { ReplayedAnswer(candidate.decide(put)) }
            try tell(item, about.question, loan: change.loan.id, before, after)
        }
    }

    func askHold(_ item: ReplayStream.Item, _ hold: Hold) throws {
        guard takes(), let recorded = try recordedCase(item, isExpected: hold.policy != nil) else { return }
        let maker = try ReplayCaseBuilder(fold, fold.session(of: item.record, recorded.content))
        let copy = try hold.copy.flatMap { try fold.copy($0) }
        guard let question = try maker.hold(recorded.content, copy: copy) else {
            return try report(item.record.sequence, "The events know no such patron or title at that time.")
        }
        let put = try asking(question)
        try inTurn { [self] in
            guard try check(recorded, question), var before = try stored(recorded.record) else { return }
            before.isOverridden = before.answer != Decision.Answer.allow.rawValue
            let after = try answered(recorded.record, put, before) { ReplayedAnswer(candidate.decide(put)) }
            try tell(item, question, loan: nil, before, after)
        }
    }

    /// What the candidate would have charged for a loan's lateness by a moment at which the desk settled it.
    ///
    /// - Parameters:
    ///   - isPlain: whether all that was charged stays.
    ///   - isOfSweep: whether the last sweep settled it, unless it was settled since.
    func settleFine(
        of id: Int64, _ item: ReplayStream.Item, at moment: Instant, isPlain: Bool = false, isOfSweep: Bool = false
    ) throws {
        guard counts(id), let loan = try fold.loan(id), loan.policy != nil, let due = loan.due,
            moment > due.instant || charged.contains(id), let about = try about(id, .fine, item, nil, at: moment)
        else { return }
        let isClear = isPlain && isUndisturbed(loan, item)
        let question = try asking(about.question)
        try inTurn { [self] in
            guard moment > due.instant || accounts.fined(id, dueAt: due.instant) != nil else { return }
            guard !isOfSweep || !accounts.isSettled(id, dueAt: due.instant, after: moment) else { return }
            settleFine(of: loan, question, due, isClear: isClear)
        }
    }

    /// Whether a loan's lateness is what its due time says.
    private func isUndisturbed(_ loan: Loan, _ item: ReplayStream.Item) -> Bool {
        loan.claimedAt == nil && isWithin(loan) && !failedLoans.contains(loan.id) && !isRelieved(loan.id, item)
    }

    private func settleFine(of loan: Loan, _ question: Case, _ due: DueTime, isClear: Bool) {
        if questions.sparesFine(question, loan, isClear: isClear) {
            return accounts.keepFine(loan, dueAt: due.instant, at: question.now)
        }
        let decision = candidate.decide(question)
        // Where it fails, nothing is charged beyond what was.
        guard decision.answer != .failed else { return }
        var accrued: Int64 = 0
        for case .fine(let money, _) in decision.effects { accrued = money.minorUnits }
        accounts.fine(accrued, loan, dueAt: due.instant, at: question.now)
    }

    /// Loans that are not back are fined up to the last sweep.
    func finishFines() throws {
        guard let moment = sweep.last else { return }
        var position: DuePosition?
        while true {
            let page = try fold.transaction.loans.running(before: moment, after: position, limit: 500)
            for loan in page where counts(loan.id) && loan.policy != nil {
                let maker = try ReplayCaseBuilder(fold, fold.session(at: moment, as: .desk))
                guard let due = loan.due, let about = try maker.about(loan, .fine, nil, person(loan.patron)) else {
                    continue
                }
                // It may be that the last sweep was broken off before it came to the loan.
                try inTurn { [self, question = try asking(about.question)] in
                    guard !accounts.isSettled(loan.id, dueAt: due.instant, after: moment) else { return }
                    settleFine(of: loan, question, due, isClear: false)
                }
            }
            guard let last = page.last, let due = last.due else { return }
            position = DuePosition(dueAt: due.instant, loan: last.id)
        }
    }
}

extension Decision.Effect {
    fileprivate var origin: RuleOrigin? {
        switch self {
        case .notice(let order): order.origin
        case .charge(let order): order.origin
        case .fine(_, let origin), .suspend(_, let origin), .rental(_, _, let origin), .lose(_, let origin): origin
        }
    }
}
