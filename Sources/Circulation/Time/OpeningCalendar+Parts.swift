extension OpeningCalendar {
    /// Days on which the branch is closed once, the last one included.
    package struct Closure: Hashable, Sendable {
        package let first: CivilDate
        package let last: CivilDate
        /// What the branch's door says, or empty.
        package let reason: String

        /// - Throws: ``TimeError/Code/badCalendar`` if the last day is before the first.
        package init(
            _ first: CivilDate, through last: CivilDate? = nil, reason: String = ""
        ) throws(TimeError) {
            self.first = first
            self.last = last ?? first
            self.reason = reason
            guard self.first <= self.last else {
                throw TimeError.badCalendar("the closure from \(first) to \(self.last) ends before it begins")
            }
        }
    }

    /// Days on which the branch is closed every year, the last one included. From December to January is one closure.
    package struct YearlyClosure: Hashable, Sendable {
        package let first: MonthDay
        package let last: MonthDay
        package let reason: String

        package init(_ first: MonthDay, through last: MonthDay? = nil, reason: String = "") {
            self.first = first
            self.last = last ?? first
            self.reason = reason
        }
    }

    /// A day on which the branch is open whatever else says it is closed.
    package struct Opening: Hashable, Sendable {
        package let date: CivilDate
        /// In order. If none were given: those of that weekday, and of a weekday without hours the whole day.
        package let hours: [OpeningHours]

        package init(_ date: CivilDate, hours: [OpeningHours] = []) {
            self.date = date
            self.hours = hours.sorted()
        }
    }
}
