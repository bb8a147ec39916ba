package import Circulation
import Storage

extension SettingsService {
    /// Changes a branch's calendar. No loan is moved by it: see ``close(_:_:movingDue:)``.
    package func changeCalendar(
        of code: String, _ change: (inout OpeningCalendar) throws -> Void
    ) throws -> Outcome<Branch> {
        try session.request("calendar.change") {
            var branch = try known(branch: code)
            let before = branch
            try change(&branch.calendar)
            if branch != before { try session.record(.branchUpdated, branch) }
            return branch
        }
    }

    /// Closes a branch on the days of a closure; one that is entered already is not entered again.
    ///
    /// - Parameter movingDue: open loans of that branch that are due on one of these days (unless its weekly hours have it
    ///   closed anyway) move to the next open day, each with one message to its patron; a copy that would leave the hold
    ///   shelf on one of them stays until then. Where the closure is entered late, fines for these due times are taken
    ///   off. Loans that are lost or claimed to be returned stay as they are. It can be done later, too, by closing the
    ///   same days again.
    /// - Returns: how many loans were moved; refused with `unknown_branch`.
    package func close(
        _ code: String, _ closure: OpeningCalendar.Closure, movingDue: Bool = false
    ) throws -> Outcome<Int> {
        try session.request("calendar.close") {
            var branch = try known(branch: code)
            let calendar = branch.calendar
            if !calendar.closed.contains(closure) {
                branch.calendar = try OpeningCalendar(
                    weekly: calendar.weekly, closed: calendar.closed + [closure], yearly: calendar.yearly,
                    opened: calendar.opened)
                try session.record(.branchUpdated, branch)
            }
            guard movingDue else { return 0 }
            let zone = try session.settingsSnapshot().zone(ofBranch: code)
            let closed = ClosedDays(closure: closure, branch: branch, zone: zone)
            try session.holds.extendShelf(over: closed)
            return try session.loans.moveDue(over: closed)
        }
    }

    /// How many due dates a closure would move, and the next open day after it; nil for an unknown branch.
    package func preview(
        _ code: String, _ closure: OpeningCalendar.Closure
    ) throws -> (moved: Int, next: CivilDate?)? {
        guard var branch = try session.settings.branch(code) else { return nil }
        let calendar = branch.calendar
        branch.calendar = try OpeningCalendar(
            weekly: calendar.weekly, closed: calendar.closed + [closure], yearly: calendar.yearly,
            opened: calendar.opened)
        let zone = try session.settingsSnapshot().zone(ofBranch: code)
        let closed = ClosedDays(closure: closure, branch: branch, zone: zone)
        return (try session.loans.dueToMove(over: closed), try? branch.calendar.nextOpen(after: closure.last))
    }
}

/// The days of one closure at a branch, and where what falls on them goes.
struct ClosedDays {
    let closure: OpeningCalendar.Closure
    /// With the closure in its calendar.
    let branch: Branch
    let zone: Zone

    /// Whether a date moves: one of the closure's that would have been open by the weekly hours, and is not.
    func moves(_ date: CivilDate) -> Bool {
        guard date >= closure.first, date <= closure.last, !branch.calendar.isOpen(date) else { return false }
        return !branch.calendar.weekly[date.weekday.rawValue - 1].isEmpty
    }

    /// The first instant of the closure, and the first after it.
    var span: Range<Instant> {
        let start = zone.startOfDay(closure.first)
        let end = (try? closure.last.adding(days: 1)).map { zone.startOfDay($0) } ?? .latest
        return start..<max(start, end)
    }

    /// The next open day.
    func next(after date: CivilDate) throws -> CivilDate { try branch.calendar.nextOpen(after: date) }

    /// The same time of the next open day, within its opening hours.
    func next(after instant: Instant) throws -> Instant {
        let (date, time) = zone.local(of: instant)
        let next = try next(after: date)
        let hours = branch.calendar.hours(on: next)
        let shift = hours.first { $0.closes >= time } ?? hours.last
        let moved = shift.map { min(max(time, $0.opens), $0.closes) } ?? time
        return zone.instant(of: next, moved)
    }
}
