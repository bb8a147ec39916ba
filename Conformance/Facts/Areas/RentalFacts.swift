import Circulation
import Desk
import TextFormats

/// Facts about what borrowing costs.
enum RentalFacts {
    static let knows: @Sendable (Operation) -> Bool = { $0.begins("rental_charge", "rental charge", "rental") }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try readSpan(reading, plan)
        try plan.readDesk()
        let (library, title) = try plan.openLibrary()
        try plan.beginOperation(library, title)
        let outcome = try library.checkout(title.barcodes.first ?? "")
        if let refusal = outcome.refusal {
            return reading.answer("rental", found: .string("refused: \(refusal.message)"))
        }
        try answerRental(reading, library)
    }

    /// A span from one day to another, or of so many hours, is a loan of that length.
    private static func readSpan(_ reading: FactReading, _ plan: FactPlan) throws {
        if let from = try plan.moment("from", of: reading.given), let to = try plan.moment("to", of: reading.given) {
            plan.now = from.isDate ? try from.instant.adding(hours: 12) : from.instant
            plan.policy.everything["loan"] = "days(\(to.date.days(since: from.date)))"
            plan.policy.everything["closed"] = "\"keep\""
        }
        if let hours = try reading.given.number("hours") {
            plan.policy.everything["loan"] = "hours(\(hours))"
            plan.policy.everything["closed"] = "\"keep\""
        }
    }

    static func answerRental(_ reading: FactReading, _ library: FactLibrary) throws {
        guard reading.expect.has("rental") else { return }
        let lines = try library.ledger().filter { $0.key.hasPrefix("rental:") }
        reading.answer("rental", money: try Money.sum(lines.map(\.amount), currency: .eur))
    }
}
