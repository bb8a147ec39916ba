import Circulation
import Storage

extension LoanService {
    /// Moves the running loans of a branch that are due on days of a closure to the next open day, each with one
    /// message to its patron.
    ///
    /// - Returns: how many were moved.
    func moveDue(over closed: ClosedDays) throws -> Int { try count(over: closed) { try move($0, over: closed) } }

    /// How many loans would be moved.
    func dueToMove(over closed: ClosedDays) throws -> Int {
        try count(over: closed) { try newDue(of: $0, over: closed) != nil }
    }

    /// Of how many running loans that fall on closed days at the branch the body says yes.
    private func count(over closed: ClosedDays, _ body: (Loan) throws -> Bool) throws -> Int {
        var count = 0
        let span = closed.span
        // The end of a day belongs to it, and so does an instant on it.
        let end = (try? span.upperBound.adding(microseconds: 1)) ?? span.upperBound
        var position = DuePosition(dueAt: span.lowerBound, loan: .min)
        while true {
            let page = try transaction.loans.running(before: end, after: position, limit: Self.pageSize)
            for loan in page where loan.branch == closed.branch.code {
                if try body(loan) { count += 1 }
            }
            guard let last = page.last, let due = last.due else { return count }
            position = DuePosition(dueAt: due.instant, loan: last.id)
        }
    }

    /// Where the due time of a loan goes; nil: it stays.
    private func newDue(of loan: Loan, over closed: ClosedDays) throws -> DueTime? {
        guard let due = loan.due, closed.moves(due.date) else { return nil }
        let next = try self.next(due, after: closed)
        return next.instant > due.instant ? next : nil
    }

    private func move(_ loan: Loan, over closed: ClosedDays) throws -> Bool {
        guard let due = loan.due, let next = try newDue(of: loan, over: closed) else { return false }
        try takeOffFines(of: loan, due)
        try session.notices.supersede(about: loan)
        let reason = closed.closure.reason
        let moved = try move(loan, to: next, reason: try session.patrons.impersonal(reason, about: loan.patron))
        if let patron = moved.patron {
            try session.notices.announce(
                Announcement(.dueMoved, to: patron, loan: moved, branch: closed.branch.code))
        }
        return true
    }

    private func next(_ due: DueTime, after closed: ClosedDays) throws -> DueTime {
        if due.isExact {
            let instant = try closed.next(after: due.instant)
            return DueTime(instant: instant, date: closed.zone.date(of: instant), isExact: true)
        }
        return try Self.due(on: closed.next(after: due.date), at: closed.branch, closed.zone)
    }

    /// Takes off what was charged for a due time on which the copy could not be returned.
    func takeOffFines(of loan: Loan, _ due: DueTime) throws {
        guard due.instant < session.now, let patron = loan.patron else { return }
        let charged = try session.fees.fines(of: loan, dueAt: due.instant)
        if charged.total > 0 {
            let currency = try session.fees.currency()
            _ = try session.fees.post([
                LedgerEntry(
                    key: FineDifference.prefix(loan.id, due.instant) + "closed", patron: patron, loan: loan.id,
                    kind: .adjustment, amount: Money(minorUnits: -charged.total, currency: currency),
                    label: "Fine, closed on the due date", at: session.now)
            ])
        }
        _ = try session.fees.takeOff(chargesOf: loan, after: due.instant)
    }
}

extension HoldService {
    /// Keeps copies on the hold shelf that would leave it on days of a closure until the next open day, and tells their
    /// patrons.
    func extendShelf(over closed: ClosedDays) throws {
        for hold in try transaction.holds.unfetched(before: closed.span.upperBound, limit: .max)
        where hold.pickupBranch == closed.branch.code {
            guard let until = hold.shelfUntil else { continue }
            let (date, time) = closed.zone.local(of: until)
            guard until >= session.now, closed.moves(date) else { continue }
            var kept = hold
            kept.shelfUntil = closed.zone.instant(of: try closed.next(after: date), time)
            kept = try record(.shelfExtended, kept, reason: closed.closure.reason).hold
            guard let patron = kept.patron, let id = kept.heldCopy, let copy = try transaction.copies.get(id) else {
                continue
            }
            try session.notices.announce(
                Announcement(.holdReady, to: patron, copy: copy, hold: kept, branch: kept.pickupBranch))
        }
    }
}
