/// Years, months and days of the Gregorian calendar, of numbers of days since 1970.
extension Number {
    /// 1 January of a year.
    static func firstDay(ofYear year: Number) -> Number {
        let before = year + .constant(-1)
        let common = year * .constant(365) + before.divided(by: 4)
        guard let bounds = year.bounds, centuries.contains(bounds.lowerBound), centuries.contains(bounds.upperBound)
        else {
            let leap = common - before.divided(by: 100) + before.divided(by: 400)
            return leap + .constant(-daysFromYearZero)
        }
        // From 1970 on, as each year that ends a century but 2000 has a day less.
        let less = (19...bounds.upperBound / 100).reduce(Number.constant(15)) { less, century in
            century % 4 == 0 ? less : .either(.constant(century * 100) < year, .constant(century - century / 4), less)
        }
        return common - less + .constant(-daysFromYearZero)
    }

    /// A day, by its place in its month.
    ///
    /// - Parameter month: from 1 to 12.
    static func day(year: Number, month: Int64, day: Number) -> Number {
        firstDay(ofYear: year) + year.daysBefore(month: month) + day + .constant(-1)
    }

    /// How many days a month of a year has.
    static func days(ofMonth month: Int64, in year: Number) -> Number {
        switch month {
        case 2: year.lengthOfFebruary
        case 4, 6, 9, 11: .constant(30)
        default: .constant(31)
        }
    }

    /// The day of the week, from 1 for Monday.
    var weekday: Number { (self + .constant(3)).modulo(7) + .constant(1) }

    /// A part of a date, by its name in Lua, but for the day of the week; nil for a name that none has.
    ///
    /// - Parameter year: in which the day lies.
    func part(_ name: String, in year: Number) -> Number? {
        let place = self - Self.firstDay(ofYear: year)
        func chosen(_ value: (Int64) -> Number) -> Number {
            (2...12).reduce(value(1)) { .either(year.daysBefore(month: $1) <= place, value($1), $0) }
        }
        switch name {
        case "year": return year
        case "month": return chosen { .constant($0) }
        case "day": return place - chosen { year.daysBefore(month: $0) } + .constant(1)
        case "yearday": return place + .constant(1)
        default: return nil
        }
    }

    /// How many days this year has before a month of it.
    private func daysBefore(month: Int64) -> Number {
        let days: Int64 = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][Int(month) - 1]
        return month < 3 ? .constant(days) : lengthOfFebruary + .constant(days - 28)
    }

    private var lengthOfFebruary: Number {
        let leap = modulo(4).equals(.constant(0))
        guard let bounds, Self.centuries.contains(bounds.lowerBound), Self.centuries.contains(bounds.upperBound) else {
            let isLeap = leap && (modulo(100).equals(.constant(0)).negated || modulo(400).equals(.constant(0)))
            return .either(isLeap, .constant(29), .constant(28))
        }
        let others = [2_100, 2_200, 2_300].filter(bounds.contains).map { equals(.constant($0)).negated }
        return .either(.every([leap] + others), .constant(29), .constant(28))
    }

    /// How many days a year has.
    static func length(ofYear year: Number) -> Number { year.lengthOfFebruary + .constant(337) }

    /// Years of which the ends of centuries are told one by one.
    private static let centuries: ClosedRange<Int64> = 1_970...2_399
    /// From 1 January of the year 0 to that of 1970, less the leap day of the year 0, so that 365 days for each year and the leap
    /// years before one make its first day.
    private static let daysFromYearZero: Int64 = 719_527
}
