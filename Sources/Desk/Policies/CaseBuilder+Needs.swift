import Circulation
import Storage

// What is gathered for a policy only where it reads it.
extension CaseBuilder {
    /// The case with what a policy reads beside what every case has, and without what another one had gathered.
    func completed(_ question: Case, for policy: any LendingPolicy) throws -> Case {
        try completed(question, policy.needs(at: question.point))
    }

    func completed(_ question: Case, _ needs: CaseNeeds) throws -> Case {
        var question = question
        question.patron = try completed(question.patron, in: question, needs)
        let start = question.title == nil ? nil : needs.titleHistoryStart(for: question)
        try count(from: start, &question)
        try countHolds(needs.holdsByItemType, &question)
        try countLinked(needs.linked && needs.linkedTitle, &question)
        return question
    }

    /// What those to whom the patron is linked have of the title in question, or that it was not asked.
    private func countLinked(_ isNeeded: Bool, _ question: inout Case) throws {
        guard question.patron.linked != nil else { return }
        guard isNeeded, let title = question.title?.id else {
            question.patron.linked?.setSameTitle(nil)
            return
        }
        question.patron.linked?.setSameTitle(
            try transaction.facts.linkedLoans(of: title, to: question.patron.id, now: question.now))
    }

    /// A case of the past with what a policy reads, as far as the tables still tell: of loans, those that were made before.
    func completed(_ question: Case, beforehand policy: any LendingPolicy) throws -> Case {
        let needs = policy.needs(at: question.point)
        if needs.isEmpty, !question.hasGathered { return question }
        var earlier = question
        earlier.now = (try? question.now.adding(microseconds: -1)) ?? question.now
        var completed = try completed(earlier, needs)
        completed.now = question.now
        return completed
    }

    /// A patron's facts with what the policy reads of them at any of these points, gathered once for all titles of a
    /// request.
    func completed(_ patron: PatronFacts, in question: Case, _ needs: CaseNeeds) throws -> PatronFacts {
        var patron = patron
        try addHistory(from: needs.historyStart(for: question), to: question.now, &patron)
        if needs.owedSince {
            if patron.owedSince == nil { try addOwedSince(to: &patron, in: question.zone) }
        } else {
            patron.owedSince = nil
        }
        if !needs.linked {
            patron.linked = nil
        } else if patron.linked.map({ $0.hasClaims != needs.linkedClaims }) ?? true {
            patron.linked = try transaction.facts.linked(
                to: patron, now: question.now, hasClaims: needs.linkedClaims)
        }
        return patron
    }

    /// The case with what a recorded one says was gathered for it.
    func completed(_ question: Case, as recorded: Case) throws -> Case {
        var question = question
        try addHistory(from: recorded.patron.historySince, to: question.now, &question.patron)
        if recorded.patron.owedSince != nil { try addOwedSince(to: &question.patron, in: question.zone) }
        if let linked = recorded.patron.linked {
            question.patron.linked = try transaction.facts.linked(
                to: question.patron, now: question.now, hasClaims: linked.hasClaims)
            try countLinked(linked.hasTitle, &question)
        }
        try count(from: recorded.title?.timesLentSince, &question)
        question.hold?.itemTypeCounts = nil
        try countHolds(recorded.hold?.itemTypeCounts != nil, &question)
        return question
    }

    private func addHistory(from start: Instant?, to end: Instant, _ patron: inout PatronFacts) throws {
        guard let start else {
            patron.history = []
            patron.historySince = nil
            return
        }
        // One that was cut begins later than it was asked for, and is the same asked for again.
        if let since = patron.historySince, since == start { return }
        try transaction.facts.addHistory(to: &patron, from: start, to: end)
    }

    private func addOwedSince(to patron: inout PatronFacts, in zone: Zone) throws {
        let oldest = try transaction.ledger.oldestDebt(patron: patron.id, owed: patron.feesOwed.minorUnits)
        patron.owedSince = oldest.map(zone.date(of:))
    }

    private func countHolds(_ isNeeded: Bool, _ question: inout Case) throws {
        guard let hold = question.hold, isNeeded else {
            question.hold?.itemTypeCounts = nil
            return
        }
        if hold.itemTypeCounts != nil { return }
        guard let types = question.copy?.itemTypes, let patron = try patron(of: hold, in: question) else {
            question.hold?.itemTypeCounts = [0]
            return
        }
        question.hold?.itemTypeCounts = try transaction.facts.holdCounts(
            patron: patron, of: types, but: hold, title: question.title?.id)
    }

    /// Who wants the hold of a case: where it is asked for and lent, the patron of the case; else another one may.
    private func patron(of hold: HoldFacts, in question: Case) throws -> Int64? {
        if hold.id == 0 || question.point == .hold || question.point == .checkout { return question.patron.id }
        return try transaction.holds.get(hold.id)?.patron
    }

    private func count(from start: Instant?, _ question: inout Case) throws {
        guard let title = question.title else { return }
        if title.timesLentSince == start { return }
        question.title?.timesLentSince = start
        question.title?.timesLent =
            try start.map { try transaction.facts.timesLent(title: title.id, from: $0, to: question.now) } ?? 0
    }
}
