import Circulation
import Prover
import Scripting
import TextFormats

/// Whether the values of two rows are ever decided differently, whatever the codes of the case.
final class TermsComparison {
    private let currency: Currency
    private let judgement: PolicyJudgement
    private let deadline: ContinuousClock.Instant
    private let policy: ParsedPolicy
    private var known: [Key: Found] = [:]

    struct Found {
        /// Cases, with the codes of the rows that were asked about first.
        var questions: [JSONObject] = []
        var unknown: String?
        /// Whether all that differs was looked for, as against the first case of it.
        var isWhole = true
    }

    private struct Key: Hashable {
        let point: DecisionPoint
        let one: [String: RuleValue]
        let other: [String: RuleValue]
    }

    init(_ judgement: PolicyJudgement, currency: Currency, until deadline: ContinuousClock.Instant) throws {
        (self.judgement, self.currency, self.deadline) = (judgement, currency, deadline)
        policy = try ParsedPolicy(name: "policy.lua", source: "return policy { api = 1 }")
    }

    /// - Parameters:
    ///   - isWhole: whether more than one case is looked for.
    ///   - confirm: has the desk itself decide a case.
    func compare(
        _ one: RuleRow?, _ other: RuleRow?, _ groups: Set<RuleGroup>, beside rows: [RuleRow], at point: DecisionPoint,
        whole isWhole: Bool, confirm: PolicyComparer.Confirm
    ) throws -> Found {
        let key = Key(point: point, one: one?.meaning(of: groups) ?? [:], other: other?.meaning(of: groups) ?? [:])
        if let found = known[key], found.isWhole || !isWhole { return found }
        var found = Found()
        // Of other groups it depends whether the values show.
        let beside = point.reckonedGroups.subtracting(groups).subtracting([.lending])
        let companions = Set(rows.map { $0.meaning(of: beside) }).union([[:]])
        for companion in companions.prefix(Self.mostCompanions) {
            let fields = (key.one.merging(companion) { own, _ in own }, key.other.merging(companion) { own, _ in own })
            let result = try compare(fields.0, fields.1, at: point, whole: isWhole, confirm)
            found.questions = result.regions.map(\.question)
            found.unknown = found.unknown ?? result.unknown.first?.message
            if !found.questions.isEmpty { break }
        }
        found.isWhole = isWhole || found.questions.isEmpty
        if found.questions.isEmpty, companions.count > Self.mostCompanions {
            found.unknown = found.unknown ?? "too many other values beside those of these rows"
        }
        known[key] = found
        return found
    }

    private static let mostCompanions = 12

    private func compare(
        _ one: [String: RuleValue], _ other: [String: RuleValue], at point: DecisionPoint, whole isWhole: Bool,
        _ confirm: PolicyComparer.Confirm
    ) throws -> PointComparison {
        func tables(_ fields: [String: RuleValue]) throws -> CompiledTables {
            let place = SourcePlace(file: "policy.lua", line: 1)
            var fields = fields
            // The codes of the rows are no part of this.
            fields[RuleRow.countedTypes] = nil
            return try CompiledTables(
                PolicyTables(rules: [RuleRow(conditions: RowConditions(), fields: fields, place: place)]))
        }
        let prover = try PolicyProver(policy, tables: tables(one), codes: .init(), currency: currency)
        let comparer = try PolicyComparer(prover, with: policy.chunks, tables: tables(other))
        return try comparer.compare(
            at: point, by: judgement, untilFirst: !isWhole, until: deadline, confirm: confirm)
    }
}

extension RuleRow {
    fileprivate func meaning(of groups: Set<RuleGroup>) -> [String: RuleValue] {
        groups.reduce(into: [:]) { fields, group in fields.merge(meaning(of: group)) { first, _ in first } }
    }
}
