import Circulation

/// An opening calendar of which nothing is known but what holds of all: where it is not known, the branch may be closed
/// on any days, though not for ever.
struct Calendar {
    let path: Path
    /// Whether a function asks. How what it is told goes together with all other days is known; of days that only the desk
    /// reckons it is not.
    var isAsked = false

    /// The longest closure that is reckoned with, in days: ten years, after which a calendar has no open day.
    private static let closure: Int64 = 3_653

    private func moved(
        _ name: String, _ date: Number, _ bounds: (Number) -> Condition, plain: (Number) -> Condition
    ) throws -> Number {
        let moved = try path.number("\(name) \(date.smt)", ProofDomain.reckonedDays)
        try path.assume(bounds(moved))
        path.wish(plain(moved))
        return moved
    }

    /// The date itself, or the next open day.
    func nextOpen(onOrAfter date: Number) throws -> Number {
        let next = try moved("open from", date) {
            date <= $0 && $0 <= date + .constant(Self.closure)
        } plain: {
            $0.equals(date)
        }
        path.say(next, .text("the first open day from"), .date(date), isDate: true)
        try note(closedFrom: date, to: next - .constant(1), open: next)
        return next
    }

    func nextOpen(after date: Number) throws -> Number { try nextOpen(onOrAfter: date + .constant(1)) }

    /// The date itself, or the last open day before it.
    func previousOpen(onOrBefore date: Number) throws -> Number {
        let previous = try moved("open until", date) {
            $0 <= date && date <= $0 + .constant(Self.closure)
        } plain: {
            $0.equals(date)
        }
        path.say(previous, .text("the last open day until"), .date(date), isDate: true)
        try note(closedFrom: previous + .constant(1), to: date, open: previous)
        return previous
    }

    /// Notes days on which the branch is closed, none where the first lies after the last, and one on which it is open.
    private func note(closedFrom first: Number, to last: Number, open: Number) throws {
        for other in path.allLooks.closures where isAsked || other.isAsked {
            try path.assume((other.first <= open && open <= other.last).negated)
            try path.assume((first <= other.open && other.open <= last).negated)
        }
        path.looks.closures.append(.init(first: first, last: last, open: open, isAsked: isAsked))
    }

    func isOpen(_ date: Number) throws -> Condition {
        let next = try nextOpen(onOrAfter: date)
        return next.equals(date)
    }

    /// The date so many open days after another; before it for fewer than none.
    func adding(_ count: Number, to date: Number) throws -> Number {
        let day = try moved("\(count.smt) open days after", date) { moved in
            (.constant(0) < count).implies(date + count <= moved)
                && (count < .constant(0)).implies(moved <= date + count)
                && count.equals(.constant(0)).implies(moved.equals(date))
        } plain: {
            $0.equals(date + count)
        }
        path.say(day, .number(count), .text("open days after"), .date(date), isDate: true)
        return day
    }

    /// How many open days lie after one date, up to and including another; fewer than none backwards.
    func openDays(after start: Number, to end: Number) throws -> Number {
        let days = end - start
        if let constant = days.constant, constant == 0 { return .constant(0) }
        let count = try path.number("open days after \(start.smt) to \(end.smt)", -4_000_000...4_000_000)
        try path.assume(
            (.constant(0) <= days).implies(.constant(0) <= count && count <= days)
                && (days <= .constant(0)).implies(days <= count && count <= .constant(0)))
        path.wish(count.equals(days))
        path.say(count, .text("open days after"), .date(start), .text("until"), .date(end), isDate: false)
        try path.falls("open days to \(end.smt)", from: start, count)
        return count
    }

    /// The time at which a day's hours end, in microseconds; the last second of a closed one.
    func closing(on date: Number) throws -> Number {
        let time = try path.number("closing on \(date.smt)", 0...Self.lastSecond)
        path.say(time, .text("the closing time of"), .date(date), isDate: false)
        path.wish(time.equals(.constant(Self.lastSecond)))
        return time
    }

    static let lastSecond: Int64 = 86_399_000_000
}
