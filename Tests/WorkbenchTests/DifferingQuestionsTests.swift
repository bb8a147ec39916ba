import Circulation
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// What a replay need not ask, held against what the desk decides by either policy.
@Suite("Questions that a candidate may answer otherwise")
struct DifferingQuestionsTests {
    /// A change of one row of a shipped policy, or of a function.
    struct Change: Sendable, CustomTestStringConvertible {
        let policy: String
        let old: String
        let new: String
        var testDescription: String { "\(policy): \(new)" }

        init(_ policy: String, _ old: String, _ new: String) { (self.policy, self.old, self.new) = (policy, old, new) }
    }

    static let changes = [
        Change("university", "loan = days(7), renewals = 1", "loan = days(9), renewals = 1"),
        Change("university", "fine = money \"0.20\"", "fine = money \"0.30\""),
        Change("university", "item_type = \"laptop\", max = 1", "item_type = \"laptop\", max = 2"),
        Change("university", "{ category = \"guest\", max = 3 },", ""),
        Change("university", "\"undergraduate\", \"graduate\" },", "\"undergraduate\" },"),
        Change("university", "loan = days(7),\n        },", "loan = days(5),\n        },"),
        Change("university", "charge = money \"2.15\"", "charge = money \"2.25\""),
        Change("university", "after = days(1)", "after = days(2)"),
        Change("university", "holds_waiting > 3", "holds_waiting > 4"),
        Change("university", "#case.title.courses > 0 and", "#case.title.courses > 1 and"),
        Change("university", "same_title = \"confirm\"", "same_title = \"refuse\""),
        Change("public", "{ category = \"child\", max = 10 }", "{ category = \"child\", max = 8 }"),
        Change("public", "grace = days(3)", "grace = days(1)"),
        Change("public", "{ category = \"family\", max = unlimited },", ""),
        Change("public", "hold_shelf = open_days(6)", "hold_shelf = open_days(5)"),
        Change("public", "{ item_type = \"magazine\", loan = days(7), renewals = 0 },", ""),
        Change("public", "age >= 18", "age >= 16"),
        Change("public", "{ category = \"child\", fine = none },", "{ category = \"child\", fine = none, holds = 3 },"),
    ]

    /// The shipped policy and the changed one.
    private static func policies(_ change: Change) throws -> (ParsedPolicy, ParsedPolicy) {
        let parsed = try ParsedPolicy(file: ShippedPolicyTests.path(change.policy))
        let source = try #require(parsed.bundle.files.first?.source)
        try #require(source.contains(change.old))
        return (
            parsed,
            parsed.replacing("\(change.policy).lua", with: source.replacing(change.old, with: change.new))
        )
    }

    private static func selection(_ one: ParsedPolicy, _ other: ParsedPolicy) -> DifferingQuestions {
        DifferingQuestions(from: other.bundle, to: [one.bundle], .eur, time: .seconds(10))
    }

    /// What of a decision a replay tells.
    private static func seen(_ decision: Decision) -> String {
        let effects = decision.effects.map { effect in
            switch effect {
            case .notice(let notice):
                "\(notice.stage) \(notice.repetition) \(notice.channel) \(notice.isSuperseded)"
                    + " \(notice.charge?.description ?? "")"
            case .charge(let charge): "\(charge.key) \(charge.amount)"
            case .fine(let amount, _): "fine \(amount)"
            case .suspend(let end, _): "until \(end)"
            case .rental(let amount, _, _): "rental \(amount)"
            case .lose(let fee, _): "lost \(fee?.description ?? "")"
            }
        }
        return "\(decision.answer) \(decision.refusal?.code ?? "") \(decision.due?.instant.description ?? "")"
            + " \(decision.priority ?? 0) \(effects)"
    }

    private static let points: [DecisionPoint] = [
        .request, .checkout, .due, .renew, .hold, .recall, .overdue, .fine, .checkin,
    ]

    /// Random cases at all points, and whether both decide them alike.
    private static func tries(
        _ one: ParsedPolicy, _ other: ParsedPolicy, _ body: (_ question: Case, _ isAlike: Bool) throws -> Void
    ) throws {
        let (before, after) = (try LuaPolicy(one), try LuaPolicy(other))
        var maker = CaseMaker(CaseVocabulary(one, tables: before.tables), points: points, seed: 7)
        for _ in 0..<1_200 {
            guard let question = try? Case(json: .object(maker.make())) else { continue }
            try body(question, seen(before.decide(question)) == seen(after.decide(question)))
        }
    }

    @Test("what may not differ is decided alike, and something may be left out", arguments: changes)
    func sound(change: Change) throws {
        let (one, other) = try Self.policies(change)
        let selection = Self.selection(one, other)
        var known = 0
        try Self.tries(one, other) { question, isAlike in
            let mayDiffer = selection.mayDiffer(about: question, one.bundle.sha256)
            if !mayDiffer { known += 1 }
            #expect(mayDiffer || isAlike, "\(change): \(question)")
        }
        #expect(known > 100, "\(change)")
    }

    @Test("nearly every change shows in some random case, so that what is left out wrongly would be found")
    func random() throws {
        let found = try Self.changes.count { change in
            let (one, other) = try Self.policies(change)
            var isFound = false
            try Self.tries(one, other) { _, isAlike in if !isAlike { isFound = true } }
            return isFound
        }
        #expect(found * 10 >= Self.changes.count * 7, "\(found)")
    }

    @Test("nothing is known of the candidate itself, of an unknown version, or of what is no policy")
    func unknown() throws {
        let (parsed, changed) = try Self.policies(Self.changes[0])
        let selection = Self.selection(parsed, changed)
        let question = try Case(json: ["point": "checkout"])
        #expect(selection.mayDiffer(about: question, String(repeating: "0", count: 64)))
        #expect(!selection.haveSameNotices(String(repeating: "0", count: 64)))
        let own = DifferingQuestions(from: parsed.bundle, to: [parsed.bundle], .eur)
        #expect(own.mayDiffer(about: question, parsed.bundle.sha256))
        let files = [PolicyBundle.File(name: "policy.lua", source: "return {}")]
        let broken = PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files)
        let none = DifferingQuestions(from: parsed.bundle, to: [broken], .eur)
        #expect(none.mayDiffer(about: question, broken.sha256) && !none.haveSameNotices(broken.sha256))
        var other = question
        other.currency = try #require(Currency(code: "USD"))
        #expect(selection.mayDiffer(about: other, parsed.bundle.sha256))
    }

    @Test("a sweep need not look at loans where notices and when they are looked for are the same")
    func sweeps() throws {
        for (place, isSame) in [(0, true), (6, false), (7, false), (12, true)] {
            let (parsed, changed) = try Self.policies(Self.changes[place])
            let selection = Self.selection(parsed, changed)
            #expect(selection.haveSameNotices(parsed.bundle.sha256) == isSame)
        }
    }
}
