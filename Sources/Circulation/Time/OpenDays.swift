/// The open days of a calendar, a bit for each day of a year, made from its parts when asked for.
///
/// A year takes six words, so that a question over a decade is a few hundred operations, whatever lies in between.
final class OpenDays: Sendable {
    /// For each weekday on which a word begins (0 for Monday), the bits of 64 days on which the weekly hours are open.
    private let patterns: [UInt64]
    /// The days of the year that are closed every year, from 1 January; in a common and in a leap year.
    private let yearlyCommon: DayBits
    private let yearlyLeap: DayBits
    private let hasYearly: Bool
    /// Closed stretches of day numbers: in order, apart from each other.
    private let closedFirst: [Int32]
    private let closedLast: [Int32]
    /// Day numbers opened by exception, in order.
    private let opened: [Int32]

    init(
        weekly: [[OpeningHours]], closed: [OpeningCalendar.Closure], yearly: [OpeningCalendar.YearlyClosure],
        opened: [OpeningCalendar.Opening]
    ) {
        patterns = (0..<7).map { first in
            (0..<64).reduce(0) { $0 | (weekly[(first + $1) % 7].isEmpty ? 0 : 1 << UInt64($1)) }
        }
        yearlyCommon = OpenDays.bits(of: yearly, inYear: 2001)
        yearlyLeap = OpenDays.bits(of: yearly, inYear: 2000)
        hasYearly = !yearly.isEmpty
        (closedFirst, closedLast) = OpenDays.merged(closed)
        self.opened = opened.map(\.date.dayNumber)
    }

    func isOpen(_ date: CivilDate) -> Bool {
        let day = date.dayNumber
        if !opened.isEmpty {
            let index = opened.lowerBound(of: day)
            if index < opened.count && opened[index] == day { return true }
        }
        if patterns[date.weekday.daysAfterMonday] & 1 == 0 { return false }
        if !closedFirst.isEmpty {
            let index = closedLast.lowerBound(of: day)
            if index < closedFirst.count && closedFirst[index] <= day { return false }
        }
        if hasYearly {
            let bits = CivilDate.isLeapYear(date.year) ? yearlyLeap : yearlyCommon
            return !bits[date.dayOfYear - 1]
        }
        return true
    }

    /// The open days of a whole year.
    func bits(ofYear year: Int) -> DayBits {
        let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
        let isLeap = CivilDate.isLeapYear(year)
        let last = first + (isLeap ? 365 : 364)
        let weekday = CivilDate(uncheckedDayNumber: first).weekday.daysAfterMonday
        var bits = DayBits()
        // 64 days are nine weeks and a day.
        for word in 0..<6 { bits.words[word] = patterns[(weekday + word) % 7] }
        if hasYearly { bits.remove(isLeap ? yearlyLeap : yearlyCommon) }
        var index = closedLast.lowerBound(of: first)
        while index < closedFirst.count, closedFirst[index] <= last {
            let from = Int(max(closedFirst[index], first) - first)
            let to = Int(min(closedLast[index], last) - first)
            bits.remove(from...to)
            index += 1
        }
        bits.words[5] &= isLeap ? (1 << 46) - 1 : (1 << 45) - 1
        index = opened.lowerBound(of: first)
        while index < opened.count, opened[index] <= last {
            bits.insert(Int(opened[index] - first))
            index += 1
        }
        return bits
    }

    private static func bits(of closures: [OpeningCalendar.YearlyClosure], inYear year: Int) -> DayBits {
        var bits = DayBits()
        let first = CivilDate.dayNumber(year: year, month: 1, day: 1)
        let count = CivilDate.isLeapYear(year) ? 366 : 365
        for index in 0..<count {
            let (_, month, day) = CivilDate(uncheckedDayNumber: first + Int32(index)).parts
            for closure in closures where closure.contains(month: month, day: day) {
                bits.insert(index)
            }
        }
        return bits
    }

    private static func merged(_ closures: [OpeningCalendar.Closure]) -> ([Int32], [Int32]) {
        var first: [Int32] = []
        var last: [Int32] = []
        for closure in closures.sorted(by: { $0.first < $1.first }) {
            if let end = last.last, closure.first.dayNumber <= end + 1 {
                last[last.count - 1] = max(end, closure.last.dayNumber)
            } else {
                first.append(closure.first.dayNumber)
                last.append(closure.last.dayNumber)
            }
        }
        return (first, last)
    }
}

extension OpeningCalendar.YearlyClosure {
    func contains(month: Int, day: Int) -> Bool {
        let isFromFirst = (month, day) >= (first.month, first.day)
        let isToLast = (month, day) <= (last.month, last.day)
        return first <= last ? isFromFirst && isToLast : isFromFirst || isToLast
    }
}

extension [Int32] {
    /// The index of the first element of a sorted array that is not less than `value`.
    func lowerBound(of value: Int32) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
