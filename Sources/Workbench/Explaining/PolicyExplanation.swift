package import Circulation
import LuaRuntime
import Scripting
package import TextFormats

/// A decision with its reasons: for each group of fields the row that set it, and why the rows before it did not.
package struct PolicyExplanation: Sendable {
    package let decision: Decision
    package let groups: [GroupExplanation]
    /// The policy's own words for the refusal, if it has any.
    private let words: String?

    /// Reproducible on any machine.
    private static let limits = LuaLimits(memory: LuaLimits.policy.memory, instructions: 20_000_000)

    /// - Throws: ``PolicyProblems`` if the bundle is no policy.
    package init(_ bundle: PolicyBundle, question: Case) throws {
        let policy = try LuaPolicy(bundle, currency: question.currency, limits: Self.limits)
        decision = policy.decide(question)
        // A `when` that fails made the decision fail already; then there is no table to explain.
        groups = (try? policy.explanation(of: question)) ?? []
        words = decision.refusal.flatMap { policy.message(for: $0.code, language: question.patron.language) }
    }

    /// The decision in JSON, with `fields` by name and an empty `trace`.
    package var json: JSON { decision.json(explanation: groups) }

    // MARK: - Text

    /// The answer in a sentence, then each group with its row and why earlier rows did not match.
    package var text: String {
        ([sentence] + reasons + groups.flatMap(lines)).joined(separator: "\n")
    }

    private var sentence: String {
        switch decision.answer {
        case .allow: allowance
        case .review:
            "Staff are to decide" + (decision.message.map { $0.isEmpty ? "." : ": \($0)" } ?? ".")
        case .confirm: "Allowed if staff confirm: \(message)\(place)"
        case .deny: "Refused: \(message)\(place)"
        case .failed:
            "The policy failed: \(decision.failure?.message ?? message)"
                + (decision.failure?.file.map { " (\($0):\(decision.failure?.line ?? 1))" } ?? "")
        }
    }

    private var message: String { words ?? decision.refusal?.message ?? "" }

    private var place: String { decision.refusal?.origin.map { " (\(Self.words($0)))" } ?? "" }

    private var allowance: String {
        if decision.point == .hold {
            return "Allowed" + (decision.priority.map { ", priority \($0)" } ?? "") + "."
        }
        if let lines = decision.lines { return Self.words(lines) }
        if decision.point == .publish { return "Published." }
        if decision.point == .recall { return decision.due.map { "Recalled, due \(words($0))." } ?? "Not recalled." }
        if let due = decision.due {
            return (["Allowed, due \(words(due))."] + decision.effects.map(Self.words)).joined(separator: " ")
        }
        if decision.effects.isEmpty {
            return decision.point == .request || decision.point == .checkout ? "Allowed." : "Nothing is due."
        }
        return decision.effects.map(Self.words).joined(separator: " ")
    }

    private static func words(_ lines: [PriceLine]) -> String {
        guard let currency = lines.first?.amount.currency, let total = try? PriceLine.total(of: lines, in: currency)
        else { return "There is nothing to pay." }
        return (["To pay: \(total)."] + lines.map { "  \($0.label): \($0.amount)" }).joined(separator: "\n")
    }

    private func words(_ due: DueTime) -> String { due.isExact ? due.instant.description : due.date.description }

    private static func words(_ effect: Decision.Effect) -> String {
        switch effect {
        case .notice(let order):
            "Notice \(order.stage)\(order.isSuperseded ? " (superseded)" : "") by \(order.channel)."
        case .charge(let order): "Charge \(order.amount): \(order.label)."
        case .fine(let money, _): "Fine \(money) so far."
        case .suspend(let end, _): "Suspended until \(end)."
        case .rental(let amount, let label, _): "\(label) \(amount)."
        case .lose(let fee, _): "Counts as lost" + (fee.map { ", fee \($0)." } ?? ".")
        }
    }

    private var reasons: [String] {
        (decision.refusal?.reasons ?? []).dropFirst().map { reason in
            "  also: \(reason.message)" + (reason.origin.map { " (\(Self.words($0)))" } ?? "")
        }
    }

    private func lines(of group: GroupExplanation) -> [String] {
        let values = group.fields.compactMap { field in
            field.value.map { "\(field.name) = \($0)" + (field.isDefault ? " (default)" : "") }
        }
        let origin = group.origin.map(Self.words) ?? "no row sets it"
        let skipped = group.skipped.map { "      not \(Self.words($0.origin)): \($0.because)" }
        let value = values.isEmpty ? "nothing" : values.joined(separator: ", ")
        return ["  \(group.group.name): \(value)", "      by \(origin)"] + skipped
    }

    /// `rules row 2, university.lua:14`
    private static func words(_ origin: RuleOrigin) -> String {
        let row = origin.row.flatMap { row in origin.table.map { "\($0.rawValue) row \(row), " } } ?? ""
        return "\(row)\(origin.file):\(origin.line)"
    }
}
