package import Circulation
import LuaRuntime
package import Prover
package import Scripting
package import TextFormats

/// Two policies, of which it is proved that they decide alike, or shown by a case that they do not. Used by one thread.
package final class SamenessProof {
    /// The desk with either policy.
    let desks: ComparedDesks
    private let comparer: PolicyComparer
    private let codes: ProofDomain.Codes
    private let currency: Currency

    /// - Parameter isStopped: asked again and again; once it is true a proof ends as if its time were over.
    /// - Throws: ``PolicyProblems`` for a policy that cannot be loaded; ``Unsettled`` for one that cannot be followed;
    ///   ``ProofError`` without a solver.
    package init(
        _ one: ParsedPolicy, _ other: ParsedPolicy, codes: ProofDomain.Codes = .init(), currency: Currency = .eur,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws {
        (self.codes, self.currency) = (codes, currency)
        desks = try ComparedDesks(loading: one, other, .differs, currency: currency)
        let prover = try PolicyProver(one, tables: desks.one.tables, codes: codes, currency: currency)
        prover.isStopped = isStopped
        comparer = try PolicyComparer(prover, with: other.chunks, tables: desks.other.tables)
    }

    /// What of the policies the desk reads by itself, beside their decisions, and is another.
    var settings: [ComparisonReport.Setting] {
        ComparisonReport.Setting.differing(desks.one.tables.source, desks.other.tables.source)
    }

    /// Whether at a point nothing differs even as it is written.
    package func isSame(at point: DecisionPoint) -> Bool { comparer.isSame(at: point) }

    /// Proves that all cases of a point, or some of them, are decided alike, or refutes it by one that the desk decides both ways.
    ///
    /// - Throws: ``ProofError``.
    package func proof(
        at point: DecisionPoint, in scope: CaseScope = .all, until deadline: ContinuousClock.Instant
    ) throws -> Proof {
        if isSame(at: point) { return Proof(outcome: .proved, paths: 0) }
        if let found = try provedByRows(point, scope, deadline) { return found }
        return try comparer.prove(at: point, in: scope, until: deadline) { [self] object, _ in
            change(for: object, scope)
        }
    }

    /// Tables of many rows, pair by pair of rows; nil: they are none, or it is not found out so.
    private func provedByRows(
        _ point: DecisionPoint, _ scope: CaseScope, _ deadline: ContinuousClock.Instant
    ) throws -> Proof? {
        let (one, other) = (desks.one, desks.other)
        guard desks.areTables, !one.hasFunctions, !other.hasFunctions,
            one.tables.source.messages == other.tables.source.messages
        else { return nil }
        let compared = try TableComparison(desks, codes: codes, currency: currency, until: deadline).compare(at: [point]
        )
        for region in compared.flatMap(\.regions) where change(for: region.question, scope) != nil {
            return Proof(outcome: .refuted(region.question, beside: nil), paths: 0)
        }
        return compared.allSatisfy { $0.regions.isEmpty && $0.unknown.isEmpty }
            ? Proof(outcome: .proved, paths: 0) : nil
    }

    /// How the desk's decision about a case changes from the one policy to the other, in the weightiest aspect in which it does; nil:
    /// it does not, or the case is none of the scope's.
    package func change(for object: JSONObject, _ scope: CaseScope = .all) -> DecisionChange? {
        guard let question = try? Case(json: .object(object), desks.records), scope.contains(question, desks.records)
        else { return nil }
        return desks.change(of: Self.aspects, for: question)
    }

    /// All but the words of refusals.
    private static let aspects = DecisionAspect.allCases.filter { $0 != .message }
    private static let tries = 400

    /// A case without what the difference does not need.
    func smaller(_ object: JSONObject, _ scope: CaseScope = .all) -> JSONObject {
        let aspect = change(for: object, scope)?.aspect
        return CaseShrinker.shrunk(object, tries: Self.tries) { [self] in
            $0["point"] == object["point"] && change(for: $0, scope)?.aspect == aspect
        }
    }
}
