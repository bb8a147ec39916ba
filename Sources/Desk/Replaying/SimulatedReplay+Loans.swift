import Circulation
import Storage

// Loans, renewals and returns as the candidate has them.
extension SimulatedReplay {
    func lend(_ item: ReplayStream.Item, _ loan: Loan) throws {
        guard asked.remove(item.record.sequence) == nil else { return }
        guard let first = try recordedCase(item, isExpected: true) else {
            void.insert(loan.id)
            return
        }
        let group = try group(item, loan, size: Int(clamping: first.content.request?.size ?? 1))
        for member in group.loans.dropFirst() { asked.insert(member.item.record.sequence) }
        try adopt(first.content)
        let request = CheckoutRequest(
            patron: .id(first.content.patron.id), wanted: try wanted(group.loans.map(\.loan)), onSite: loan.onSite,
            wantedUntil: first.content.request?.wantedUntil, override: !group.overridden.isEmpty,
            reason: "As recorded")
        let session = fold.session(of: item.record, first.content)
        let outcome = try checkout(request, group.loans.map(\.loan.id), session)
        for (place, member) in group.loans.enumerated() {
            let known = place == 0 ? first : try recordedCase(member.item, isExpected: true)
            guard let known, let before = try before(known.record, member.loan, group.overridden) else { continue }
            let after: ReplayedAnswer
            switch outcome {
            case .done(let planned): after = ReplayedAnswer(planned[place])
            case .refused(let refusal): after = ReplayedAnswer(refusal)
            }
            if !after.isGranted { void.insert(member.loan.id) }
            try tell(member.item, known.content, loan: member.loan.id, before, after)
        }
    }

    /// The copy in hand, if it is there to be had; otherwise any of the title.
    func wanted(_ loans: [Loan]) throws -> CheckoutRequest.Wanted {
        if loans.count == 1, let id = loans[0].copy, let copy = try transaction.copies.get(id), copy.status != .onLoan {
            return .barcode(copy.barcode)
        }
        return .titles(loans.map { .id($0.title ?? 0) })
    }

    /// - Parameter ids: those of the loans; further ones are made up.
    private func checkout(
        _ request: CheckoutRequest, _ ids: [Int64], _ session: DeskSession
    ) throws -> Outcome<[PlannedLoan]> {
        let trail = RequestTrail("checkout")
        return try session.request(trail) {
            guard case .loans(var planned) = try Checkout(request, trail, session).decided() else { return [] }
            for place in planned.indices {
                planned[place].loan.id = ids.indices.contains(place) ? ids[place] : nextOwn
                if !ids.indices.contains(place) { nextOwn += 1 }
                _ = try session.loans.lend(planned[place])
            }
            return planned
        }
    }

    func refuse(_ item: ReplayStream.Item, _ refused: RefusedRequest) throws {
        guard refused.isOfLending,
            let (record, recorded) = try recordedCase(item, isExpected: refused.isDecided)?.parts
        else { return }
        try adopt(recorded)
        guard let before = try before(record, refused) else { return }
        let session = fold.session(of: item.record, recorded)
        let after: ReplayedAnswer
        if let loan = recorded.loan?.id {
            guard !void.contains(loan) else {
                summary.void += 1
                return
            }
            after = answer(try session.loans.renew(.id(loan)), in: session)
        } else if recorded.point == .hold {
            after = try place(recorded, refused.copy, session).answer
        } else {
            after = try grant(recorded, refused, session)
        }
        try tell(item, recorded, loan: refused.loan, before, after)
    }

    /// A request that was refused: the loans it now gets are known here alone.
    private func grant(_ recorded: Case, _ refused: RefusedRequest, _ session: DeskSession) throws -> ReplayedAnswer {
        var wanted = CheckoutRequest.Wanted.titles(refused.titles.map { .id($0) })
        // A copy in hand that the patron has here already would be renewed, which was not requested.
        if let id = refused.copy, let copy = try transaction.copies.get(id),
            try copy.status != .onLoan || transaction.loans.open(copy: id)?.patron != recorded.patron.id
        {
            wanted = .barcode(copy.barcode)
        }
        let request = CheckoutRequest(
            patron: .id(recorded.patron.id), wanted: wanted, onSite: recorded.request?.onSite ?? false,
            wantedUntil: recorded.request?.wantedUntil)
        switch try checkout(request, [], session) {
        case .refused(let refusal): return ReplayedAnswer(refusal)
        case .done(let planned):
            for plan in planned {
                guard let due = plan.loan.due else { continue }
                own[plan.loan.id] = due.instant
                nextReturn = min(nextReturn ?? due.instant, due.instant)
            }
            return planned.first.map { ReplayedAnswer($0) } ?? ReplayedAnswer(answer: "allow")
        }
    }

    func renew(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        guard let (record, recorded) = try recordedCase(item, isExpected: true)?.parts else { return }
        // Loans renew by themselves in the sweep.
        if recorded.actor.role == .job { return try sweep(item) }
        guard !void.contains(change.loan.id) else {
            summary.void += 1
            return
        }
        try adopt(recorded)
        guard var before = try stored(record) else { return }
        before.isOverridden = before.answer != Decision.Answer.allow.rawValue
        before.due = before.due ?? change.loan.due?.instant
        let session = fold.session(of: item.record, recorded)
        let outcome = try session.loans.renew(
            .id(change.loan.id), override: before.isOverridden, reason: "As recorded")
        var after = answer(outcome, in: session)
        if before.isOverridden, after.isGranted {
            (after.answer, after.code, after.isOverridden) = (before.answer, before.code, true)
        }
        try tell(item, recorded, loan: change.loan.id, before, after)
    }

    func answer(_ outcome: Outcome<Loan>, in session: DeskSession) -> ReplayedAnswer {
        switch outcome {
        case .refused(let refusal): return ReplayedAnswer(refusal)
        case .done(let loan):
            var answer = ReplayedAnswer(answer: Decision.Answer.allow.rawValue, due: loan.due?.instant)
            let prefix = "rental:\(loan.id):\(loan.renewals):"
            for line in (try? transaction.ledger.of(loan: loan.id)) ?? [] where line.key.hasPrefix(prefix) {
                answer.cost &+= line.amount.minorUnits
            }
            return answer
        }
    }

    func takeBack(_ item: ReplayStream.Item, _ back: LoanReturn) throws {
        try accounts.close(back.loan, at: item.record.at)
        let known = item.decisions.isEmpty ? nil : try recordedCase(item, isExpected: true)
        let before =
            try known.flatMap { try stored($0.record) } ?? ReplayedAnswer(answer: Decision.Answer.allow.rawValue)
        if let patron = back.patron, let ends = before.suspendedUntil { suspension = (patron, ends) }
        guard void.remove(back.loan) == nil else {
            summary.void += 1
            return
        }
        guard let loan = try transaction.loans.get(back.loan), loan.returnedAt == nil else { return }
        var actor = fold.session(of: item.record, known?.content).actor
        actor.branch = back.branch ?? actor.branch
        let session = fold.session(at: item.record.at, as: actor)
        let outcome = try session.loans.checkin(
            .id(loan.id), at: back.returnedAt < item.record.at ? back.returnedAt : nil)
        guard case .done(let checkin) = outcome, loan.policy != nil else { return }
        var after = ReplayedAnswer(answer: Decision.Answer.allow.rawValue)
        after.suspendedUntil = checkin.suspension?.ends
        for line in checkin.posted where line.key.hasPrefix("charge:loan:") { after.cost &+= line.amount.minorUnits }
        try tell(item, loan, .checkin, before, after)
    }

    func comeBack(by moment: Instant) throws {
        while let next = nextReturn, next <= moment {
            for (loan, due) in own.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) where due <= moment {
                guard let found = try transaction.loans.get(loan), found.returnedAt == nil, found.lostAt == nil else {
                    own[loan] = nil
                    continue
                }
                // It may have been recalled, or have renewed by itself.
                if let later = found.due?.instant, later > due {
                    own[loan] = later
                    continue
                }
                own[loan] = nil
                try accounts.close(loan, at: due)
                _ = try fold.session(at: due, as: .desk).loans.checkin(.id(loan))
            }
            nextReturn = own.values.min()
        }
    }

    func lose(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        let recorded = item.decisions.isEmpty ? nil : try recordedCase(item, isExpected: true)?.content
        if recorded?.actor.role == .job { return try sweep(item) }
        guard !void.contains(change.loan.id) else { return }
        _ = try fold.session(of: item.record, recorded).loans.markLost(.id(change.loan.id))
    }

    func claim(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        guard !void.contains(change.loan.id) else { return }
        _ = try fold.session(of: item.record, nil).loans.claimReturned(
            .id(change.loan.id), at: change.loan.claimedAt)
    }

    func setDue(_ item: ReplayStream.Item, _ change: LoanChange) throws {
        guard var loan = try transaction.loans.get(change.loan.id), loan.returnedAt == nil else { return }
        let session = fold.session(of: item.record, nil)
        if let due = loan.due, isRelieved(loan.id, item) { try session.loans.takeOffFines(of: loan, due) }
        let previous = loan.due?.instant
        loan.due = change.loan.due
        _ = try session.record(.loanDueSet, LoanChange(loan: loan, previousDueAt: previous))
    }
}
