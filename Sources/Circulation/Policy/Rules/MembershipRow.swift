/// A row of `membership`: when the membership of a patron ends who registers, or renews it.
package struct MembershipRow: Hashable, Sendable {
    package var conditions: RowConditions
    /// The row holds from this age on; nil: at any. Without a birth date no condition on the age holds.
    package var fromAge: Int64?
    /// The row holds below this age.
    package var underAge: Int64?
    /// How long it lasts; nil: the other fields say when it ends.
    package var lasts: Period?
    /// The membership has no end, unless another field gives it one.
    package var isUnlimited: Bool
    /// It ends on the next such day; 29 February is the 28th in common years.
    package var untilDay: MonthDay?
    /// A day of ``untilDay`` that comes sooner is passed over for that of the next year.
    package var atLeast: Period?
    package var untilDate: CivilDate?
    /// The last day is the one before the patron reaches this age.
    package var untilAge: Int64?
    /// Whether a renewal counts from the day on which it is asked for, even where the membership has not ended yet.
    package var renewsFromNow: Bool
    package var place: SourcePlace

    /// From when on a renewal counts.
    package static let renewalWords = ["end", "now"]
    /// Ages that a row may name.
    package static let ages: ClosedRange<Int64> = 0...150

    package init(
        conditions: RowConditions = RowConditions(), fromAge: Int64? = nil, underAge: Int64? = nil,
        lasts: Period? = nil, isUnlimited: Bool = false, untilDay: MonthDay? = nil, atLeast: Period? = nil,
        untilDate: CivilDate? = nil, untilAge: Int64? = nil, renewsFromNow: Bool = false, place: SourcePlace
    ) {
        self.conditions = conditions
        self.fromAge = fromAge
        self.underAge = underAge
        self.lasts = lasts
        self.isUnlimited = isUnlimited
        self.untilDay = untilDay
        self.atLeast = atLeast
        self.untilDate = untilDate
        self.untilAge = untilAge
        self.renewsFromNow = renewsFromNow
        self.place = place
    }

    /// Whether it says the same as another row, wherever both stand.
    package func isSame(as other: MembershipRow) -> Bool {
        var copy = other
        copy.place = place
        return copy == self
    }

    /// Whether the row is passed over for some patrons whose conditions it meets: their age, their birth date or the date
    /// of the row decides.
    package var mayBePassedOver: Bool {
        fromAge != nil || underAge != nil || untilAge != nil || untilDate != nil
    }
}

extension MembershipRow {
    /// What ends the membership, as a librarian would say it: `12 months, at most until the age of 16`.
    package var endWords: String {
        var parts: [String] = []
        if let lasts { parts.append("\(lasts)") }
        if let untilDay { parts.append("until \(untilDay)" + (atLeast.map { " in \($0) at the soonest" } ?? "")) }
        if let untilDate { parts.append("until \(untilDate)") }
        if let untilAge { parts.append("until the age of \(untilAge)") }
        return parts.isEmpty ? "unlimited" : parts.joined(separator: ", at most ")
    }

    /// For whom it holds: `category child, under 16`; empty if for everybody.
    package var words: String {
        [conditions.words, ageWords ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Of which age the patron must be, and which date must not have passed; nil where neither matters.
    package var ageWords: String? {
        let under = [underAge, untilAge].compactMap { $0 }.min()
        let parts = [
            fromAge.map { "the age is \($0) or more" }, under.map { "the age is less than \($0)" },
            untilDate.map { "\($0) has not passed" },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }

    /// Why the row is passed over for a case whose other conditions it meets; nil where it holds.
    package func mismatchOfAge(with question: Case) -> String? {
        guard fromAge != nil || underAge != nil || untilAge != nil else { return nil }
        guard let age = question.patron.age else { return "the birth date is unknown" }
        if let fromAge, age < fromAge { return "the age is \(age), the row wants \(fromAge) or more" }
        if let underAge, age >= underAge { return "the age is \(age), the row wants less than \(underAge)" }
        guard let untilAge else { return nil }
        if age >= untilAge { return "the age of \(untilAge) is reached" }
        return question.patron.birthDate == nil ? "the birth date is unknown" : nil
    }

    /// Why the row is passed over for a case; nil where it holds.
    ///
    /// - Throws: what `when` throws.
    package func mismatch(with question: Case, when: WhenCondition) throws -> String? {
        if let words = mismatchOfAge(with: question) { return words }
        if let untilDate, untilDate < question.today { return "\(untilDate) has passed" }
        return try conditions.mismatch(with: question, when: when)
    }

    /// The last day of the membership by this row, for a case for which it holds; nil: without end.
    ///
    /// The earliest of the ends that it names; what lies beyond the calendar ends on its last day.
    package func end(for question: Case) -> CivilDate? {
        let start = renewsFromNow ? question.today : question.membershipStart
        var ends: [CivilDate] = []
        if let lasts { ends.append((try? lasts.added(to: start, calendar: question.calendar)) ?? .latest) }
        if let untilDay { ends.append(untilDay.next(after: start, atLeast: atLeast, question.calendar)) }
        if let untilDate { ends.append(untilDate) }
        if let untilAge, let born = question.patron.birthDate { ends.append(born.dayBefore(age: untilAge)) }
        return ends.min()
    }
}

/// When a membership ends by what a policy says.
package struct MembershipEnd: Hashable, Sendable {
    /// The last day; nil: without end.
    package var date: CivilDate?
    /// The row or the function that says so.
    package var origin: RuleOrigin?

    /// What stands where there is no end.
    package static let unlimitedWord = "unlimited"

    package init(date: CivilDate?, origin: RuleOrigin?) {
        self.date = date
        self.origin = origin
    }
}

extension Case {
    /// The day from which a membership counts that is made or renewed: the last one of the present membership, if it has
    /// not ended yet, otherwise today.
    package var membershipStart: CivilDate { max(today, patron.expiresOn ?? today) }
}

extension MonthDay {
    /// The first such day after a date that lies a period beyond it, if one is given.
    fileprivate func next(after start: CivilDate, atLeast: Period?, _ calendar: OpeningCalendar) -> CivilDate {
        let soonest = atLeast.flatMap { try? $0.added(to: start, calendar: calendar) } ?? start
        var year = start.parts.year
        while let day = try? CivilDate(
            year: year, month: month, day: min(day, CivilDate.daysInMonth(month, year: year)))
        {
            if day > start && day >= soonest { return day }
            year += 1
        }
        return .latest
    }
}

extension CivilDate {
    /// Whole years at a date of who was born on this one; someone born on 29 February comes of age on 1 March in common
    /// years.
    package func age(at date: CivilDate) -> Int64 {
        let (birth, now) = (parts, date.parts)
        let hadBirthday = (now.month, now.day) >= (birth.month, birth.day)
        return Int64(max(0, now.year - birth.year - (hadBirthday ? 0 : 1)))
    }

    /// The last day on which who was born on this date is younger than an age.
    fileprivate func dayBefore(age: Int64) -> CivilDate {
        let (year, month, day) = (parts.year + Int(age), parts.month, parts.day)
        let isMissing = day > CivilDate.daysInMonth(month, year: year)
        let birthday =
            try? isMissing
            ? CivilDate(year: year, month: month + 1, day: 1) : CivilDate(year: year, month: month, day: day)
        return birthday.flatMap { try? $0.adding(days: -1) } ?? .latest
    }
}
