package import Circulation
import LuaRuntime
import LuaSyntax
package import Scripting
package import TextFormats

/// A decision with its reasons: each row of the tables with what it said to the case and why not, and the lines of the
/// policy's functions that ran.
package struct PolicyExplanation: Sendable {
    package let decision: Decision
    /// For each group of fields the row that set it.
    package let groups: [GroupExplanation]
    /// The rows of `limits`, where loans are counted.
    package let limits: [LimitExplanation]
    /// The rows of `notices`, where a loan is looked at by the sweep.
    package let notices: [NoticeExplanation]
    /// The rows of `membership`, where the end of one is asked for.
    package let membership: [MembershipExplanation]
    package let trace: PolicyTrace
    /// The name of the policy and the files of its bundle by name.
    package let policy: String
    let sources: [(name: String, text: SourceText)]
    /// The policy's own words for the refusal, if it has any.
    let words: String?
    /// The last day of a loan that is asked for to be shorter, and the rule's own due time.
    let wish: (until: CivilDate, ruled: DueTime)?

    /// Reproducible on any machine.
    private static let limits = LuaLimits(memory: LuaLimits.policy.memory, instructions: 20_000_000)

    /// - Throws: ``PolicyProblems`` if the bundle is not a policy.
    package init(_ parsed: ParsedPolicy, question: Case) throws {
        let policy = try LuaPolicy(parsed, currency: question.currency, limits: Self.limits)
        (decision, trace) = policy.decideTraced(question)
        // A `when` that fails made the decision fail already; then no table is left to explain.
        groups = question.point.readsRules ? (try? policy.explanation(of: question)) ?? [] : []
        limits = question.point == .checkout ? (try? policy.limitExplanations(of: question)) ?? [] : []
        notices = question.point == .overdue ? (try? policy.noticeExplanations(of: question)) ?? [] : []
        membership = question.point == .expiry ? (try? policy.membershipExplanations(of: question)) ?? [] : []
        words = decision.refusal.flatMap { policy.message(for: $0.code, language: question.patron.language) }
        wish = Self.wish(in: question, decision, policy)
        self.policy = policy.name
        sources = parsed.bundle.files.map { ($0.name, SourceText($0.source)) }
    }

    private static func wish(
        in question: Case, _ decision: Decision, _ policy: LuaPolicy
    ) -> (until: CivilDate, ruled: DueTime)? {
        guard question.loan == nil, decision.due != nil, let rule = decision.rule,
            let until = question.request?.wantedUntil
        else { return nil }
        var unasked = question
        unasked.request?.wantedUntil = nil
        return (try? policy.tables.dueTime(for: unasked, rule: rule)).map { (until, $0) }
    }

    /// The decision in JSON: `fields` by name and `trace`, and beside them `explanation`, the answer in a sentence,
    /// `limits` and `notices` (at `expiry` also `membership`) with what each row said.
    package var json: JSON {
        guard case .object(var object) = decision.json(explanation: groups, trace: trace.lines) else { return .null }
        object["explanation"] = .string(sentence)
        object["limits"] = .array(limits.map(\.json))
        object["notices"] = .array(notices.map(\.json))
        if decision.point == .expiry { object["membership"] = .array(membership.map(\.json)) }
        return .object(object)
    }

    /// A line of a file as it is written; nil where there is none.
    package func source(_ file: String, _ line: Int) -> String? {
        sources.first { $0.name == file }?.text.line(line)
    }
}

extension DecisionPoint {
    /// Whether rows of `rules` are read at the point.
    fileprivate var readsRules: Bool {
        switch self {
        case .request, .publish, .notify, .expiry: false
        default: true
        }
    }
}

extension LimitExplanation {
    /// `{"row", "file", "line", "max", "count", "claimed_left_out", "applies", "because"}`; `max` is null for unlimited. A
    /// row that is full and counts the loans of a window has `possible_from` as well.
    fileprivate var json: JSON {
        var object: JSONObject = [
            "row": origin.row.map { .integer(Int64($0)) } ?? .null, "file": .string(origin.file),
            "line": .integer(Int64(origin.line)), "max": maximum.map { .integer($0) } ?? .null,
            "count": .integer(count), "claimed_left_out": .integer(claimedLeftOut), "applies": .bool(because == nil),
            "because": because.map { .string($0) } ?? .null,
        ]
        if let possibleFrom { object["possible_from"] = .string(possibleFrom) }
        return .object(object)
    }
}

extension NoticeExplanation {
    /// `{"row", "file", "line", "stage", "applies", "superseded", "because"}`
    fileprivate var json: JSON {
        [
            "row": origin.row.map { .integer(Int64($0)) } ?? .null, "file": .string(origin.file),
            "line": .integer(Int64(origin.line)), "stage": .string(stage), "applies": .bool(because == nil),
            "superseded": .bool(isSuperseded), "because": because.map { .string($0) } ?? .null,
        ]
    }
}

extension MembershipExplanation {
    /// `{"row", "file", "line", "ends", "expires_on", "applies", "because"}`; `expires_on` is null without an end, and
    /// where the row is passed over.
    fileprivate var json: JSON {
        [
            "row": origin.row.map { .integer(Int64($0)) } ?? .null, "file": .string(origin.file),
            "line": .integer(Int64(origin.line)), "ends": .string(words),
            "expires_on": date.map { .string($0.description) } ?? .null, "applies": .bool(because == nil),
            "because": because.map { .string($0) } ?? .null,
        ]
    }
}
