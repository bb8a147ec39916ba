/// An hour of the week with what happens in it.
package struct HourOfWeek: Hashable, Sendable {
    package var weekday: Weekday
    /// 0...23
    package var hour: Int
    package var loans: Int64
    package var returns: Int64

    package init(weekday: Weekday, hour: Int, loans: Int64 = 0, returns: Int64 = 0) {
        self.weekday = weekday
        self.hour = hour
        self.loans = loans
        self.returns = returns
    }
}

/// How many patrons joined in a month.
package struct MonthOfPatrons: Hashable, Sendable {
    /// `2026-11`
    package var month: String
    /// The one that they have now; nil: they are gone.
    package var category: String?
    package var count: Int64

    package init(month: String, category: String?, count: Int64) {
        self.month = month
        self.category = category
        self.count = count
    }
}
