package import Circulation
package import Desk

/// What a replay found, in figures. It grows with the library, never with its history.
package struct ReplayCounts: Hashable, Sendable {
    /// How the answers to one kind of request, or to one group of patrons, differ.
    package struct Changes: Hashable, Sendable {
        package var requests: Int64 = 0
        /// Granted, and now refused; the other way round; refused for another reason.
        package var refused: Int64 = 0
        package var granted: Int64 = 0
        package var otherReason: Int64 = 0
        /// Granted both times, due earlier or later.
        package var dueEarlier: Int64 = 0
        package var dueLater: Int64 = 0
        /// Granted both times, and something else is another: a price, a suspension, a place in a queue.
        package var otherwise: Int64 = 0
        /// About a loan that the candidate never made.
        package var void: Int64 = 0

        package var differences: Int64 {
            refused + granted + otherReason + dueEarlier + dueLater + otherwise + void
        }

        mutating func add(_ decision: ReplayedDecision) {
            requests += 1
            guard decision.isDifferent else { return }
            let (before, after) = (decision.before, decision.after)
            switch (before.isGranted, after.isGranted) {
            case _ where after.answer == ReplayedAnswer.void.answer: void += 1
            case (true, false): refused += 1
            case (false, true): granted += 1
            case (false, false): otherReason += 1
            case (true, true):
                if let old = before.due, let new = after.due, old != new {
                    if new < old { dueEarlier += 1 } else { dueLater += 1 }
                } else {
                    otherwise += 1
                }
            }
        }
    }

    /// From one answer to another.
    package struct Reason: Hashable, Sendable {
        package var before: String
        package var after: String
    }

    /// A row or line of a policy.
    package struct Place: Hashable, Sendable {
        /// `limits row 2`, `rules row 3`, or the function's name.
        package var what: String
        package var file: String
        package var line: Int
        package var table: PolicyTable?
        package var row: Int?
    }

    /// What a row of a policy does to requests that are answered otherwise than before.
    package struct RowChanges: Hashable, Sendable {
        /// The candidate refuses by it, where the request was granted.
        package var refuses: Int64 = 0
        /// It refused, and the candidate grants.
        package var refused: Int64 = 0
        /// The candidate's due time comes from it, and is another.
        package var movesDue: Int64 = 0
    }

    package struct PatronChanges: Hashable, Sendable {
        package var changes = Changes()
        package var feesBefore: Int64 = 0
        package var feesAfter: Int64 = 0

        var weight: Int64 { changes.differences + (feesBefore == feesAfter ? 0 : 1) }
    }

    package struct Notices: Hashable, Sendable {
        package var same: Int64 = 0
        package var added: Int64 = 0
        package var dropped: Int64 = 0
        package var changed: Int64 = 0

        mutating func add(_ change: ReplayedNotice.Change) {
            switch change {
            case .same: same += 1
            case .added: added += 1
            case .dropped: dropped += 1
            case .changed: changed += 1
            }
        }
    }

    package struct Fees: Hashable, Sendable {
        /// In minor units.
        package var before: Int64 = 0
        package var after: Int64 = 0
        /// Loans that cost another amount.
        package var loans: Int64 = 0
    }

    package var all = Changes()
    package var kinds: [String: Changes] = [:]
    package var categories: [String: Changes] = [:]
    package var itemTypes: [String: Changes] = [:]
    /// `2026-03`, in the library's zone.
    package var months: [String: Changes] = [:]
    package var reasons: [Reason: Int64] = [:]
    package var rows: [Place: RowChanges] = [:]
    package var patrons: [Int64: PatronChanges] = [:]
    /// By how many days due times move, later ones positive.
    package var dueMoves: [Int64: Int64] = [:]
    package var notices = Notices()
    package var stages: [String: Notices] = [:]
    package var fees = Fees()
    package var feeKinds: [ReplayedFee.Kind: Fees] = [:]

    package init() {}
}

extension ReplayCounts {
    mutating func add(_ decision: ReplayedDecision, in zone: Zone) {
        all.add(decision)
        kinds[decision.kind, default: Changes()].add(decision)
        categories[decision.category, default: Changes()].add(decision)
        if let itemType = decision.itemType { itemTypes[itemType, default: Changes()].add(decision) }
        months[String(zone.date(of: decision.at).description.prefix(7)), default: Changes()].add(decision)
        guard decision.isDifferent else { return }
        if let patron = decision.patron { patrons[patron, default: PatronChanges()].changes.add(decision) }
        reasons[Reason(before: decision.before.word, after: decision.afterWord), default: 0] += 1
        addRows(decision)
        if decision.before.isGranted, decision.after.isGranted, let old = decision.before.due,
            let new = decision.after.due, old != new
        {
            dueMoves[Int64(zone.date(of: new).dayNumber) - Int64(zone.date(of: old).dayNumber), default: 0] += 1
        }
    }

    private mutating func addRows(_ decision: ReplayedDecision) {
        let (before, after) = (decision.before, decision.after)
        if !after.isGranted, let place = after.origin.map(Place.init) {
            rows[place, default: RowChanges()].refuses += 1
        }
        if !before.isGranted, after.isGranted, let place = before.origin.map(Place.init) {
            rows[place, default: RowChanges()].refused += 1
        }
        if before.isGranted, after.isGranted, before.due != after.due, let place = after.origin.map(Place.init) {
            rows[place, default: RowChanges()].movesDue += 1
        }
    }

    mutating func add(_ loan: ReplayedLoan) {
        for notice in loan.notices {
            notices.add(notice.change)
            stages[notice.stage, default: Notices()].add(notice.change)
        }
        var (before, after): (Int64, Int64) = (0, 0)
        for fee in loan.fees {
            before &+= fee.before
            after &+= fee.after
            feeKinds[fee.kind, default: Fees()].add(fee.before, fee.after)
        }
        fees.add(before, after)
        if before != after, let patron = loan.patron {
            patrons[patron, default: PatronChanges()].feesBefore &+= before
            patrons[patron, default: PatronChanges()].feesAfter &+= after
        }
    }

    /// Those for whom most changes, the first first.
    package func mostAffected(_ count: Int) -> [(patron: Int64, changes: PatronChanges)] {
        patrons.sorted { one, other in (other.value.weight, one.key) < (one.value.weight, other.key) }
            .prefix(count).map { ($0.key, $0.value) }
    }

    package var hasDifferences: Bool {
        all.differences > 0 || notices.added + notices.dropped + notices.changed > 0 || fees.loans > 0
    }
}

extension ReplayCounts.Fees {
    mutating func add(_ before: Int64, _ after: Int64) {
        self.before &+= before
        self.after &+= after
        if before != after { loans += 1 }
    }
}

extension ReplayCounts.Place {
    init(_ origin: RuleOrigin) {
        table = origin.table
        row = origin.row
        file = origin.file
        line = origin.line
        what = origin.row.flatMap { row in origin.table.map { "\($0.rawValue) row \(row)" } } ?? origin.field ?? ""
    }
}

extension ReplayedDecision {
    /// What becomes of it, also where it stays granted.
    var afterWord: String {
        guard before.isGranted, after.isGranted else { return after.word }
        guard let old = before.due, let new = after.due, old != new else { return "granted otherwise" }
        return new < old ? "due earlier" : "due later"
    }
}

extension ReplayedAnswer {
    /// The refusal's code, else the answer.
    var word: String { isGranted ? "granted" : code ?? answer }
}
