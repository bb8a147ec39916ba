import Circulation
import ProofAgreement
import Prover
import Scripting
import Testing
import TextFormats
import Workbench

/// That each case falls under that outcome of a matrix which the desk decides.
@Suite("A matrix and the desk agree")
struct MatrixAgreementTests {
    @Test("on the policies that are shipped", arguments: ["bitbooks", "public", "textbooks", "university"])
    func shipped(name: String) throws {
        let trial = try MatrixTrial(ParsedPolicy(file: ShippedPolicyTests.path(name)), seed: 1)
        var wrong: [String] = []
        for _ in 0..<500 {
            for point in trial.points {
                let question = trial.question(at: point)
                if let what = trial.disagreement(on: question) {
                    wrong.append("\(point.rawValue): \(what)\n\(JSON.object(question).text())")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count)\n\(wrong.prefix(3).joined(separator: "\n"))")
        #expect(trial.certain > 900 && trial.decided > 400, "\(trial.certain) \(trial.decided)")
    }

    @Test("on policies written at random")
    func random() throws {
        var wrong: [String] = []
        var (certain, decided, policies) = (0, 0, 0)
        for seed in UInt64(1)...60 {
            var writer = PolicyWriter(seed: seed)
            let text = writer.write()
            guard let trial = try? MatrixTrial(ParsedPolicy(name: "policy.lua", source: text.policy), seed: seed) else {
                continue
            }
            policies += 1
            for question in try AgreementTrial(text, seed: seed).questions(40, seed: seed) {
                guard let what = trial.disagreement(on: question) else { continue }
                wrong.append("seed \(seed): \(what)\n\(text.policy)\n\(JSON.object(question).text())")
                break
            }
            certain += trial.certain
            decided += trial.decided
        }
        #expect(wrong.isEmpty, "\(wrong.count)\n\(wrong.prefix(3).joined(separator: "\n"))")
        #expect(policies > 40 && certain > 1_500 && decided > 800, "\(policies) \(certain) \(decided)")
    }

    @Test("the function of a row fails where the rest of the row holds, and nowhere else")
    func rest() throws {
        let policy = try ParsedPolicy(
            name: "policy.lua",
            source: """
                return policy {
                    rules = { { home_branch = "north", when = function() return 1 end, loan = days(2) }, { loan = days(3) } },
                }
                """)
        let found = try PolicyMatrix(policy).outcomes.flatMap(\.functions).compactMap(\.outcome)
        let failing = found.filter { $0.answer == .fails("bad_answer") }
        #expect(!failing.isEmpty, "\(found)")
        #expect(failing.allSatisfy { $0.conditions.map(\.words) == ["home branch north"] }, "\(found)")
    }

    /// Tables of limits with a function that answers neither true nor false.
    private static let limitRows = [
        "{ when = bad, max = 3 }", "{ item_type = \"dvd\", when = bad, max = 1 }, { max = 5 }",
        "{ category = \"child\", max = unlimited }, { when = bad, max = 1 }",
        "{ when = function(case) return case.patron.holds > 1 end, max = unlimited }, { when = bad, max = 2 }",
        "{ owed = money \"1.00\", when = bad, max = 1 }", "{ when = bad, max = unlimited }, { max = 2 }",
    ]

    @Test("the function of a row of limits fails where the row leaves no room", arguments: limitRows)
    func limited(rows: String) throws {
        let source = """
            local function bad() return 1 end
            return policy { rules = { { loan = days(2) } }, limits = { \(rows) } }
            """
        let policy = try ParsedPolicy(name: "policy.lua", source: source)
        let trial = try MatrixTrial(policy, seed: 1)
        for _ in 0..<300 {
            let question = trial.question(at: .checkout)
            let what = trial.disagreement(on: question)
            #expect(what == nil, "\(JSON.object(question).text())")
        }
        let found = try PolicyMatrix(policy).outcomes.flatMap(\.functions).compactMap(\.outcome)
        #expect(found.contains { $0.answer == .fails("bad_answer") }, "\(found)")
    }

    @Test(
        "an answer that the desk takes at another point alone is a failure",
        arguments: [
            ("lost", "money '0.00'", true), ("lost", "money '1.00'", true), ("lost", "suspend(days(1))", true),
            ("lost", "declare_lost()", false), ("overdue", "suspend(days(1))", true),
            ("overdue", "charge { key = 'a', amount = money '1.00', label = 'b' }", false),
            ("checkin", "{ suspend(days(1)), declare_lost() }", true), ("checkin", "{ suspend(days(1)) }", false),
            ("notify", "charge { key = 'a', amount = money '1.00', label = 'b' }", true),
            ("fine", "days(1)", true), ("fine", "date '2026-01-20'", true), ("fine", "money '1.00'", false),
            ("price", "date '2026-01-20'", true), ("price", "money '1.00'", false),
            ("due", "money '1.00'", true), ("due", "date '2026-01-20'", false), ("recall", "{}", true),
            ("publish", "deny('', 'No.')", true), ("publish", "deny('no', '')", false),
            ("publish", "allow { priority = 1 }", true), ("publish", "allow()", false), ("publish", "review()", false),
            ("expiry", "days(1)", true), ("expiry", "unlimited", false), ("due", "unlimited", true),
        ])
    func answersOfOtherPoints(point: String, answer: String, fails: Bool) throws {
        let policy = try ParsedPolicy(
            name: "policy.lua",
            source: "return policy { rules = { { loan = days(14), lost_after = days(30) } },"
                + " \(point) = function(case) return \(answer) end }")
        let found = try PolicyMatrix(policy).outcomes.flatMap(\.functions).compactMap(\.outcome?.answer)
        #expect(found.map { $0 == .fails("bad_answer") } == [fails], "\(found)")
    }
}
