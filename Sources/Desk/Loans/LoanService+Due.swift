package import Circulation
import Storage

extension LoanService {
    /// Moves the due time to a date: due at closing time of the lending branch, at the end of the day where it is closed.
    package func setDue(_ key: LoanKey, date: CivilDate, reason: String) throws -> Outcome<Loan> {
        try setDue(key, reason) { loan in
            let settings = try session.settingsSnapshot()
            return try Self.due(on: date, at: loan.branch.flatMap { settings.branch($0) }, settings.library.zone)
        }
    }

    /// Moves the due time to an instant, as it stands.
    package func setDue(_ key: LoanKey, instant: Instant, reason: String) throws -> Outcome<Loan> {
        try setDue(key, reason) { loan in
            let zone = try session.settingsSnapshot().zone(ofBranch: loan.branch ?? "")
            return DueTime(instant: instant, date: zone.date(of: instant), isExact: true)
        }
    }

    private func setDue(
        _ key: LoanKey, _ reason: String, _ due: (Loan) throws -> DueTime
    ) throws -> Outcome<Loan> {
        let trail = RequestTrail("set_due")
        return try session.request(trail) {
            let loan = try knownOpen(key, trail)
            try checkRunning(loan)
            let due = try due(loan)
            guard due.instant > loan.lentAt else {
                throw Refused("before_lent", "The loan did not begin until \(loan.lentAt).")
            }
            if due != loan.due { try session.notices.supersede(about: loan) }
            return try move(loan, to: due, reason: try session.patrons.impersonal(reason, about: loan.patron))
        }
    }

    func move(_ loan: Loan, to due: DueTime, reason: String) throws -> Loan {
        guard due != loan.due else { return loan }
        var moved = loan
        moved.due = due
        try session.record(
            .loanDueSet,
            LoanChange(loan: moved, previousDueAt: loan.due?.instant, reason: reason.isEmpty ? nil : reason))
        return moved
    }

    /// A due date of a branch (nil or unknown: the library's first one): due at its closing time, or at the end of a day
    /// on which it is closed.
    package func dueTime(on date: CivilDate, branch code: String?) throws -> DueTime {
        let settings = try session.settingsSnapshot()
        let branch = code.flatMap { settings.branch($0) } ?? settings.branches.first
        return try Self.due(on: date, at: branch, settings.library.zone)
    }

    /// A date-like due time at closing time, or at the end of a closed day: its last second, as policies have it, since
    /// the moment after belongs to the next day and lateness would begin a day later.
    static func due(on date: CivilDate, at branch: Branch?, _ library: Zone) throws -> DueTime {
        let zone = branch?.zone ?? library
        let time = min(branch?.calendar.closingTime(on: date) ?? .lastSecond, .lastSecond)
        return DueTime(instant: zone.instant(of: date, time), date: date, isExact: false)
    }
}
