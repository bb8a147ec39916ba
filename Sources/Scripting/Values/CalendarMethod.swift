package import Circulation
package import LuaRuntime

/// The methods of an opening calendar, for `case.calendar` in policies and `calendar` in scripts.
///
/// A date gives a date. An instant keeps its time of day, and keeps whether it stands for a date or a moment.
package enum CalendarMethod: String, CaseIterable, Sendable {
    case isOpen = "is_open"
    case nextOpen = "next_open"
    case nextOpenAfter = "next_open_after"
    case previousOpen = "previous_open"
    case addOpenDays = "add_open_days"
    case openDaysBetween = "open_days_between"
    case closing = "closing"
    case nextOpening = "next_opening"

    package var signature: String {
        switch self {
        case .addOpenDays: "\(rawValue)(date, n)"
        case .openDaysBetween: "\(rawValue)(from, to)"
        default: "\(rawValue)(date)"
        }
    }

    package var summary: String {
        switch self {
        case .isOpen: "Whether the branch is open on the date, or at the moment."
        case .nextOpen: "The date itself if the branch is open, otherwise the next open day."
        case .nextOpenAfter: "The first open day after the date."
        case .previousOpen: "The date itself if the branch is open, otherwise the open day before."
        case .addOpenDays: "The n-th open day after the date; before it, if n is negative."
        case .openDaysBetween: "How many open days lie after the first date, up to and including the second."
        case .closing: "When the hours end that hold at the moment, or the last ones of the date; nil if closed."
        case .nextOpening: "When the branch next opens after the moment, or first opens on the date or after it."
        }
    }

    /// Carries the method out.
    ///
    /// - Parameter arguments: without the calendar itself.
    /// - Throws: ``LuaHostError`` for wrong arguments; ``TimeError`` where there is no open day in ten years.
    package func call(
        _ arguments: [LuaValue], calendar: OpeningCalendar, zone: Zone
    ) throws -> LuaValue {
        let day = try Day(arguments.first ?? .nil, in: zone, of: self, argument: 1)
        switch self {
        case .isOpen: return .boolean(day.isOpen(calendar))
        case .nextOpen: return try day.moved(to: calendar.nextOpen(onOrAfter: day.date))
        case .nextOpenAfter: return try day.moved(to: calendar.nextOpen(after: day.date))
        case .previousOpen: return try day.moved(to: calendar.previousOpen(onOrBefore: day.date))
        case .addOpenDays:
            guard arguments.count > 1, let count = arguments[1].integerValue else {
                throw LuaHostError("\(rawValue): argument 2 must be a whole number")
            }
            return try day.moved(to: calendar.addOpenDays(day.date, count))
        case .openDaysBetween:
            let other = try Day(arguments.count > 1 ? arguments[1] : .nil, in: zone, of: self, argument: 2)
            return .integer(Int64(calendar.openDaysBetween(day.date, other.date)))
        case .closing: return day.closing(calendar)
        case .nextOpening: return try day.nextOpening(calendar)
        }
    }

    /// A date, or an instant with its date.
    private struct Day {
        let date: CivilDate
        private let time: CivilTime?
        private let value: LuaSmallValue
        private let zone: Zone

        init(_ value: LuaValue, in zone: Zone, of method: CalendarMethod, argument: Int) throws {
            self.zone = zone
            guard let small = value.smallValue, small.date != nil || small.instant != nil else {
                throw LuaHostError(
                    "\(method.rawValue): argument \(argument) must be a date or an instant, "
                        + "not \(LuaValues.typeName(of: value))")
            }
            self.value = small
            if let instant = small.instant {
                let local = zone.local(of: instant)
                (date, time) = (local.date, local.time)
            } else {
                (date, time) = (small.date ?? .earliest, nil)
            }
        }

        func isOpen(_ calendar: OpeningCalendar) -> Bool {
            guard let time, value.nature != .dateLike else { return calendar.isOpen(date) }
            return calendar.isOpen(date, time)
        }

        func closing(_ calendar: OpeningCalendar) -> LuaValue {
            let hours = calendar.hours(on: date)
            let current = isMoment ? hours.first { time.map($0.contains) ?? false } : hours.last
            return current.map { LuaValue(zone.instant(of: date, $0.closes), .exact) } ?? .nil
        }

        func nextOpening(_ calendar: OpeningCalendar) throws -> LuaValue {
            if !isMoment, let opens = calendar.openingTime(on: date) {
                return LuaValue(zone.instant(of: date, opens), .exact)
            }
            let next = try calendar.nextOpening(after: date, time ?? .midnight)
            return LuaValue(zone.instant(of: next.date, next.time), .exact)
        }

        private var isMoment: Bool { time != nil && value.nature != .dateLike }

        func moved(to target: CivilDate) -> LuaValue {
            if target == date { return .value(value) }
            guard let time else { return LuaValue(target) }
            return LuaValue(zone.instant(of: target, time), value.nature)
        }
    }
}
