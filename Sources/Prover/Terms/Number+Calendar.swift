extension Number {
    /// A part of a date of the Gregorian calendar, by its name in Lua; nil for a name that none has.
    ///
    /// The number is that of days since 1970. Years are reckoned from March, so that the day by which they differ is their last; 400
    /// of them, an era, always have as many days.
    func part(_ name: String) -> Number? {
        switch name {
        case "weekday": return (self + .constant(3)).modulo(7) + .constant(1)
        case "year", "month", "day", "yearday": break
        default: return nil
        }
        let daysPerEra: Int64 = 146_097
        let shifted = self + .constant(Self.daysFromMarchOfYearZero)
        let dayOfEra = shifted.modulo(daysPerEra)
        let yearOfEra =
            (dayOfEra - dayOfEra.divided(by: 1_460) + dayOfEra.divided(by: 36_524)
            - dayOfEra.divided(by: daysPerEra - 1)).divided(by: 365)
        let dayOfYear = dayOfEra - yearOfEra.daysBefore
        let monthFromMarch = (dayOfYear * .constant(5) + .constant(2)).divided(by: 153)
        let isOfNextYear = .constant(10) <= monthFromMarch
        let year = shifted.divided(by: daysPerEra) * .constant(400) + yearOfEra
        switch name {
        case "year": return .either(isOfNextYear, year + .constant(1), year)
        case "month": return .either(isOfNextYear, monthFromMarch + .constant(-9), monthFromMarch + .constant(3))
        case "day":
            return dayOfYear - (monthFromMarch * .constant(153) + .constant(2)).divided(by: 5) + .constant(1)
        default:
            let isLeapYear = year.isMultiple(of: 4) && (year.isMultiple(of: 100).negated || year.isMultiple(of: 400))
            return .either(
                isOfNextYear, dayOfYear + .constant(-305),
                dayOfYear + .either(isLeapYear, .constant(60), .constant(59)) + .constant(1))
        }
    }

    /// 1 March of the year 0 lies so many days before 1 January 1970.
    private static let daysFromMarchOfYearZero: Int64 = 719_468

    /// How many days an era has before a year of it.
    private var daysBefore: Number { self * .constant(365) + divided(by: 4) - divided(by: 100) }

    private func isMultiple(of divisor: Int64) -> Condition { modulo(divisor).equals(.constant(0)) }
}
