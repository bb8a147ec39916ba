package import Circulation
import Storage

extension LoanService {
    /// Takes a copy back, at a moment of the past if one is given; a future one is refused with `future`.
    ///
    /// The policy version that decided the loan, or its last renewal, says what the lateness costs up to that moment and
    /// whether a suspension follows. If it fails, the copy is taken all the same and the failure is on record. A copy
    /// that came back before a sweep charged for it has the excess taken off, the charges of notices included.
    ///
    /// A lost copy is found by it: nothing is charged for the time since it was declared lost, and the fee for the loss
    /// is taken back within the `lost_refund_within` of the loan's rule, or if the copy had come back before it was
    /// declared lost. What is owed of the fee is waived; what was paid becomes the patron's credit, unless the rule takes
    /// back only what is unpaid (`lost_refund`). A forgiven fine comes back with it if the rule says so
    /// (`lost_found_fine`).
    ///
    /// The copy is then set aside for the first in line who may have it, and the patron gets a message if the policy's
    /// `notify` names the event `returned`. A barcode that is not on loan is a scan: a copy
    /// in transit arrives at its pickup branch, an available one is set aside for who waits for it; a second scan
    /// changes nothing, and one that means nothing is refused with `not_on_loan`.
    package func checkin(_ key: LoanKey, at: Instant? = nil) throws -> Outcome<Checkin> {
        let trail = RequestTrail("checkin")
        return try session.request(trail) {
            if let scanned = try scan(key, trail) { return scanned }
            let loan = try known(key, trail)
            guard loan.returnedAt == nil else { throw Refused("returned", "The loan \(loan.id) has ended.") }
            return try takeBack(loan, at: at)
        }
    }

    /// A copy that is not on loan, nil where its loan is to end or nothing is known of it.
    private func scan(_ key: LoanKey, _ trail: RequestTrail) throws -> Checkin? {
        guard case .barcode(let barcode) = key, let copy = try transaction.copies.find(barcode: barcode) else {
            return nil
        }
        if copy.status == .lost, try transaction.loans.open(copy: copy.id) == nil {
            trail.copy = copy.id
            return try found(lost: copy)
        }
        guard copy.status == .available || copy.status.isSetAside,
            let scanned = try session.holds.scan(copy, at: try here(copy))
        else { return nil }
        trail.copy = copy.id
        return Checkin(loan: nil, copy: scanned.copy, hold: scanned.hold)
    }

    /// Where a copy is handed in.
    func here(_ copy: Copy) throws -> String {
        try CaseBuilder(session: session).branch(copy: copy, home: copy.branch)
    }

    /// The moment given for something that happened to a loan, or now.
    func moment(_ at: Instant?, of loan: Loan) throws -> Instant {
        let moment = at ?? session.now
        guard moment <= session.now else { throw Refused("future", "The time of return cannot be in the future.") }
        guard moment >= loan.lentAt else {
            let day = try session.settingsSnapshot().zone(ofBranch: loan.branch ?? "").date(of: loan.lentAt)
            throw Refused("before_lent", "A copy cannot come back before its loan began, on \(day).")
        }
        return moment
    }

    func takeBack(_ loan: Loan, at: Instant?) throws -> Checkin {
        let moment = try moment(at, of: loan)
        var result = Checkin(loan: loan)
        let settled = try settleFine(of: loan, at: loan.endOfFine(returnedAt: moment))
        result.posted = settled.posted + (try session.fees.takeOff(chargesOf: loan, after: moment))
        result.failures += settled.failures
        let answer = try askCheckin(loan, at: moment)
        result.failures += answer.failures
        result.loan?.returnedAt = moment
        let isHome = session.actor.branch == nil && session.actor.channel == .web
        let back = LoanReturn(
            loan: loan.id, copy: loan.copy, patron: loan.patron, returnedAt: moment,
            branch: isHome ? nil : try CaseBuilder(session: session).branch(copy: nil, home: ""))
        let event = try session.record(.loanReturned, back)
        if let event, let asked = answer.asked, !asked.decision.effects.isEmpty {
            try session.log(asked, under: event.sequence)
        }
        if let patron = loan.patron, let asked = answer.asked {
            for effect in asked.decision.effects { try carryOut(effect, of: loan, patron, &result) }
        }
        let reversed = try reverseLoss(of: loan, at: moment, answer.lost)
        result.posted += reversed.posted
        result.failures += reversed.failures
        try session.notices.supersede(about: loan)
        guard let copy = try loan.copy.flatMap({ try transaction.copies.get($0) }) else { return result }
        if copy.status == .available { result.hold = try session.holds.setAside(copy, at: try here(copy)) }
        result.copy = result.hold == nil ? copy : try transaction.copies.get(copy.id)
        if let patron = loan.patron, let ended = result.loan {
            try session.notices.announce(
                Announcement(.returned, to: patron, copy: copy, loan: ended, branch: try here(copy)))
        }
        return result
    }

    private func carryOut(
        _ effect: Decision.Effect, of loan: Loan, _ patron: Int64, _ result: inout Checkin
    ) throws {
        switch effect {
        case .suspend(let until, _):
            let block = PatronBlock(
                patron: patron, kind: PatronBlock.suspensionKind, actions: BlockFacts.Action.lending,
                createdAt: session.now, ends: until)
            result.suspension = try session.patrons.insert(block)
        case .charge(let order):
            result.posted += try session.fees.post([order.entry(of: loan, at: session.now)].compactMap { $0 })
        case .notice, .fine, .rental, .lose: break
        }
    }

    /// Asks the version of the loan what its return leads to. A failure is written down and answered with nothing.
    private func askCheckin(_ loan: Loan, at moment: Instant) throws -> CheckinAnswer {
        guard let version = try session.policies.version(deciding: loan, at: moment), loan.patron != nil else {
            return CheckinAnswer()
        }
        do {
            return try session.policies.asking(version, at: .checkin) { policy in
                let desk = try CaseBuilder(session: session, now: moment)
                guard let about = try desk.question(.checkin, about: loan) else { return CheckinAnswer() }
                let asked = try desk.ask(policy, about.question, copy: about.copy)
                if asked.decision.answer == .failed { throw Refused(asked, title: loan.title, loan: loan.id) }
                let rule = asked.decision.rule
                return CheckinAnswer(
                    asked: asked, lost: try rule?.refundsLoss(about.question) == true ? rule?.lost : nil)
            }
        } catch let refused as Refused {
            return CheckinAnswer(failures: try session.recordFailure(refused, loan))
        }
    }

    private struct CheckinAnswer {
        var asked: AskedDecision?
        /// What the rule says of losses, if it takes the fee for one back now.
        var lost: LostTerms?
        var failures: [PolicyFailure] = []
    }
}

extension Loan {
    /// Until when a loan that comes back is fined: a lost one until it was declared so, or was claimed to be returned.
    func endOfFine(returnedAt moment: Instant) -> Instant {
        guard let lostAt else { return moment }
        return min(moment, lostAt, claimedAt ?? lostAt)
    }

    /// Until when a lost loan is fined whose rule charges the fine up to the return.
    func endOfFine(foundAt moment: Instant) -> Instant { min(moment, claimedAt ?? moment) }
}

extension LoanService {
    /// Posts what a loan's lateness costs up to a moment beyond what was posted for this due time already, as the version
    /// of the loan has it. A failure is written down; what was posted stays.
    func settleFine(of loan: Loan, at moment: Instant) throws -> (posted: [LedgerEntry], failures: [PolicyFailure]) {
        let versions = try VersionsOfLoans(session, at: moment)
        guard let version = versions.version(of: loan), let due = loan.due, let patron = loan.patron else {
            return ([], [])
        }
        let charged = try session.fees.fines(of: loan, dueAt: due.instant)
        guard moment > due.instant || charged.total != 0 else { return ([], []) }
        do {
            let entry: LedgerEntry? = try session.policies.asking(version, at: .fine) { policy in
                let desk = try CaseBuilder(session: session, now: moment)
                guard let about = try desk.question(.fine, about: loan) else { return nil }
                let asked = try desk.ask(policy, about.question, copy: about.copy)
                return try FineDifference(
                    loan: loan, due: due, patron: patron, charged: charged,
                    versionChanged: versions.changed(for: loan)
                ).entry(after: asked, at: moment)
            }
            return (try entry.map { try session.fees.post([$0]) } ?? [], [])
        } catch let refused as Refused {
            return ([], try session.recordFailure(refused, loan))
        }
    }
}

extension DeskSession {
    /// Writes down that a policy failed about a loan that goes on without it.
    func recordFailure(_ refused: Refused, _ loan: Loan) throws -> [PolicyFailure] {
        guard var failed = refused.failed else { throw refused }
        failed.loan = loan.id
        failed.copy = loan.copy
        failed.patron = loan.patron
        failed.title = loan.title
        try record(.policyFailed, failed)
        return [failed.failure]
    }
}
