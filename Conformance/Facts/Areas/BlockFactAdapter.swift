import Circulation
import Desk
import TextFormats

/// Facts about what stands against a patron, whatever they ask for.
enum BlockFactAdapter {
    static let knows: @Sendable (Operation) -> Bool = {
        $0.begins("system_penalties", "automated_blocks", "group_overdue_count")
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        if reading.operation.begins("group_overdue_count") { return try groupCount(reading, plan) }
        try plan.readDesk()
        plan.loan.due = try plan.daysFromNow(5)
        let blocked = try blockedActions(plan)
        let names: [(DecisionPoint, String)] = [(.checkout, "borrowing"), (.renew, "renewal"), (.hold, "request")]
        reading.answer(
            "blocked", found: .array(names.filter { blocked[$0.0] != nil }.map { .string($0.1) }))
        guard let expected = reading.expect.object["penalties"]?.arrayValue else { return }
        let known = blocked[.checkout].map { plan.names(of: $0, at: .checkout) } ?? []
        let met = expected.filter { penalty in known.contains(penalty.stringValue ?? "") }
        let own = blocked[.checkout].map { [JSON.string($0.code)] } ?? []
        reading.answer("penalties", found: .array(met.isEmpty ? own : met))
    }

    /// What is refused of lending, renewing and holding.
    private static func blockedActions(_ plan: FactPlan) throws -> [DecisionPoint: Refusal] {
        let (library, title) = try plan.openLibrary()
        // The loan to be renewed is one of those that are lent already; only who has none gets one for it.
        var loans = try library.desk.read { try $0.loans.active(of: .username(FactLibrary.reader)) }
            .filter { $0.lostAt == nil }
        if loans.isEmpty { loans = [try library.lend(try library.addTitle("lent").barcodes.first ?? "")] }
        if let last = loans.last, let due = last.due, due.instant > plan.now {
            _ = try library.setDue(last, plan.daysFromNow(2))
        }
        try plan.beginOperation(library, title)
        var blocked: [DecisionPoint: Refusal] = [:]
        blocked[.checkout] = try library.checkout(title.barcodes.first ?? "").refusal
        let other = try library.addTitle("wanted")
        blocked[.hold] = try library.placeHold(.title(.id(other.id))).refusal
        if let loan = loans.last { blocked[.renew] = try library.renew(loan).refusal }
        return blocked
    }

    /// A group is the patrons who say so in a field of the library's own; its overdue loans are counted one by one.
    private static func groupCount(_ reading: FactReading, _ plan: FactPlan) throws {
        let counts = try (reading.given.list("group_members_overdue") ?? []).map { count in
            guard let count = count.integerValue, (0...200).contains(count) else {
                throw reading.given.unreadable("group_members_overdue")
            }
            return Int(count)
        }
        try plan.readLoanTerms()
        let (library, _) = try plan.openLibrary()
        let due = try plan.daysFromNow(-3)
        for (index, count) in counts.enumerated() {
            let name = "member\(index + 1)"
            try library.addPatron(name, extra: ["group": "family"])
            guard count > 0 else { continue }
            let title = try library.addTitle("of-\(name)", copies: count)
            for barcode in title.barcodes { _ = try library.lend(barcode, to: name, due: due) }
        }
        try plan.beginOperation(library, FactTitle(id: 0, barcodes: []))
        var total: Int64 = 0
        try library.desk.read { session in
            try session.loans.overdue { loan in
                let patron = try loan.patron.flatMap { try session.patrons.get(.id($0)) }
                if patron?.extra["group"] == "family" { total += 1 }
                return true
            }
        }
        reading.answer("count", number: total)
    }
}
