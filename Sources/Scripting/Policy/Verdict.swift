import Circulation

/// What speaks against a request, and what it comes to.
struct Verdict {
    /// How much a reason weighs.
    private enum Weight {
        case refuses
        /// Refuses; staff may go on in spite of it.
        case overridable
        /// Asks staff.
        case asks
    }

    private var found: [(reason: Refusal.Reason, weight: Weight)]

    /// - Parameter asks: whether a reason of the standard checks is a question only.
    init(_ reasons: [Refusal.Reason], asks: (Refusal.Reason) -> Bool = { _ in false }) {
        found = reasons.map { ($0, asks($0) ? .asks : .refuses) }
    }

    var reasons: [Refusal.Reason] { found.map(\.reason) }

    /// More that the standard checks found.
    mutating func add(_ reasons: [Refusal.Reason]) {
        found += reasons.map { ($0, .refuses) }
    }

    mutating func add(_ answer: PermissionAnswer, origin: RuleOrigin, title: Int64?) {
        switch answer {
        case .standard: break
        case .allow(let despite, _, _): found.removeAll { despite.contains($0.reason.code) }
        case .confirm(let code, let message):
            add(Refusal.Reason(code: code, message: message, title: title, origin: origin), .asks)
        case .deny(let code, let message, let mayBeOverridden):
            add(
                Refusal.Reason(code: code, message: message, title: title, origin: origin),
                mayBeOverridden ? .overridable : .refuses)
        }
    }

    /// A function may hand on what `standard` gave it. That is not a second reason, but it weighs what the function
    /// says: so a library lets its staff override a limit.
    private mutating func add(_ reason: Refusal.Reason, _ weight: Weight) {
        let same = found.firstIndex { $0.reason.code == reason.code && $0.reason.message == reason.message }
        if let same { found[same].weight = weight } else { found.append((reason, weight)) }
    }

    var answer: Decision.Answer {
        if found.isEmpty { return .allow }
        return found.allSatisfy { $0.weight == .asks } ? .confirm : .deny
    }

    /// Every reason is one that staff may override, or a question.
    var mayBeOverridden: Bool { !found.isEmpty && found.allSatisfy { $0.weight != .refuses } }
}
