import Foundation
import Testing
import TextFormats

@Suite("Holds by the built command")
struct HoldTests {
    private static let policy = """
        return policy {
            api = 1,
            name = "small",
            limits = { { category = "staff", max = unlimited }, { max = 5 } },
            rules = {
                { category = "staff", holds = 1, hold_shelf = days(3) },
                { loan = days(14), renewals = 2, holds = 2, hold_shelf = days(3) },
            },
            hold = function(case)
                if case.patron.category == "staff" then return allow { priority = 1 } end
            end,
            recall = function(case)
                return case.now + days(3)
            end,
            notify = function(case)
                if case.event == "hold_ready" then
                    return notice {
                        channel = "inbox", subject = "{{title.title}} is here",
                        body = "At {{hold.pickup_branch}} until {{hold.until}}.",
                    }
                end
            end,
        }
        """
    private static let script = """
        needs { "loans.write", "notifications.write" }
        local emma = "\(SmallLibrary.emma)"
        local loan = loans.checkout{ patron = "p1", isbn = emma }
        holds.place{ patron = "p2", title = emma }
        print("recalled", loans.get(loan).due_on, loans.get(loan).recalled_at ~= nil)
        holds.place{ patron = "clerk", title = emma }
        for _, hold in ipairs(holds.queue(emma)) do print(hold.position, patrons.get(hold.patron).username) end
        print("renew", select(2, loans.renew(loan)).code)
        local back = loans.checkin{ loan = loan }
        print("back", back.hold.state, catalogue.get(emma).available)
        print("other", select(2, loans.checkout{ patron = "p2", isbn = emma }).code)
        print("again", loans.checkin{ barcode = back.barcode }.hold.shelf_until == back.hold.shelf_until)
        for _, notice in ipairs(notifications.list{ patron = "clerk" }) do print(notice.subject, notice.body) end
        print("filled", holds.get(back.hold).state, loans.checkout{ patron = "clerk", isbn = emma } ~= nil)
        print("filled", holds.get(back.hold).state)
        """

    @Test("a script takes a hold from its place in the queue to its loan")
    func wholeWay() throws {
        let library = try SmallLibrary(policy: Self.policy)
        try library.folder.write(Self.script, to: "holds.lua")
        let run = try library.run(
            "--now", "2026-03-02T09:00:00Z", "run", "--allow", "loans.write,notifications.write", "holds.lua")
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                "recalled 2026-03-05 true", "1 clerk", "2 p2", "renew holds_waiting", "back shelf 0",
                "other held_for_other", "again true", "Emma is here At Main until 2026-03-05.",
                "filled shelf true", "filled filled",
            ])
        #expect(try library.isSound())
        let sweep = try library.run("--now", "2026-03-03T09:00:00Z", "notices", "sweep", "--json")
        #expect(try sweep.json()["holds_expired"] == 0, "\(sweep)")
    }

    @Test("a copy on the shelf that two processes ask for goes to the patron with the hold only")
    func race() throws {
        let library = try SmallLibrary(policy: Self.policy)
        let emma = SmallLibrary.emma
        let shelved = try library.eval(
            """
            local loan = loans.checkout{ patron = 'p1', isbn = '\(emma)' }
            holds.place{ patron = 'p2', title = '\(emma)' }
            return loans.checkin{ loan = loan }.hold.state
            """, "--allow", "loans.write")
        #expect(shelved == "shelf")
        let lines = (1...8).map { number in
            """
            local loan, refusal = loans.checkout{ patron = 'p\(number)', isbn = '\(emma)' }
            print(loan and 'lent \(number)' or refusal.code)
            """
        }
        let answers = try ConcurrencyTests.atOnce(library, lines).sorted()
        #expect(answers.filter { $0 == "lent 2" }.count == 1)
        #expect(answers.filter { $0.hasPrefix("lent") }.count == 1)
        #expect(answers.allSatisfy { ["lent 2", "held_for_other", "no_copies"].contains($0) })
        #expect(try library.isSound())
    }

    @Test("eight processes that place holds for one patron stay within the limit, and one return serves one hold")
    func raceOfHolds() throws {
        let library = try SmallLibrary(policy: Self.policy)
        let titles = [SmallLibrary.emma, SmallLibrary.odyssey, SmallLibrary.programming]
        let lines = (0..<8).map { number in
            """
            local hold, refusal = holds.place{ patron = 'p1', title = '\(titles[number % 3])' }
            print(hold and 'placed' or refusal.code)
            """
        }
        let answers = try ConcurrencyTests.atOnce(library, lines)
        #expect(answers.filter { $0 == "placed" }.count == 2)
        #expect(try library.eval("return #holds.of('p1')") == "2")
        #expect(try library.isSound())
    }

    @Test("explain answers the points of holds in a sentence")
    func explained() throws {
        let library = try SmallLibrary(policy: Self.policy)
        func explain(_ question: String) throws -> String {
            try library.folder.write(question, to: "case.json")
            return try library.run("policy", "explain", "--policy", "policies/university.lua", "--case", "case.json")
                .output
        }
        #expect(try explain(#"{"point":"hold","patron":{"category":"staff"}}"#).hasPrefix("Allowed, priority 1."))
        let refused = try explain(#"{"point":"hold","patron":{"category":"public","holds":2}}"#)
        #expect(refused.hasPrefix("Refused: This account has 2 holds; the limit is 2. (rules row 2, "))
        #expect(try explain(#"{"point":"recall"}"#).hasPrefix("Recalled, due 2026-01-18."))
        #expect(try explain(#"{"point":"notify","event":"hold_ready"}"#).hasPrefix("Notice hold_ready by inbox."))
    }
}
