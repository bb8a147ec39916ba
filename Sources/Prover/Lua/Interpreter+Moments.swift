import Circulation
import LuaSyntax

extension Interpreter {
    func moments(_ operation: BinaryOperator, _ left: Value, _ right: Value, _ site: Site) throws -> Value {
        switch (operation, left, right) {
        case (.subtract, .instant(let one, _), .instant(let other, _)):
            return .period(rounded(one - other), .minutes)
        case (.subtract, .date, .date), (.subtract, .date, .instant), (.subtract, .instant, .date):
            return .period(try day(left) - day(right), .days)
        case (.add, _, .period(let count, let unit)): return try moved(left, count, unit, site)
        case (.add, .period(let count, let unit), _): return try moved(right, count, unit, site)
        case (.subtract, _, .period(let count, let unit)): return try moved(left, count * .constant(-1), unit, site)
        default: throw Raised("attempt to perform arithmetic on a \(left.kind) and a \(right.kind) value", at: site)
        }
    }

    /// Whole minutes, towards zero.
    private func rounded(_ span: Number) -> Number {
        let minute: Int64 = 60_000_000
        return .either(
            .constant(0) <= span, span.divided(by: minute), (span * .constant(-1)).divided(by: minute) * .constant(-1))
    }

    /// A date or instant so much later.
    func moved(_ value: Value, _ count: Number, _ unit: Period.Unit, _ site: Site) throws -> Value {
        switch value {
        case .date(let day):
            if unit == .hours || unit == .minutes {
                throw Raised("a date has no time of day; add hours to an instant", at: site)
            }
            return .date(try date(day, plus: count, unit, site))
        case .instant(let instant, _):
            if unit == .hours || unit == .minutes {
                let length: Int64 = unit == .hours ? 3_600_000_000 : 60_000_000
                return .instant(try checked(instant + count * .constant(length), site), .exact)
            }
            let microseconds = ProofDomain.microsecondsPerDay
            if unit == .days || unit == .weeks {
                let days = unit == .weeks ? count * .constant(7) : count
                return .instant(try checked(instant + days * .constant(microseconds), site), .dateLike)
            }
            let day = try date(instant.divided(by: microseconds), plus: count, unit, site)
            return .instant(day * .constant(microseconds) + instant.modulo(microseconds), .dateLike)
        default: throw Raised("attempt to perform arithmetic on a \(value.kind) value", at: site)
        }
    }

    /// A date that the calendar has.
    private func within(_ day: Number, _ site: Site) throws -> Number {
        let (first, last) = (Int64(CivilDate.earliest.dayNumber), Int64(CivilDate.latest.dayNumber))
        guard try path.holds(.constant(first) <= day && day <= .constant(last)) else {
            throw Raised("the date lies beyond the calendar", at: site)
        }
        return day
    }

    func date(_ day: Number, plus count: Number, _ unit: Period.Unit, _ site: Site) throws -> Number {
        switch unit {
        case .days: return try within(checked(day + count, site), site)
        case .weeks: return try within(checked(day + count * .constant(7), site), site)
        case .openDays: return try Calendar(path: path).adding(count, to: day)
        case .months: return try months(count, after: day, site)
        case .hours, .minutes: throw site.unsettled("hours after a date")
        }
    }

    private func months(_ count: Number, after day: Number, _ site: Site) throws -> Number {
        let count = try resolved(count)
        if let months = count.constant, let start = day.constant {
            guard let end = try? CivilDate(dayNumber: start).adding(months: months) else {
                throw Raised("the date lies beyond the calendar", at: site)
            }
            return .constant(Int64(end.dayNumber))
        }
        guard let months = count.constant else { throw site.unsettled("as many months as the case says") }
        let moved = try path.number("\(months) months after \(day.smt)", ProofDomain.reckonedDays)
        // From 28 days a month, where the month is short, to 31.
        let (least, most) = (min(28 * months, 31 * months), max(28 * months, 31 * months))
        try path.assume(day + .constant(least) <= moved && moved <= day + .constant(most))
        path.approximate(site.unsettled("months, which are not all of one length"))
        path.wish(moved.equals(day + .constant(30 * months)))
        return moved
    }
}
