import Foundation
import Testing
import TextFormats

@Suite("Fees by the built command")
struct FeeTests {
    private static let script = """
        needs { "fees.write", "loans.write", "patrons.write" }
        local loan = loans.checkout{ patron = "p1", isbn = "\(SmallLibrary.emma)" }
        local card = fees.charge{ patron = "p1", amount = money "5.00", label = "Card", key = "card", loan = loan }
        print("again", fees.charge{ patron = "p1", amount = "5.00", label = "Card", key = "card" }.id == card.id)
        print("more", select(2, fees.pay{ patron = "p1", amount = "5.01" }).message)
        fees.pay{ patron = "p1", amount = money "3.00", note = "Cash" }
        fees.waive{ patron = "p1", amount = money "0.50", reason = "Goodwill" }
        print("owed", fees.owed("p1"))
        local _, refusal = fees.refund{ patron = "p1", amount = money "3.01", reason = "Mistake" }
        print("paid", refusal.code, refusal.details.reasons[1].figures.paid)
        fees.refund{ patron = "p1", amount = money "1.00", reason = "Mistake" }
        loans.checkin{ loan = loan }
        print("removed", select(2, patrons.remove("p1")).code)
        fees.pay{ patron = "p1", amount = fees.owed("p1") }
        for _, line in ipairs(fees.ledger("p1")) do print(line.kind, line.amount, line.label) end
        print("removed", patrons.remove("p1") ~= nil)
        """

    @Test("a script takes a charge from its posting to the last cent", arguments: StoreChoice.allCases)
    func wholeWay(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        try library.folder.write(Self.script, to: "fees.lua")
        let run = try library.run(
            "--now", "2026-03-02T09:00:00Z", "run", "--allow", "fees.write,loans.write,patrons.write", "fees.lua")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                "again true", "more 5.01 EUR is more than the 5.00 EUR that the patron owes.", "owed 1.50 EUR",
                "paid more_than_paid 3.00 EUR", "removed fees_owed", "charge 5.00 EUR Card",
                "payment -3.00 EUR Cash", "waiver -0.50 EUR Goodwill", "adjustment -1.00 EUR Mistake",
                "refund 1.00 EUR Mistake", "payment -1.50 EUR Payment", "removed true",
            ])
        #expect(try library.isSound())
    }

    @Test("payments need permission, and a money in another currency is an error")
    func notAllowed() throws {
        let library = try SmallLibrary()
        let denied = try library.run("eval", "--format", "json", "fees.pay{ patron = 'p1', amount = '1.00' }")
        #expect(denied.status == 3)
        #expect(try denied.failure()["error"]?["code"] == "capability")
        let negative = try library.run(
            "eval", "--allow", "fees.write", "fees.charge{ patron = 'p1', amount = '-1.00', label = 'x' }")
        #expect(negative.status == 3 && negative.error.contains("greater than zero"), "\(negative)")
    }
}
