package import Circulation
import LuaRuntime
package import Prover
package import Scripting
import TextFormats

/// Two policies and what they decide differently, at every point and for every case that there can be.
package struct ComparedPolicies {
    package let before: ParsedPolicy
    package let after: ParsedPolicy
    package var judgement = PolicyJudgement.differs
    /// What is looked at; empty: everything.
    package var points: Set<DecisionPoint> = []
    package var codes = ProofDomain.Codes()
    package var currency = Currency.eur
    /// How long all of it may take.
    package var time = Duration.seconds(60)

    package init(_ before: ParsedPolicy, _ after: ParsedPolicy) { (self.before, self.after) = (before, after) }

    /// - Parameter progress: called with each point before it is looked at.
    /// - Throws: ``PolicyProblems`` for a policy that cannot be loaded; ``Unsettled`` for one that cannot be followed;
    ///   ``ProofError`` without a solver.
    package func report(progress: (String) -> Void = { _ in }) throws -> ComparisonReport {
        let deadline = ContinuousClock.now + time
        let desks = try ComparedDesks(loading: before, after, judgement, currency: currency)
        let (one, other) = (desks.one, desks.other)
        var report = ComparisonReport(judgement: judgement)
        if judgement == .differs {
            report.settings = ComparisonReport.Setting.differing(one.tables.source, other.tables.source)
        }
        let asked = DecisionPoint.allCases.filter { points.isEmpty || points.contains($0) }
        if desks.areTables, !one.hasFunctions, !other.hasFunctions {
            report.points = try TableComparison(desks, codes: codes, currency: currency, until: deadline).compare(
                at: asked)
            return report
        }
        let prover = try PolicyProver(before, tables: one.tables, codes: codes, currency: currency)
        let comparer = try PolicyComparer(prover, with: after.chunks, tables: other.tables)
        for point in asked {
            progress(point.rawValue)
            report.points.append(
                try comparer.compare(at: point, by: judgement, until: deadline) { desks.change(of: $1, for: $0) }
                    .with { $0.question = desks.smaller($0) })
        }
        return report
    }
}

extension PointComparison {
    fileprivate func with(_ change: (inout DifferenceRegion) -> Void) -> PointComparison {
        var copy = self
        for index in copy.regions.indices { change(&copy.regions[index]) }
        return copy
    }
}

/// The desk with either policy. Used by one thread.
final class ComparedDesks {
    let one: LuaPolicy
    let other: LuaPolicy
    let judgement: PolicyJudgement
    let records: LibraryCase

    /// What a decision may take: it takes microseconds, and what takes a thousand times as long hangs.
    private static let limits = LuaLimits(memory: 64 << 20, instructions: 2_000_000)

    /// - Throws: ``PolicyProblems`` for a policy that cannot be loaded.
    init(loading before: ParsedPolicy, _ after: ParsedPolicy, _ judgement: PolicyJudgement, currency: Currency) throws {
        self.judgement = judgement
        one = try LuaPolicy(examining: before, currency: currency, limits: Self.limits)
        other = try LuaPolicy(examining: after, currency: currency, limits: Self.limits)
        records = LibraryCase(before.fields)
    }

    /// How a decision about a case changes in an aspect; nil where it does not.
    func change(of aspect: DecisionAspect, for object: JSONObject) -> DecisionChange? {
        guard let question = try? Case(json: .object(object), records) else { return nil }
        return change(of: aspect, for: question)
    }

    /// With more rows the solver is not asked about each of them.
    private static let mostRows = 60

    /// Whether they are tables of many rows.
    var areTables: Bool { max(one.tables.source.rules.count, other.tables.source.rules.count) > Self.mostRows }

    /// How a decision about a case changes in the weightiest aspect in which it does.
    func change(for object: JSONObject) -> DecisionChange? {
        guard let question = try? Case(json: .object(object), records) else { return nil }
        let (first, second) = (one.decide(question), other.decide(question))
        return DecisionAspect.allCases.lazy.compactMap { [judgement] in
            judgement.change(of: $0, from: first, to: second)
        }
        .first
    }

    func change(of aspect: DecisionAspect, for question: Case) -> DecisionChange? {
        change(of: [aspect], for: question)
    }

    /// The same in the first of some aspects, the words of messages among them.
    func change(of aspects: [DecisionAspect], for question: Case) -> DecisionChange? {
        let (first, second) = (one.decide(question), other.decide(question))
        let messages = (words(of: first, one, question), words(of: second, other, question))
        return aspects.lazy.compactMap { [judgement] in
            judgement.change(of: $0, from: first, to: second, messages: messages)
        }
        .first
    }

    private func words(of decision: Decision, _ policy: LuaPolicy, _ question: Case) -> String? {
        decision.refusal.flatMap { policy.message(for: $0.code, language: question.patron.language) }
    }

    private static let tries = 150

    /// The case of a region without what neither the region nor the difference needs.
    func smaller(_ region: DifferenceRegion) -> JSONObject {
        let whole = region.question
        return CaseShrinker.shrunk(whole, tries: Self.tries) { [self] object in
            region.fields.allSatisfy { JSON.object(object)[path: $0] == JSON.object(whole)[path: $0] }
                && change(of: region.change.aspect, for: object) == region.change
        }
    }
}

extension JSON {
    /// What stands at `patron.loans`; nil: nothing.
    fileprivate subscript(path path: String) -> JSON? {
        var value: JSON? = self
        for name in path.split(separator: ".") { value = value?[String(name)] }
        return value
    }
}
