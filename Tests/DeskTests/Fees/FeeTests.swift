import Circulation
import Desk
import Testing
import TextFormats

@Suite("Fees", .everyStore)
struct FeeTests {
    private let ada = PatronKey.username("ada")

    private func euros(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .eur) }

    private func amounts(_ fees: FeeService) throws -> [Int64] { try fees.ledger(of: ada).map(\.amount.minorUnits) }

    @Test("an account is paid to its last cent and not beyond")
    func payment() throws {
        let library = try Library()
        try library.desk.write { session throws in
            let fees = session.fees
            _ = try fees.charge(ada, amount: euros(500), label: "Card").get()
            let refusal = try #require(try fees.pay(ada, amount: euros(501)).refusal)
            #expect(refusal.code == "more_than_owed")
            #expect(refusal.message == "5.01 EUR is more than the 5.00 EUR that the patron owes.")
            #expect(refusal.reasons.first?.figures["owed"] == "5.00 EUR")
            #expect(try fees.waive(ada, amount: euros(501)).refusal?.code == "more_than_owed")
            _ = try fees.pay(ada, amount: euros(400)).get()
            _ = try fees.waive(ada, amount: euros(100)).get()
            #expect(try fees.owed(by: ada) == euros(0))
            #expect(try fees.pay(ada, amount: euros(1)).refusal?.code == "more_than_owed")
            #expect(try amounts(fees) == [500, -400, -100])
        }
        #expect(try library.refusals().map(\.request) == ["fees.pay", "fees.waive", "fees.pay"])
        try library.expectSound()
    }

    @Test("a patron gets one message about a charge by staff, and none about a payment")
    func told() throws {
        let library = try Library()
        try library.desk.write { session throws in
            for _ in 0..<2 { _ = try session.fees.charge(ada, amount: euros(500), label: "New card", key: "a").get() }
            _ = try session.fees.pay(ada, amount: euros(500)).get()
        }
        let notices = try library.notices()
        #expect(notices.map(\.kind) == ["fee"])
        #expect(notices.first?.subject == "Charged: New card")
        #expect(notices.first?.body == "Dear Ada, 5.00 EUR has been charged to your account: New card.")
        try library.expectSound()
    }

    @Test("a key repeated gives the line that is there, and is refused with another amount")
    func keys() throws {
        let library = try Library()
        try library.desk.write { session throws in
            let fees = session.fees
            let charge = try fees.charge(ada, amount: euros(500), label: "Card", key: "a").get()
            #expect(try fees.charge(ada, amount: euros(500), label: "Other", key: "a").get() == charge)
            #expect(try fees.charge(ada, amount: euros(400), label: "Card", key: "a").refusal?.code == "exists")
            let payment = try fees.pay(ada, amount: euros(300), key: "a").get()
            #expect(try fees.pay(ada, amount: euros(300), key: "a").get() == payment)
            let waiver = try fees.waive(ada, amount: euros(200), key: "a").get()
            #expect(try fees.waive(ada, amount: euros(200), key: "a").get() == waiver)
            let refund = try fees.refund(ada, amount: euros(300), key: "a").get()
            #expect(try fees.refund(ada, amount: euros(300), key: "a").get() == refund)
            #expect(try fees.refund(ada, amount: euros(200), key: "a").refusal?.code == "exists")
            #expect(try amounts(fees) == [500, -300, -200, -300, 300])
            let other = try fees.charge(.username("bob"), amount: euros(500), label: "Card", key: "a").get()
            #expect(other != charge)
        }
        try library.expectSound()
    }

    @Test("keys of callers never meet those of lines without one")
    func freeKeys() throws {
        let library = try Library()
        try library.desk.write { session throws in
            let fees = session.fees
            let first = try fees.charge(ada, amount: euros(1), label: "x").get()
            let ending = try #require(first.key.split(separator: "@").last).dropLast()
            for key in ["@\(ending)1", "at:\(ending)1", "#1", "\(ending)2"] {
                _ = try fees.charge(ada, amount: euros(1), label: "x", key: key).get()
            }
            _ = try fees.charge(ada, amount: euros(1), label: "x").get()
            #expect(try amounts(fees).count == 6)
        }
    }

    @Test("a charge is waived as a whole, once")
    func waivedCharge() throws {
        let library = try Library()
        try library.desk.write { session throws in
            let fees = session.fees
            let card = try fees.charge(ada, amount: euros(500), label: "Card").get()
            let copies = try fees.charge(ada, amount: euros(200), label: "Copies").get()
            let waiver = try fees.waive(ada, entry: card.id, label: "Stolen").get()
            #expect(waiver.kind == .waiver && waiver.amount == euros(-500) && waiver.label == "Stolen")
            #expect(try fees.waive(ada, entry: card.id).get() == waiver)
            #expect(try fees.waive(ada, entry: waiver.id).refusal?.code == "wrong_entry")
            #expect(try fees.waive(ada, entry: 999).refusal?.code == "unknown_entry")
            #expect(try fees.waive(.username("bob"), entry: copies.id).refusal?.code == "unknown_entry")
            _ = try fees.pay(ada, amount: euros(100)).get()
            #expect(try fees.waive(ada, entry: copies.id).refusal?.code == "more_than_owed")
            #expect(try fees.refund(ada, entry: card.id).refusal?.code == "settled")
            #expect(try amounts(fees) == [500, 200, -500, -100])
        }
        try library.expectSound()
    }

    @Test("a refund gives back what was paid and never makes the patron owe more")
    func refund() throws {
        let library = try Library()
        try library.desk.write { session throws in
            let fees = session.fees
            _ = try fees.charge(ada, amount: euros(500), label: "Card").get()
            #expect(try fees.refund(ada, amount: euros(1)).refusal?.code == "more_than_paid")
            _ = try fees.pay(ada, amount: euros(300)).get()
            let refusal = try #require(try fees.refund(ada, amount: euros(301)).refusal)
            #expect(refusal.code == "more_than_paid" && refusal.reasons.first?.figures["paid"] == "3.00 EUR")
            let refund = try fees.refund(ada, amount: euros(100), label: "Goodwill").get()
            #expect(refund.kind == .refund && refund.amount == euros(100))
            #expect(try fees.owed(by: ada) == euros(200))
            #expect(try fees.refund(ada, amount: euros(201)).refusal?.code == "more_than_paid")
            _ = try fees.refund(ada, amount: euros(200)).get()
            #expect(try fees.owed(by: ada) == euros(200))
            #expect(try fees.ledger(of: ada).map(\.kind.rawValue).suffix(2) == ["adjustment", "refund"])
        }
        try library.expectSound()
    }

    @Test("a payment and a charge are refunded as a whole, once")
    func refundedEntry() throws {
        let library = try Library()
        try library.desk.write { session throws in
            let fees = session.fees
            let card = try fees.charge(ada, amount: euros(500), label: "Card").get()
            let copies = try fees.charge(ada, amount: euros(200), label: "Copies").get()
            let payment = try fees.pay(ada, amount: euros(700)).get()
            let first = try fees.refund(ada, entry: card.id, label: "By mistake").get()
            #expect(first.amount == euros(500))
            #expect(try fees.refund(ada, entry: card.id).get() == first)
            #expect(try fees.owed(by: ada) == euros(0))
            #expect(try fees.waive(ada, entry: card.id).refusal?.code == "settled")
            #expect(try fees.refund(ada, entry: payment.id).refusal?.code == "more_than_paid")
            #expect(try fees.refund(ada, entry: first.id).refusal?.code == "wrong_entry")
            #expect(try fees.refund(ada, entry: copies.id).get().amount == euros(200))
            _ = try fees.charge(ada, amount: euros(50), label: "Copies").get()
            let coin = try fees.pay(ada, amount: euros(50)).get()
            #expect(try fees.refund(ada, entry: coin.id).get().amount == euros(50))
            #expect(try fees.owed(by: ada) == euros(0))
        }
        try library.expectSound()
    }

    @Test("what a lower fine left the library owing is refunded first, and no fine twice")
    func creditFirst() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        let due = try #require(loan.due?.instant)
        try library.pass(days: 17)
        #expect(try library.desk.sweep().charged == 60)
        try library.desk.write { session throws in
            let fees = session.fees
            let fine = try #require(try fees.ledger(of: ada).first)
            _ = try fees.pay(ada, amount: euros(60)).get()
            _ = try session.loans.checkin(.id(loan.id), at: due.adding(hours: -1)).get()
            #expect(try fees.owed(by: ada) == euros(-60))
            #expect(try fees.refund(ada, entry: fine.id).refusal?.code == "settled")
            let refund = try fees.refund(ada, amount: euros(60)).get()
            #expect(try fees.ledger(of: ada).last == refund)
            #expect(try amounts(fees) == [60, -60, -60, 60])
        }
        try library.expectSound()
    }

    @Test(
        "nothing, less than nothing and another currency are errors",
        arguments: [(0, "EUR"), (-1, "EUR"), (.min, "EUR"), (5, "USD"), (5, "JPY")] as [(Int64, String)])
    func wrongAmount(units: Int64, currency: String) throws {
        let library = try Library()
        let amount = Money(minorUnits: units, currency: try #require(Currency(code: currency)))
        for request in [
            { try $0.charge(ada, amount: amount, label: "x") }, { try $0.pay(ada, amount: amount) },
            { try $0.waive(ada, amount: amount) }, { try $0.refund(ada, amount: amount) },
        ] as [(FeeService) throws -> Outcome<LedgerEntry>] {
            #expect(throws: DeskError.self) { try library.desk.write { try request($0.fees) } }
        }
        #expect(try library.events(.ledgerPosted).isEmpty)
    }

    @Test("sums beyond 64 bits are errors, and what was paid in all may go beyond them")
    func overflow() throws {
        let library = try Library()
        let most = euros(.max)
        for _ in 0..<3 {
            _ = try library.desk.write { try $0.fees.charge(ada, amount: most, label: "x").get() }
            #expect(throws: MoneyError.self) {
                try library.desk.write { try $0.fees.charge(ada, amount: euros(1), label: "x") }
            }
            _ = try library.desk.write { try $0.fees.pay(ada, amount: most).get() }
        }
        for _ in 0..<3 { _ = try library.desk.write { try $0.fees.refund(ada, amount: most).get() } }
        #expect(try library.desk.write { try $0.fees.refund(ada, amount: euros(1)) }.refusal?.code == "more_than_paid")
        #expect(try library.owed("ada") == 0)
        try library.expectSound()
    }

    @Test("an unknown patron and another patron's loan are refused")
    func unknown() throws {
        let library = try Library()
        let loan = try library.lend("bob", 1).get()[0]
        try library.desk.write { session throws in
            let fees = session.fees
            let nobody = PatronKey.username("nobody")
            #expect(try fees.pay(nobody, amount: euros(1)).refusal?.code == "unknown_patron")
            #expect(try fees.waive(nobody, entry: 1).refusal?.code == "unknown_patron")
            #expect(try fees.refund(nobody, entry: 1).refusal?.code == "unknown_patron")
            #expect(
                try fees.charge(ada, amount: euros(1), label: "x", loan: loan.id).refusal?.code == "unknown_loan")
            #expect(try fees.owed(by: nobody) == euros(0))
        }
    }

    @Test("a patron who owes is not removed, one who is owed is, and no line names them")
    func removal() throws {
        let library = try Library()
        let remove = { (session: DeskSession) in try session.patrons.remove(.username("ada")) }
        _ = try library.desk.write { session in
            _ = try session.fees.charge(ada, amount: euros(500), label: "Card of Ada").get()
            return try session.fees.pay(ada, amount: euros(499), label: "Ada, in cash").get()
        }
        #expect(try library.desk.write(remove).refusal?.code == "fees_owed")
        _ = try library.desk.write { try $0.fees.waive(ada, amount: euros(1), label: "For ADA").get() }
        let labels = try library.desk.read { try $0.fees.ledger(of: ada) }.map { $0.label.lowercased() }
        #expect(labels.count == 3 && labels.allSatisfy { !$0.contains("ada") })
        #expect(try library.desk.write(remove).value != nil)
        try library.expectSound()
    }
}
