import Circulation
import Desk
import TextFormats

/// Facts about how late something is, measured by fines of a cent a minute, or a fine a day.
enum LatenessFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.begins("overdue_minutes", "chargeable_minutes") || operation.text.hasPrefix("fine for")
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        if reading.operation.text.hasPrefix("fine for") { return try byDay(reading) }
        let plan = reading.plan()
        try plan.readDesk()
        plan.loan.isUnderPolicy = true
        plan.policy.everything["fine"] = "money \"0.01\""
        plan.policy.everything["per"] = "minutes(1)"
        for index in plan.policy.rules.indices where plan.policy.rules[index]["grace"] != nil {
            plan.policy.rules[index]["fine"] = "money \"0.01\""
            plan.policy.rules[index]["per"] = "minutes(1)"
        }
        if let minutes = try reading.given.number("overdue_minutes") {
            plan.loan.due = Moment(try plan.now.adding(minutes: -minutes), in: plan.zone)
        }
        try plan.readReturn()
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithRecall(library, title)
        let checkin = try library.checkin(loan).done("the return")
        if let failure = checkin.failures.first { throw NotExpressed("the policy failed: \(failure.message)") }
        // A cent for each minute.
        reading.answer("minutes", number: try library.fines(of: loan).minorUnits)
    }

    /// `fine for open days late 1..6`: a sweep on each of these days.
    private static func byDay(_ reading: FactReading) throws {
        let plan = reading.plan()
        plan.calendar = try CalendarWords.calendar(words: "Sat/Sun closed")
        try plan.readDesk()
        plan.loan.isUnderPolicy = true
        guard let key = reading.expect.object.keys.first(where: { $0.hasPrefix("fine_by_") }),
            let days = reading.expect.object[key]?.objectValue?.keys.compactMap({ Int64($0) }).sorted()
        else { throw NotExpressed("the fact expects no fines by days") }
        guard days.allSatisfy({ (0...400).contains($0) }) else { throw NotExpressed("so many days cannot be swept") }
        plan.loan.due = try plan.asDue(Moment(plan.today, in: plan.zone))
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithLoan(library, title)
        let countsOpen = key.contains("open")
        var fines = JSON.object([:]).objectValue ?? [:]
        for day in days {
            let date = try countsOpen ? plan.calendar.addOpenDays(plan.today, day) : plan.today.adding(days: day)
            library.travel(to: try plan.zone.startOfDay(date).adding(hours: 12))
            try library.sweep()
            fines["\(day)"] = .string(try library.fines(of: loan).amountText)
        }
        reading.answer(key, found: .object(fines))
    }
}
