/// How far a calendar looks for an open day before it says that there is none.
private let yearsOfSearch: Int64 = 10

extension OpeningCalendar {
    package func isOpen(_ date: CivilDate) -> Bool { days.isOpen(date) }

    /// `date` if the branch is open on it, else the next day on which it is.
    ///
    /// - Throws: ``TimeError/Code/noOpenDay`` if there is none within ten years.
    package func nextOpen(onOrAfter date: CivilDate) throws(TimeError) -> CivilDate {
        if isOpen(date) { return date }
        let limit = (try? date.adding(months: yearsOfSearch * 12)) ?? .latest
        guard let found = firstOpen(from: date, through: limit) else { throw TimeError.noOpenDay(after: date) }
        return found
    }

    /// The next open day after `date`, whether the branch is open on `date` or not.
    ///
    /// - Throws: ``TimeError``: no open day within ten years; the end of time.
    package func nextOpen(after date: CivilDate) throws(TimeError) -> CivilDate {
        try nextOpen(onOrAfter: date.adding(days: 1))
    }

    /// `date` if the branch is open on it, else the last day before it on which it was.
    ///
    /// - Throws: ``TimeError/Code/noOpenDay`` if there is none within ten years.
    package func previousOpen(onOrBefore date: CivilDate) throws(TimeError) -> CivilDate {
        if isOpen(date) { return date }
        let limit = (try? date.adding(months: -yearsOfSearch * 12)) ?? .earliest
        guard let found = lastOpen(from: date, downTo: limit) else { throw TimeError.noOpenDay(before: date) }
        return found
    }

    /// The last open day before `date`.
    ///
    /// - Throws: ``TimeError``: no open day within ten years; the beginning of time.
    package func previousOpen(before date: CivilDate) throws(TimeError) -> CivilDate {
        try previousOpen(onOrBefore: date.adding(days: -1))
    }

    /// The `count`-th open day after `date`; `date` itself is not counted, open or not. A negative count goes back in
    /// the same way; zero is `date` itself, open or not.
    ///
    /// - Throws: ``TimeError``: more than ten years in a row without an open day; out of range.
    package func addOpenDays(_ date: CivilDate, _ count: Int64) throws(TimeError) -> CivilDate {
        if count == 0 { return date }
        return count > 0
            ? try openDay(count, after: date) : try openDay(count.magnitude, before: date)
    }

    /// How many open days lie after `from` up to `to`, `to` included and `from` not; negative, with `from` included and
    /// `to` not, if `to` is the earlier one. So `openDaysBetween(d, addOpenDays(d, n))` is n.
    package func openDaysBetween(_ from: CivilDate, _ to: CivilDate) -> Int {
        if from == to { return 0 }
        return from < to
            ? openDays(from: from.following, through: to) : -openDays(from: to, through: from.preceding)
    }

    /// How many open days there are, both ends included.
    private func openDays(from first: CivilDate, through last: CivilDate) -> Int {
        let (firstYear, lastYear) = (first.year, last.year)
        var count = 0
        for year in firstYear...lastYear {
            let from = year == firstYear ? first.dayOfYear - 1 : 0
            let to = year == lastYear ? last.dayOfYear - 1 : 365
            count += days.bits(ofYear: year).count(in: from...to)
        }
        return count
    }

    private func firstOpen(from date: CivilDate, through limit: CivilDate) -> CivilDate? {
        for year in date.year...limit.year {
            let start = CivilDate.dayNumber(year: year, month: 1, day: 1)
            let from = max(0, Int(date.dayNumber - start))
            if let day = days.bits(ofYear: year).first(from: from) {
                let found = CivilDate(uncheckedDayNumber: start + Int32(day))
                return found <= limit ? found : nil
            }
        }
        return nil
    }

    private func lastOpen(from date: CivilDate, downTo limit: CivilDate) -> CivilDate? {
        for year in stride(from: date.year, through: limit.year, by: -1) {
            let start = CivilDate.dayNumber(year: year, month: 1, day: 1)
            let through = min(365, Int(date.dayNumber - start))
            if let day = days.bits(ofYear: year).last(through: through) {
                let found = CivilDate(uncheckedDayNumber: start + Int32(day))
                return found >= limit ? found : nil
            }
        }
        return nil
    }
}

// MARK: - Counting open days

extension OpeningCalendar {
    /// Whole years are counted at once, the last one day by day.
    private func openDay(_ count: Int64, after date: CivilDate) throws(TimeError) -> CivilDate {
        var rest = count
        var current = try nextOpen(after: date)
        rest -= 1
        while rest > 0 {
            let year = current.year
            let bits = days.bits(ofYear: year)
            let start = CivilDate.dayNumber(year: year, month: 1, day: 1)
            let position = Int(current.dayNumber - start)
            let inYear = position < 365 ? Int64(bits.count(in: (position + 1)...365)) : 0
            if rest <= inYear {
                return CivilDate(uncheckedDayNumber: start + Int32(bits.day(rest, after: position)))
            }
            rest -= inYear
            guard year < 9999 else { throw TimeError.outOfRange }
            current = try nextOpen(onOrAfter: CivilDate(year: year + 1, month: 1, day: 1))
            rest -= 1
        }
        return current
    }

    private func openDay(_ count: UInt64, before date: CivilDate) throws(TimeError) -> CivilDate {
        var rest = count
        var current = try previousOpen(before: date)
        rest -= 1
        while rest > 0 {
            let year = current.year
            let bits = days.bits(ofYear: year)
            let start = CivilDate.dayNumber(year: year, month: 1, day: 1)
            let position = Int(current.dayNumber - start)
            let inYear = position > 0 ? UInt64(bits.count(in: 0...(position - 1))) : 0
            if rest <= inYear {
                return CivilDate(uncheckedDayNumber: start + Int32(bits.day(rest, before: position)))
            }
            rest -= inYear
            guard year > 1 else { throw TimeError.outOfRange }
            current = try previousOpen(onOrBefore: CivilDate(year: year - 1, month: 12, day: 31))
            rest -= 1
        }
        return current
    }
}

extension DayBits {
    /// The `count`-th day of the set after `position`, which must be there.
    fileprivate func day(_ count: Int64, after position: Int) -> Int {
        var day = position
        for _ in 0..<count { day = first(from: day + 1) ?? day }
        return day
    }

    /// The `count`-th day of the set before `position`, which must be there.
    fileprivate func day(_ count: UInt64, before position: Int) -> Int {
        var day = position
        for _ in 0..<count { day = last(through: day - 1) ?? day }
        return day
    }
}
