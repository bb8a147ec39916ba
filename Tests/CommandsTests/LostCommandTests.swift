import Foundation
import Testing
import TextFormats

@Suite("Lost, claimed and rented copies by the built command")
struct LostCommandTests {
    private static let policy = """
        return policy {
            api = 1,
            name = "small",
            limits = { { max = 5 } },
            rules = {
                {
                    loan = days(14), renewals = 2, fine = money "0.20", per = days(1), rental = money "0.50",
                    lost_after = days(30), lost_fee = money "25.00", lost_refund_within = days(7),
                },
            },
            lost = function(case, rule)
                if case.patron.category == "staff" then error("nobody knows") end
            end,
        }
        """

    @Test(
        "a sweep calls lost what is late by a month, and a copy that is found takes the fee back",
        arguments: StoreChoice.allCases)
    func swept(store: StoreChoice) throws {
        let library = try SmallLibrary(store, policy: Self.policy)
        let write = ["--allow", "loans.write,fees.write"]
        func at(_ day: String, _ text: String) throws -> String {
            let run = try library.command.run(["--now", "\(day)T09:00:00Z", "eval"] + write + [text])
            #expect(run.status == 0, "\(run)")
            return run.output.trimmingCharacters(in: .newlines)
        }
        let emma = SmallLibrary.emma
        #expect(try at("2026-03-02", "loans.may_checkout{ patron = 'p1', isbn = '\(emma)' }.rental") == "0.50 EUR")
        _ = try at("2026-03-02", "loans.checkout{ patron = 'p1', isbn = '\(emma)' }.id")
        _ = try at("2026-03-02", "loans.checkout{ patron = 'clerk', isbn = '\(SmallLibrary.programming)' }.id")
        // The policy fails about the clerk's loan: it is skipped, named and counted.
        let sweep = try library.run("--now", "2026-04-15T09:00:00Z", "notices", "sweep")
        #expect(sweep.status == 1 && sweep.output.contains("1 copies lost"), "\(sweep)")
        #expect(sweep.error.contains("lost: ") && sweep.error.contains("nobody knows"), "\(sweep)")
        #expect(try at("2026-04-16", "fees.owed('p1')") == "31.50 EUR")
        #expect(try at("2026-04-16", "loans.active('p1')[1].lost_at") == "2026-04-15T09:00:00Z")
        #expect(try at("2026-04-20", "loans.mark_found{ loan = 1 }.posted[1].kind") == "waiver")
        #expect(try at("2026-04-20", "loans.mark_found{ loan = 1 }.returned_at") == "2026-04-20T09:00:00Z")
        #expect(try at("2026-04-20", "fees.owed('p1')") == "6.50 EUR")
        #expect(try at("2026-04-20", "loans.mark_lost{ loan = 2 }.failures[1]").contains("nobody knows"))
        let doctor = try library.run("doctor", "--json")
        #expect(try doctor.json()["ok"]?.boolValue == true, "\(doctor)")
    }

    @Test("what a patron claims to have returned is left alone by the sweep until it is seen")
    func claimed() throws {
        let library = try SmallLibrary(policy: Self.policy)
        let script = """
            needs { "loans.write" }
            local loan = loans.checkout{ patron = "p1", isbn = "\(SmallLibrary.emma)" }
            local claim = loans.claim_returned{ loan = loan, reason = "Says it was in the drop box" }
            print(claim.claimed_at ~= nil, select(2, loans.renew(loan)).code)
            for each in loans.each{ state = "claimed" } do print(each.id, each.lost_at) end
            """
        try library.folder.write(script, to: "claim.lua")
        let run = try library.run("--now", "2026-03-02T09:00:00Z", "run", "--allow", "loans.write", "claim.lua")
        #expect(run.status == 0, "\(run)")
        #expect(run.output.split(separator: "\n").map(String.init).first?.hasPrefix("true claimed") == true, "\(run)")
        let sweep = try library.run("--now", "2026-06-02T09:00:00Z", "notices", "sweep", "--json")
        #expect(sweep.status == 0, "\(sweep)")
        #expect(try sweep.json()["loans"] == 0 && sweep.json()["lost"] == 0)
        #expect(try library.isSound())
    }

    @Test("a closure moves due dates once and says how many")
    func closure() throws {
        let library = try SmallLibrary(policy: Self.policy)
        let close = "calendar.close{ from = '2026-03-16', to = '2026-03-18', reason = 'Flood', move_due = true }"
        let text = "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' } return \(close), \(close)"
        let run = try library.run(
            "--now", "2026-03-02T09:00:00Z", "eval", "--allow", "loans.write,settings.write", text)
        #expect(run.status == 0 && run.output.split(whereSeparator: \.isWhitespace) == ["1", "0"], "\(run)")
        let due = try library.run("eval", "loans.get(1).due_on")
        #expect(due.output.hasPrefix("2026-03-19"), "\(due)")
    }
}
