import TextFormats

/// The built-in wording of the desk's refusals: what happened and until when, in words that can be read out at a desk.
/// A policy's `messages` replaces any of them.
extension Refusal.Reason {
    static func notLent(_ reason: String?, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.notLent, message: reason ?? "This copy cannot be borrowed.", origin: origin)
    }

    static func noRule(_ question: Case, origin: RuleOrigin?) -> Refusal.Reason {
        let category = SafeText.line(question.patron.category)
        let itemType = question.copy?.itemTypes.first.map { " and item type \(SafeText.line($0))" } ?? ""
        return Refusal.Reason(
            code: Refusal.Code.noRule,
            message: "No lending rule gives a loan period for category \(category)\(itemType).", origin: origin)
    }

    static func heldForOther(_ status: CopyStatus) -> Refusal.Reason {
        let message =
            switch status {
            case .onHoldShelf: "This copy is on the hold shelf for another patron."
            case .inTransit: "This copy is on its way to another patron."
            default: "Another patron is waiting for this copy."
            }
        return Refusal.Reason(code: Refusal.Code.heldForOther, message: message)
    }

    static func sameTitle(confirm: Bool, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.sameTitle,
            message: confirm
                ? "This account already has another copy of this title on loan. Check this one out as well?"
                : "This account already has another copy of this title on loan.",
            origin: origin)
    }

    static func expired(_ end: CivilDate) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.expired, message: "The membership expired on \(end). It must be renewed first.",
            figures: ["expired_on": .string(end.description)])
    }

    static func blocked(_ block: BlockFacts) -> Refusal.Reason {
        let kind = SafeText.line(block.kind)
        let until = block.ends.map { " until \($0)" } ?? ""
        return Refusal.Reason(
            code: Refusal.Code.blocked, message: "This account is blocked\(until) (\(kind)).",
            figures: [
                "kind": .string(block.kind), "until": block.ends.map { .string($0.description) } ?? .null,
            ])
    }

    static func suspended(until end: CivilDate?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.suspended,
            message: end.map { "This account is suspended until \($0)." } ?? "This account is suspended.",
            figures: ["until": end.map { .string($0.description) } ?? .null])
    }

    static func tooSoon(from soonest: String, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.tooSoon, message: "This loan can be renewed from \(soonest) onwards.", origin: origin,
            figures: ["soonest": .string(soonest)])
    }

    static func renewals(count: Int64, maximum: Int64, isUnseen: Bool, origin: RuleOrigin?) -> Refusal.Reason {
        let message =
            switch maximum {
            case 0:
                isUnseen
                    ? "This loan can only be renewed if the copy is brought to the "
                        + "library." : "This loan cannot be renewed."
            case 1:
                isUnseen
                    ? "\(count) of 1 renewal without bringing the copy has been used."
                    : "\(count) of 1 renewal has been used."
            default:
                isUnseen
                    ? "\(count) of \(maximum) renewals without bringing the copy have been used."
                    : "\(count) of \(maximum) renewals have been used."
            }
        return Refusal.Reason(
            code: Refusal.Code.renewals, message: message, origin: origin,
            figures: ["limit": .integer(maximum), "count": .integer(count)])
    }

    static func notRenewedAutomatically(origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.renewals, message: "This loan does not renew automatically.", origin: origin)
    }

    static func noLongerRenewedAutomatically(since end: String, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.renewals, message: "This loan stopped renewing automatically on \(end).", origin: origin,
            figures: ["until": .string(end)])
    }

    static func holdsWaiting(_ count: Int64) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.holdsWaiting,
            message: count == 1
                ? "Another patron is waiting for this title."
                : "\(count) patrons are waiting for this title.",
            figures: ["count": .integer(count)])
    }

    /// The renewal would end no later than the loan does.
    package static func notLater(_ due: DueTime, isCapped: Bool, origin: RuleOrigin?) -> Refusal.Reason {
        let when = due.isExact ? due.instant.description : due.date.description
        return Refusal.Reason(
            code: isCapped ? Refusal.Code.renewals : Refusal.Code.tooSoon,
            message: isCapped
                ? "The due date cannot be later than \(when)."
                : "Renewing now would not extend the loan: it would be due on \(when).",
            origin: origin, figures: ["due": .string(when)])
    }
}
