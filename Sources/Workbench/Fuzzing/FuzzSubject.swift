import Circulation
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

/// The policy under search, twice: two states that must answer alike.
final class FuzzSubject {
    let policy: LuaPolicy
    let probes: PolicyProbes
    private let parsed: ParsedPolicy
    private let other: LuaPolicy
    private let rows = RowRecord()

    /// A decision takes microseconds; what takes a thousand times as long hangs.
    private static let limits = LuaLimits(memory: 32 << 20, instructions: 2_000_000)

    /// - Throws: ``PolicyProblems``.
    init(_ parsed: ParsedPolicy) throws {
        self.parsed = parsed
        probes = PolicyProbes(parsed)
        policy = try LuaPolicy(examining: parsed, limits: Self.limits, probes: probes)
        other = try LuaPolicy(examining: parsed, limits: Self.limits)
    }

    /// The same policy in fresh Lua states.
    func fresh() -> FuzzSubject? { try? FuzzSubject(parsed) }

    var coverage: PolicyCoverage { PolicyCoverage(probes, tables: policy.tables, rows: rows.rows) }

    func decide(_ question: Case) -> Decision {
        probes.forgetLast()
        let decision = policy.decide(question)
        rows.note(decision, of: question, by: policy)
        return decision
    }

    /// Where the function of the point answered; nil if the policy has none.
    func place(of point: DecisionPoint) -> (file: String, line: Int)? {
        probes.answers[point].map { (probes.sites[$0].file, probes.sites[$0].range.start.line) }
    }

    /// Where it is decided whether the function of the point answers so: the condition around the answer, if there is
    /// one.
    func condition(of point: DecisionPoint) -> (file: String, line: Int)? {
        guard let site = probes.answers[point].map({ probes.sites[$0] }) else { return nil }
        return (site.file, site.condition > 0 ? site.condition : site.range.start.line)
    }

    /// The condition or statement that first distinguishes a case from others: it ran for this case alone.
    func placeThatRan(for question: Case, butNotFor others: [Case]) -> (file: String, line: Int)? {
        func ran(_ question: Case) -> Set<Int> {
            let before = probes.counts
            _ = policy.decide(question)
            return Set(
                probes.counts.indices.filter { probes.sites[$0].kind == .line && probes.counts[$0] > before[$0] })
        }
        let own = others.reduce(ran(question)) { $0.subtracting(ran($1)) }
        _ = decide(question)
        let first = own.map { probes.sites[$0] }.min { ($0.file, $0.range.start) < ($1.file, $1.range.start) }
        return first.map { ($0.file, $0.condition > 0 ? $0.condition : $0.range.start.line) }
    }

    var lastPlace: (file: String, line: Int)? {
        probes.last.map { (probes.sites[$0].file, probes.sites[$0].range.start.line) }
    }

    /// What a case runs through, line by line, as it is shown to people.
    func linesThatRan(for object: JSONObject) -> [String] {
        guard let question = try? Case(json: .object(object)),
            let policy = try? LuaPolicy(examining: parsed, limits: Self.limits)
        else { return [] }
        var trace = policy.decideTraced(question).trace
        // What does not come to an end runs through the same lines again and again.
        trace.isCut = trace.isCut || trace.lines.count > Self.mostLinesShown
        trace.lines = Array(trace.lines.prefix(Self.mostLinesShown))
        let sources = Dictionary(parsed.bundle.files.map { ($0.name, SourceText($0.source)) }) { first, _ in first }
        return trace.text { sources[$0]?.line($1) }
    }

    private static let mostLinesShown = 40

    var mainFile: String { parsed.bundle.files.first?.name ?? "policy.lua" }

    /// Whether the case has another answer when it is asked again, with others in between, or of the other state.
    func isUnstable(_ question: Case, _ first: Decision, after others: [Case]) -> Bool {
        let wanted = plain(first, policy)
        for other in others { _ = policy.decide(other) }
        if plain(policy.decide(question), policy) != wanted { return true }
        return plain(other.decide(question), other) != wanted
    }

    private func plain(_ decision: Decision, _ policy: LuaPolicy) -> LuaValue {
        DecisionTable.table(of: decision, refusalMessage: nil)
    }
}
