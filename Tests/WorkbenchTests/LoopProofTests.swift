import Testing

@testable import Prover
@testable import Workbench

/// Proofs about what loops are given.
@Suite("Proofs about loops")
struct LoopProofTests {
    /// What a function asks of all loans, which patrons with few of them meet as well.
    static let walks = [
        "local n = 0 for _, e in ipairs(case.patron.loans) do if e.on_site then n = n + 1 end end return n < 2",
        "local n = 0 for _, e in ipairs(case.patron.loans) do if e.on_site then n = n + 1 elseif e.title == 1 then n = n + 2 end end "
            + "return n < 2",
        "local is = true for i = 1, #case.patron.loans do if case.patron.loans[i].on_site then is = true end end return is",
        "for _, e in ipairs(case.patron.loans) do if e.on_site then return false end end return true",
        "local first for _, e in ipairs(case.patron.loans) do if not first or e.title < first then first = e.title end end "
            + "return first == nil or first > 7",
        "local most = 0 for _, e in ipairs(case.patron.loans) do most = math.max(most, e.title) end return most < 9",
        "for _, e in ipairs(case.patron.blocks) do if has(e.actions, \"renew\") then return false end end return true",
    ]

    @Test("what is stated of long lists is not taken to be so of short ones", arguments: walks)
    func short(_ walk: String) throws {
        let policy = """
            local function meets(case) \(walk) end
            return policy { api = 1, rules = { { when = meets, loan = weeks(3) } } }
            """
        let properties = (0...6).map { length in
            """
            never("\(length) loans", "checkout", function(case, decision)
                return #case.patron.loans == \(length) and decision.answer == "allow"
            end)
            """
        }
        let report = try ListProofTests.report(policy, properties.joined(separator: "\n"))
        #expect(report.results.allSatisfy { $0.status == .refuted }, "\(walk): \(report.text)")
    }

    @Test("what a function within a loop puts into its answer stays there")
    func answered() throws {
        let policy = """
            local function refusal()
                local answer = deny("no", "No.")
                answer.override = true
                return answer
            end
            return policy { api = 1, rules = { { loan = weeks(3) } },
                checkout = function(case)
                    for _, loan in ipairs(case.patron.loans) do return refusal() end
                end }
            """
        let properties = """
            never("by staff", "checkout", function(case, decision) return decision.code == "no" and decision.override end)
            never("for good", "checkout", function(case, decision) return decision.code == "no" and not decision.override end)
            """
        let report = try ListProofTests.report(policy, properties)
        #expect(report.results.map(\.status) == [.refuted, .proved], "\(report.text)")
    }

    @Test("what a loop answered is not changed for all by what a later loop does to it on one way")
    func changedLater() throws {
        let policy = """
            local function refusal(case)
                local function made()
                    local answer = deny("no", "No.")
                    answer.override = false
                    return answer
                end
                for _, loan in ipairs(case.patron.loans) do return made() end
            end
            local function open(answer) answer.override = true end
            return policy { api = 1, rules = { { loan = weeks(3) } },
                checkout = function(case)
                    local answer = refusal(case)
                    if not answer then return nil end
                    for _, block in ipairs(case.patron.blocks) do
                        if block.kind == "small" then open(answer) end
                    end
                    return answer
                end }
            """
        let properties = """
            never("for good", "checkout", function(case, decision) return decision.code == "no" and not decision.override end)
            never("by staff", "checkout", function(case, decision) return decision.code == "no" and decision.override end)
            """
        let report = try ListProofTests.report(policy, properties)
        #expect(!report.results.contains { $0.status == .proved }, "\(report.text)")
    }

    @Test("an effect that a loop answers is one that the desk takes")
    func effects() throws {
        let policy = """
            return policy { api = 1,
                checkin = function(case)
                    for _, loan in ipairs(case.patron.loans) do
                        return charge { key = "late", amount = money "1.00", label = "Late" }
                    end
                end }
            """
        let properties = """
            never("failed", "checkin", function(case, decision) return decision.answer == "failed" end)
            never("charged", "checkin", function(case, decision) return decision.charges ~= nil end)
            """
        let report = try ListProofTests.report(policy, properties)
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    @Test("a loop that is given `ipairs` itself is not one over what it hands out")
    func handedOut() throws {
        let properties = """
            never("refused by the loop", "checkout", function(case, decision) return decision.code == "loop" end)
            """
        // Lua calls `ipairs(nil)`, which gives a function: the loop is entered.
        let report = try ListProofTests.report(
            """
            return policy { api = 1, rules = { { loan = weeks(3) } },
                checkout = function(case) for _ in ipairs do return deny("loop", "No.") end end }
            """, properties)
        #expect(report.results[0].status != .proved, "\(report.text)")
    }
}
