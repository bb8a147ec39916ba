import TextFormats

/// The built-in wording of the desk's refusals: what happened and until when, in words that can be read out at a desk.
/// A policy's `messages` replaces any of them.
extension Refusal.Reason {
    static func notLent(_ reason: String?, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.notLent, message: reason ?? "This copy is not lent.", origin: origin)
    }

    static func noRule(_ question: Case, origin: RuleOrigin?) -> Refusal.Reason {
        let category = SafeText.line(question.patron.category)
        let itemType = question.copy?.itemTypes.first.map { " and item type \(SafeText.line($0))" } ?? ""
        return Refusal.Reason(
            code: Refusal.Code.noRule,
            message: "No rule says how long category \(category)\(itemType) may borrow.", origin: origin)
    }

    static func heldForOther(_ status: CopyStatus) -> Refusal.Reason {
        let message =
            switch status {
            case .onHoldShelf: "This copy is kept on the hold shelf for another patron."
            case .inTransit: "This copy is on its way to another patron."
            default: "Another patron waits for this copy."
            }
        return Refusal.Reason(code: Refusal.Code.heldForOther, message: message)
    }

    static func sameTitle(confirm: Bool, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.sameTitle,
            message: confirm
                ? "The patron has another copy of this title. Lend this one as well?"
                : "The patron has another copy of this title.",
            origin: origin)
    }

    static func expired(_ end: CivilDate) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.expired, message: "The membership ended on \(end).",
            figures: ["expired_on": .string(end.description)])
    }

    static func blocked(_ block: BlockFacts) -> Refusal.Reason {
        let kind = SafeText.line(block.kind)
        let until = block.ends.map { " until \($0)" } ?? ""
        return Refusal.Reason(
            code: Refusal.Code.blocked, message: "The patron is blocked\(until) (\(kind)).",
            figures: [
                "kind": .string(block.kind), "until": block.ends.map { .string($0.description) } ?? .null,
            ])
    }

    static func suspended(until end: CivilDate?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.suspended,
            message: end.map { "The patron is suspended until \($0)." } ?? "The patron is suspended.",
            figures: ["until": end.map { .string($0.description) } ?? .null])
    }

    static func tooSoon(from soonest: String, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.tooSoon, message: "This loan can be renewed from \(soonest) on.", origin: origin,
            figures: ["soonest": .string(soonest)])
    }

    static func renewals(count: Int64, maximum: Int64, isUnseen: Bool, origin: RuleOrigin?) -> Refusal.Reason {
        let message =
            switch maximum {
            case 0: isUnseen ? "The copy must be brought to renew this loan." : "This loan cannot be renewed."
            case 1:
                isUnseen
                    ? "\(count) of 1 renewal without bringing the copy is used up."
                    : "\(count) of 1 renewal is used up."
            default:
                isUnseen
                    ? "\(count) of \(maximum) renewals without bringing the copy are used up."
                    : "\(count) of \(maximum) renewals are used up."
            }
        return Refusal.Reason(
            code: Refusal.Code.renewals, message: message, origin: origin,
            figures: ["limit": .integer(maximum), "count": .integer(count)])
    }

    static func notRenewedAutomatically(origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.renewals, message: "This loan does not renew by itself.", origin: origin)
    }

    static func noLongerRenewedAutomatically(since end: String, origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.renewals, message: "This loan no longer renews by itself since \(end).", origin: origin,
            figures: ["until": .string(end)])
    }

    static func holdsWaiting(_ count: Int64) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.holdsWaiting,
            message: count == 1 ? "Another patron waits for this title." : "\(count) patrons wait for this title.",
            figures: ["count": .integer(count)])
    }

    /// The renewal would end no later than the loan does.
    package static func notLater(_ due: DueTime, isCapped: Bool, origin: RuleOrigin?) -> Refusal.Reason {
        let when = due.isExact ? due.instant.description : due.date.description
        return Refusal.Reason(
            code: isCapped ? Refusal.Code.renewals : Refusal.Code.tooSoon,
            message: isCapped
                ? "The due date cannot move beyond \(when)."
                : "Renewing now would not move the due date: it would be \(when).",
            origin: origin, figures: ["due": .string(when)])
    }
}
