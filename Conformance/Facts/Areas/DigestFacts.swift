import Circulation
import Desk
import TextFormats

/// Facts about several loans in one message.
enum DigestFacts {
    private static let due = "loans_due_tomorrow"

    /// Loans at some branches that are due on the next day, and the sweep that tells of them: a patron's notices of one stage
    /// go in one message, so that each branch has a stage of its own where messages are to be the branches'.
    static func answer(_ reading: FactReading, _ plan: FactPlan) throws {
        let loans = try loans(reading)
        let isMerged = try reading.given.flag("digest") ?? false
        let isByBranch = try reading.given.flag("per_branch") ?? false
        let days = try reading.given.number("days_ahead") ?? 1
        guard (1...400).contains(days) else { throw reading.given.unreadable("days_ahead") }
        for branch in isByBranch ? loans.map(\.branch) : [nil] {
            plan.addNotice("upcoming" + (branch.map { " \($0)" } ?? ""), "before", "days(\(days))")
            let row = plan.policy.notices.count - 1
            if let branch { plan.policy.notices[row]["branch"] = LuaText.quoted(branch) }
            if isMerged { plan.policy.notices[row]["digest"] = "\"patron\"" }
        }
        let (library, title) = try plan.openLibrary()
        for (branch, count) in loans {
            try library.addBranch(branch, calendar: plan.calendar)
            for number in 0..<count {
                let lent = try library.addTitle("\(branch)-\(number + 1)", branch: branch)
                let tomorrow = try Moment(plan.daysFromNow(1).date, in: plan.zone)
                _ = try library.lend(lent.barcodes.first ?? "", at: branch, due: try plan.asDue(tomorrow))
            }
        }
        try plan.beginOperation(library, title)
        try library.sweep()
        // What a message carries is not sent by itself.
        let told = try library.desk.read { try $0.notices.list(NoticeQuery()) }
        let carried = Dictionary(grouping: told.filter { $0.carriedBy != nil }) { $0.carriedBy ?? 0 }
        let messages = told.filter { $0.state == .queued && $0.stage.hasPrefix("upcoming") }
        reading.answer("messages", number: Int64(messages.count))
        let counts = messages.map { Int64(carried[$0.id]?.count ?? 1) }.sorted()
        reading.answer("loan_counts", found: .array(counts.map { .integer($0) }))
    }

    private static func loans(_ reading: FactReading) throws -> [(branch: String, count: Int)] {
        guard let branches = reading.given.object[due]?.objectValue else {
            throw NotExpressed("the fact does not say which loans are due")
        }
        reading.given.ignore(due)
        return try branches.entries.map { entry in
            guard let number = entry.value.integerValue, (0...100).contains(number) else {
                throw reading.given.unreadable(due)
            }
            return (entry.key, Int(number))
        }
    }
}
