import Circulation
import Desk
import Testing
import TextFormats

@Suite("The library's own words", .everyStore)
struct MessageTests {
    private func library(_ messages: [String: PolicyMessage], limit: Int64 = 5) throws -> Library {
        var tables = Library.tables(limit: limit)
        tables.messages = messages
        return try Library(policy: PolicySpec(tables: tables))
    }

    @Test(
        "a message is read in the patron's language, or the nearest that there is",
        arguments: [
            ("de", "Voll."), ("de-AT", "Voll."), ("DE_at", "Voll."), ("fr", "Full."), ("en-GB", "Full."),
            (nil, "Full."),
            ("pt-BR", "Cheio."), ("pt", "Full."),
        ] as [(String?, String)])
    func languages(language: String?, message: String) throws {
        let words = PolicyMessage.byLanguage(["en": "Full.", "de": "Voll.", "pt_BR": "Cheio."])
        #expect(words.text(in: language) == message)
    }

    @Test("who reads English, and finds none, reads the desk's own words; others the first there is")
    func withoutEnglish() {
        let words = PolicyMessage.byLanguage(["it": "Pieno.", "de": "Voll."])
        #expect(words.text(in: "en-GB") == nil)
        #expect(words.text(in: "fr") == "Voll.")
        #expect(words.text(in: nil) == "Voll.")
        #expect(PolicyMessage.text("Full.").text(in: "en") == "Full.")
    }

    @Test(
        "each kind of request is refused in the policy's words",
        arguments: [
            ("unknown_patron", "checkout"), ("unknown_title", "checkout"), ("no_copies", "checkout"),
            ("unknown_loan", "renew"), ("returned", "renew"), ("unknown_title", "hold"), ("exists", "hold"),
            ("not_on_loan", "checkin"), ("unknown_patron", "pay"), ("unknown_title", "remove"),
        ])
    func everywhere(code: String, request: String) throws {
        let library = try library([code: .text("Oh: {{reason.message}}"), "limit": .text("never")])
        let refusal = try library.desk.write { session -> Refusal? in
            switch request {
            case "checkout":
                let patron = code == "unknown_patron" ? "nobody" : "ada"
                let title: Int64 = code == "unknown_title" ? 99 : 2
                if code == "no_copies" {
                    _ = try session.loans.checkout(.init(patron: .username("bob"), wanted: .titles([.id(2)])))
                }
                return try session.loans.checkout(.init(patron: .username(patron), wanted: .titles([.id(title)])))
                    .refusal
            case "renew":
                if code == "unknown_loan" { return try session.loans.renew(.id(99)).refusal }
                let loan = try session.loans.checkout(.init(patron: .username("ada"), wanted: .titles([.id(1)]))).get()[
                    0]
                _ = try session.loans.checkin(.id(loan.id)).get()
                return try session.loans.renew(.id(loan.id)).refusal
            case "hold":
                let request = HoldRequest(patron: .username("ada"), wanted: .title(.id(code == "exists" ? 1 : 99)))
                _ = try session.holds.place(request)
                return try session.holds.place(request).refusal
            case "checkin":
                let copy = try #require(try session.catalogue.copies(of: .id(1)).first)
                return try session.loans.checkin(.barcode(copy.barcode)).refusal
            case "pay":
                return try session.fees.pay(
                    .username("nobody"), amount: Money(minorUnits: 5, currency: .eur), key: "k"
                ).refusal
            default:
                return try session.catalogue.remove(.id(99)).refusal
            }
        }
        #expect(refusal?.code == code)
        #expect(refusal?.message.hasPrefix("Oh: ") == true, "\(refusal?.message ?? "-")")
        #expect(refusal?.message.contains("{{") == false)
        #expect(refusal?.reasons.first?.message == refusal?.message)
        #expect(try library.refusals().last?.refusal.message == "Oh: {{reason.message}}")
    }

    @Test("what would be decided is worded like what was")
    func mayCheckout() throws {
        let library = try library(
            ["limit": .text("{{patron.name}} has {{reason.count}} of {{reason.limit}}.")], limit: 0)
        let request = CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(1)]))
        #expect(try library.desk.read { try $0.loans.mayCheckout(request) }.refusal?.message == "Ada has 0 of 0.")
        let unknown = CheckoutRequest(patron: .username("nobody"), wanted: .titles([.id(1)]))
        #expect(
            try library.desk.read { try $0.loans.mayCheckout(unknown) }.refusal?.message == "There is no such patron.")
    }

    @Test("each title's reason is filled about that title")
    func titles() throws {
        let library = try library(["no_copies": .text("{{title.title}} is out.")])
        _ = try library.lend("bob", 2).get()
        _ = try library.lend("cyd", 1, 1).get()
        let refusal = try #require(try library.lend("ada", 1, 2).refusal)
        #expect(refusal.reasons.map(\.message) == ["Dune is out.", "Emma is out."])
        #expect(refusal.message == "Dune is out.")
    }

    @Test("neither what is filled in nor a function's text is read as a template")
    func neverTwice() throws {
        var tables = Library.tables()
        tables.messages = ["mood": .text("{{reason.message}} ({{patron.name}})")]
        let spec = PolicySpec(tables: tables) { question, decision in
            guard question.point == .checkout else { return decision }
            let reasons = [("mood", "Not {{library.name}}."), ("whim", "Nor {{patron.name}}.")]
                .map { Refusal.Reason(code: $0, message: $1) }
            return Decision(point: .checkout, answer: .deny, refusal: Refusal(reasons: reasons))
        }
        let library = try Library(policy: spec)
        _ = try library.desk.write { try $0.patrons.update(.username("ada")) { $0.name = "{{title.title}}" }.get() }
        let refusal = try #require(try library.lend("ada", 1).refusal)
        #expect(refusal.message == "Not {{library.name}}. ({{title.title}})")
        #expect(refusal.reasons.map(\.message) == [refusal.message, "Nor {{patron.name}}."])
        let logged = try #require(try library.refusals().last?.refusal)
        #expect(logged.reasons.map(\.isTemplate) == [true, false])
        #expect(logged.reasons.map(\.message) == ["{{reason.message}} ({{patron.name}})", "Nor {{patron.name}}."])
        try library.expectSound()
    }

    @Test("a policy's fault is reported in the desk's own words")
    func aboutPolicies() throws {
        let library = try library(["past": .text("Never."), "no_policy": .text("Never.")])
        let refusal = try library.desk.write { try $0.policies.rollback() }.refusal
        #expect(refusal?.code == "no_policy" && refusal?.message != "Never.")
    }
}
