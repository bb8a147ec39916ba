package import Circulation

extension PolicyExplanation {
    /// The answer in one sentence, with the row or line that decided.
    package var sentence: String {
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
        if decision.point == .expiry { return membershipWords }
        if let lines = decision.lines { return Self.words(lines) }
        if decision.point == .publish { return "Published." }
        if decision.point == .recall { return decision.due.map { "Recalled, due \(words($0))." } ?? "Not recalled." }
        if let due = decision.due {
            let asked = wish.map { ["Asked until \($0.until), the rule allows until \(words($0.ruled))."] } ?? []
            return (["Allowed, due \(words(due))."] + asked + decision.effects.map(Self.words)).joined(separator: " ")
        }
        if decision.effects.isEmpty {
            return decision.point == .request || decision.point == .checkout ? "Allowed." : "Nothing is due."
        }
        return decision.effects.map(Self.words).joined(separator: " ")
    }

    private var membershipWords: String {
        guard let end = decision.membership else { return "The policy says no end." }
        let words = end.date.map { "The membership ends on \($0)" } ?? "The membership has no end"
        return words + (end.origin.map { " (\(Self.words($0)))." } ?? ".")
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

    /// What else speaks against it, each with its place.
    package var furtherReasons: [String] {
        (decision.refusal?.reasons ?? []).dropFirst().map { reason in
            reason.message + (reason.origin.map { " (\(Self.words($0)))" } ?? "")
        }
    }

    /// `rules row 2, university.lua:14`
    package static func words(_ origin: RuleOrigin) -> String {
        let row = origin.row.flatMap { row in origin.table.map { "\($0.rawValue) row \(row), " } } ?? ""
        return "\(row)\(origin.file):\(origin.line)"
    }
}
