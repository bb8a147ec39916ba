import Circulation
import Storage

extension HoldService {
    /// Places a hold, if the policy in force allows it. If every copy of the title is lent, its loans are then asked for
    /// an earlier due time, the one due next first, until the policy answers one.
    ///
    /// Refused with `unknown_patron`, `unknown_title`, `unknown_copy`, `unknown_branch`, `exists` (the patron has such a
    /// hold), `not_owner`, or as the policy says: `expired`, `blocked`, `suspended`, `not_lent`, `no_rule`, `limit`,
    /// `same_title`, `policy_failed`.
    ///
    /// - Throws: ``DeskError`` for a request that makes no sense.
    package func place(_ request: HoldRequest) throws -> Outcome<QueuedHold> {
        if request.override, request.reason?.contains(where: { !$0.isWhitespace }) != true {
            throw DeskError.input("reason", "An override needs a reason.")
        }
        let trail = RequestTrail("holds.place")
        return try session.request(trail) {
            let planned = try planned(request, trail)
            let (hold, event) = try record(.placed, planned.hold)
            try session.log(planned.asked, under: event)
            if var override = planned.override {
                override.reason = try session.patrons.impersonal(override.reason, about: hold.patron)
                try session.record(.policyOverridden, override)
            }
            try recall(for: hold)
            return try placed(hold)
        }
    }

    /// A hold that was granted and is still to be written.
    private struct PlannedHold {
        var hold: Hold
        var asked: AskedDecision
        var override: PolicyOverride?
    }

    private func planned(_ request: HoldRequest, _ trail: RequestTrail) throws -> PlannedHold {
        let patron = try session.patrons.known(request.patron, trail)
        // Forty requests at once by one patron with a limit of five place five holds.
        guard try transaction.patrons.lock(patron.id) else {
            throw Refused(Refusal.Code.unknownPatron, "There is no such patron.")
        }
        try checkOwner(patron.id)
        let (title, copy) = try wanted(request.wanted, trail)
        try transaction.holds.lockQueue(title: title)
        let desk = try CaseBuilder(session: session)
        let pickup = try request.pickupBranch ?? desk.branch(copy: nil, home: patron.homeBranch)
        _ = try session.settings.known(branch: pickup)
        if let end = request.expiresOn, end < (try today(at: pickup)) {
            throw Refused("past", "A hold cannot end on \(end), because that day has passed.")
        }
        try checkNew(patron.id, title, copy)
        var hold = Hold(
            title: title, copy: copy?.id, patron: patron.id, pickupBranch: pickup, placedAt: session.now,
            expiresOn: request.expiresOn, suspendedUntil: request.suspendedUntil, channel: session.actor.channel)
        guard let activation = try session.policies.inForce() else { throw Refused.noPolicy }
        return try session.policies.asking(activation.policy, at: .hold) { policy in
            do {
                let asked = try ask(policy, desk, hold, copy: copy)
                let override = try session.overridden(
                    asked, wanted: request.override, reason: request.reason, title: title
                ) { reason in
                    PolicyOverride(
                        patron: patron.id, title: title, copy: copy?.id, codes: asked.codes, policy: asked.policy,
                        reason: reason)
                }
                hold.priority = asked.decision.priority ?? 0
                hold.policy = asked.policy
                return PlannedHold(hold: hold, asked: asked, override: override)
            } catch let refused as Refused {
                throw try refused.worded(by: policy, language: patron.language) { _ in
                    try session.loans.context(patron: patron.id, title: title, copy: copy, branch: pickup)
                }
            }
        }
    }

    private func wanted(_ wanted: HoldRequest.Wanted, _ trail: RequestTrail) throws -> (title: Int64, copy: Copy?) {
        switch wanted {
        case .title(let key):
            let title = try session.catalogue.known(key)
            trail.titles = [title.id]
            return (title.id, nil)
        case .copy(let barcode):
            let copy = try session.catalogue.known(barcode: barcode)
            trail.titles = [copy.title]
            trail.copy = copy.id
            guard copy.status != .lost, copy.status != .withdrawn else {
                throw Refused(Refusal.Code.noCopies, "The copy \(copy.barcode) is \(copy.status.rawValue).")
            }
            return (copy.title, copy)
        }
    }

    /// One hold a patron for a title, or one for each of some copies.
    func checkNew(_ patron: Int64, _ title: Int64, _ copy: Copy?) throws {
        let same = try transaction.holds.open(patron: patron).first { other in
            other.title == title && (other.copy == nil || copy == nil || other.copy == copy?.id)
        }
        guard same == nil else { throw Refused("exists", "This account already has a hold on this title.") }
    }

    /// Asks whether the hold may be placed, on the copies by which it could be filled: if the first may not be lent to
    /// this patron, another kind of copy, or one of another branch, may.
    private func ask(_ policy: any LendingPolicy, _ desk: CaseBuilder, _ hold: Hold, copy: Copy?) throws
        -> AskedDecision
    {
        guard let patronID = hold.patron, let titleID = hold.title,
            let patron = try desk.patron(patronID, at: hold.pickupBranch),
            let title = try desk.title(titleID, for: patronID)
        else { throw Refused(Refusal.Code.unknownPatron, "There is no such patron.") }
        let facts = try facts(ofNew: hold, by: patron, of: titleID, desk)
        var first: AskedDecision?
        for candidate in try candidates(titleID, copy, at: hold.pickupBranch) {
            var question = desk.question(
                .hold, at: hold.pickupBranch, patron: patron, title: title, copy: candidate.map { desk.facts(of: $0) })
            question.hold = facts
            let asked = try desk.ask(policy, question, copy: candidate)
            if !asked.isAboutTheCopy { return asked }
            first = first ?? asked
        }
        guard let first else { throw Refused(Refusal.Code.noCopies, "This title has no copies.") }
        return first
    }

    /// A hold that is about to be placed, as a policy sees it.
    func facts(
        ofNew hold: Hold, by patron: PatronFacts, of title: Int64, _ desk: CaseBuilder
    ) throws -> HoldFacts {
        let queue = try transaction.holds.waiting(title: title)
        let dayBegan = desk.settings.zone(ofBranch: hold.pickupBranch).startOfDay(try today(at: hold.pickupBranch))
        return HoldFacts(
            category: patron.category, pickupBranch: hold.pickupBranch, placedAt: hold.placedAt,
            expiresOn: hold.expiresOn, isForCopy: hold.copy != nil,
            position: Int64(queue.count { $0.priority >= 0 }) + 1,
            placedToday: try transaction.holds.placed(by: patron.id, since: dayBegan),
            atPickup: Int64(
                try transaction.holds.open(patron: patron.id).count { $0.pickupBranch == hold.pickupBranch }))
    }

    /// Copies that differ in what rules look at; nil stands for a title without any.
    private func candidates(_ title: Int64, _ copy: Copy?, at branch: String) throws -> [Copy?] {
        if let copy { return [copy] }
        var seen: Set<[String]> = []
        let copies = try transaction.copies.of(title: title)
            .filter { $0.status != .lost && $0.status != .withdrawn }
        let ordered = copies.filter { $0.branch == branch } + copies.filter { $0.branch != branch }
        let distinct = ordered.filter { seen.insert([$0.itemType, $0.branch, $0.location ?? ""]).inserted }
        return distinct.isEmpty ? [nil] : distinct
    }
}

extension AskedDecision {
    /// Whether the refusal is about this copy rather than about the patron or the title.
    var isAboutTheCopy: Bool {
        guard decision.answer == .deny, let reasons = decision.refusal?.reasons else { return false }
        return reasons.contains { $0.code == Refusal.Code.notLent || $0.code == Refusal.Code.noRule }
    }
}
