import Circulation
import Desk
import TestSupport
import Testing

@Suite("Fees at random", .everyStore)
struct FeePropertyTests {
    /// What an account holds, reckoned without the desk.
    private struct Model {
        var balance: Int64 = 0
        var paid: Int64 = 0
        var lines: [LedgerEntry] = []

        mutating func take(_ lines: [LedgerEntry]) {
            self.lines = lines
            balance = lines.reduce(0) { $0 + $1.amount.minorUnits }
            paid = -lines.filter { $0.kind == .payment || $0.kind == .refund }.reduce(0) { $0 + $1.amount.minorUnits }
        }
    }

    @Test(
        "a balance is the sum of its lines, nothing is given back that was not paid, and the doctor finds it sound",
        arguments: [11, 12, 13, 14] as [UInt64])
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Library()
        var models: [String: Model] = ["ada": Model(), "bob": Model()]
        var done: [String: Int] = [:]
        for _ in 0..<120 {
            let patron = Bool.random(using: &random) ? "ada" : "bob"
            let before = try #require(models[patron])
            var after = before
            let (name, outcome) = try perform(patron, before, library, &random)
            after.take(try library.desk.read { try $0.fees.ledger(of: .username(patron)) })
            if outcome.value != nil { done[name, default: 0] += 1 }
            #expect(try library.owed(patron) == after.balance)
            #expect(after.paid >= 0, "seed \(seed)")
            #expect(after.lines.starts(with: before.lines))
            if name != "charge" { #expect(max(0, after.balance) <= max(0, before.balance), "\(name), seed \(seed)") }
            if name == "pay" || name == "waive" { #expect(after.balance >= min(0, before.balance)) }
            if outcome.refusal != nil { #expect(after.lines == before.lines) }
            models[patron] = after
        }
        // A test in which everything is refused would prove nothing.
        #expect(done.count == 4 && done.values.allSatisfy { $0 > 1 }, "\(done)")
        try library.expectSound()
    }

    private func perform(
        _ patron: String, _ model: Model, _ library: Library, _ random: inout SplitMix
    ) throws -> (String, Outcome<LedgerEntry>) {
        let key = PatronKey.username(patron)
        let amount = Money(minorUnits: Int64.random(in: 1...400, using: &random), currency: .eur)
        let line = model.lines.randomElement(using: &random)?.id ?? 1
        let given = Int.random(in: 0..<4, using: &random) == 0 ? "k\(Int.random(in: 0..<5, using: &random))" : nil
        let choice = Int.random(in: 0..<8, using: &random)
        return try library.desk.write { session in
            let fees = session.fees
            return switch choice {
            case 0, 1: ("charge", try fees.charge(key, amount: amount, label: "x", key: given))
            case 2, 3, 4: ("pay", try fees.pay(key, amount: amount, key: given))
            case 5: ("waive", try fees.waive(key, entry: line))
            case 6: ("refund", try fees.refund(key, amount: amount, key: given))
            default:
                line.isMultiple(of: 2)
                    ? ("refund", try fees.refund(key, entry: line)) : ("waive", try fees.waive(key, amount: amount))
            }
        }
    }
}
