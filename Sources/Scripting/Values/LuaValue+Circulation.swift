package import Circulation
package import LuaRuntime

/// Whether an instant stands for a date or for a moment, which decides what a due date made of it means.
package enum InstantNature: Int64, Sendable, Hashable {
    /// A moment that nothing was added to.
    case plain = 0
    /// After adding days, weeks, months or open days: the date counts, the hour does not.
    case dateLike = 1
    /// After adding hours or minutes, and after `exact`: the moment counts.
    case exact = 2
}

extension LuaSmallValue {
    package init(_ money: Money) {
        self.init(type: LuaValues.TypeID.money, a: money.minorUnits, b: money.currency.packed)
    }

    package init(_ date: CivilDate) {
        self.init(type: LuaValues.TypeID.date, a: Int64(date.dayNumber))
    }

    package init(_ instant: Instant, _ nature: InstantNature = .plain) {
        self.init(type: LuaValues.TypeID.instant, a: instant.microseconds, b: nature.rawValue)
    }

    package init(_ period: Period) {
        self.init(type: LuaValues.TypeID.period, a: period.count, b: period.unit.number)
    }

    /// Trailing zeros are dropped, so that `6.6` and `6.60` are equal in Lua as well.
    package init(_ percent: Percent) {
        var (scaled, places) = (percent.scaled, percent.places)
        while places > 0, scaled % 10 == 0 {
            scaled /= 10
            places -= 1
        }
        self.init(type: LuaValues.TypeID.percent, a: scaled, b: Int64(places))
    }

    package static let unlimited = LuaSmallValue(type: LuaValues.TypeID.unlimited, a: 0)
    package static let none = LuaSmallValue(type: LuaValues.TypeID.none, a: 0)

    package var money: Money? {
        guard type == LuaValues.TypeID.money, let currency = Currency(packed: b) else { return nil }
        return Money(minorUnits: a, currency: currency)
    }

    package var date: CivilDate? {
        type == LuaValues.TypeID.date ? try? CivilDate(dayNumber: a) : nil
    }

    package var instant: Instant? {
        type == LuaValues.TypeID.instant ? Instant(microseconds: a) : nil
    }

    /// Of an instant.
    package var nature: InstantNature {
        type == LuaValues.TypeID.instant ? InstantNature(rawValue: b) ?? .plain : .plain
    }

    package var period: Period? {
        guard type == LuaValues.TypeID.period, let unit = Period.Unit(number: b) else { return nil }
        return Period(a, unit)
    }

    package var percent: Percent? {
        guard type == LuaValues.TypeID.percent else { return nil }
        return try? Percent(parsing: PercentText.text(scaled: a, places: b))
    }

    package var isUnlimited: Bool { type == LuaValues.TypeID.unlimited }
    package var isNone: Bool { type == LuaValues.TypeID.none }
}

extension LuaValue {
    package init(_ money: Money) { self = .value(LuaSmallValue(money)) }
    package init(_ date: CivilDate) { self = .value(LuaSmallValue(date)) }
    package init(_ instant: Instant, _ nature: InstantNature = .plain) { self = .value(LuaSmallValue(instant, nature)) }
    package init(_ period: Period) { self = .value(LuaSmallValue(period)) }
    package init(_ percent: Percent) { self = .value(LuaSmallValue(percent)) }

    package var moneyValue: Money? { smallValue?.money }
    package var dateValue: CivilDate? { smallValue?.date }
    package var instantValue: Instant? { smallValue?.instant }
    package var periodValue: Period? { smallValue?.period }
    package var percentValue: Percent? { smallValue?.percent }
    package var isUnlimited: Bool { smallValue?.isUnlimited ?? false }
    package var isNone: Bool { smallValue?.isNone ?? false }
}

extension Currency {
    /// The three letters in one number, so that values of one currency compare without asking Swift.
    var packed: Int64 { code.utf8.reduce(0) { $0 << 8 | Int64($1) } }

    init?(packed: Int64) {
        if packed == Currency.eur.packed {
            self = .eur
            return
        }
        let bytes = [packed >> 16, packed >> 8, packed].map { UInt8(truncatingIfNeeded: $0) }
        self.init(code: String(decoding: bytes, as: UTF8.self))
    }
}

extension Period.Unit {
    /// Its place among the units.
    var number: Int64 {
        switch self {
        case .minutes: 0
        case .hours: 1
        case .days: 2
        case .weeks: 3
        case .months: 4
        case .openDays: 5
        }
    }

    init?(number: Int64) {
        guard let unit = Period.Unit.allCases.first(where: { $0.number == number }) else { return nil }
        self = unit
    }
}

enum PercentText {
    static func text(scaled: Int64, places: Int64) -> String {
        let magnitude = String(scaled.magnitude)
        let sign = scaled < 0 ? "-" : ""
        guard places > 0 else { return sign + magnitude }
        let zeros = String(repeating: "0", count: max(0, Int(places) + 1 - magnitude.utf8.count))
        let digits = zeros + magnitude
        return sign + digits.dropLast(Int(places)) + "." + digits.suffix(Int(places))
    }
}
