import Circulation
import TextFormats

/// What other systems call the desk's reasons.
enum ForeignReason {
    /// The names that other systems have for a refusal.
    ///
    /// - Parameter line: the row of the policy that decided, as it was written.
    static func names(of refusal: Refusal, at point: DecisionPoint, row line: String, by job: Bool) -> [String] {
        guard let reason = refusal.reasons.first else { return [refusal.code] }
        return names(of: reason, at: point, row: line, by: job) + [reason.code]
    }

    private static func names(
        of reason: Refusal.Reason, at point: DecisionPoint, row: String, by job: Bool
    ) -> [String] {
        switch reason.code {
        case Refusal.Code.limit: point == .hold ? holdLimit(reason) : loanLimit(reason, row)
        case Refusal.Code.blocked: blocked(reason, at: point)
        case Refusal.Code.suspended: blocked(reason, at: point) + ["debarred"]
        case Refusal.Code.expired:
            ["PATRON_ACCOUNT_EXPIRED", "expired", "EXPIRED", "CARD_EXPIRED", "patron_expired", "Patron has expired"]
        case Refusal.Code.sameTitle: ["BIBLIO_ALREADY_ISSUED", "ITEM_ALREADY_CHECKED_OUT", "itemAlreadyOnHold"]
        case Refusal.Code.renewals: renewals(reason, by: job)
        case Refusal.Code.tooSoon: [job ? "auto_too_soon" : "too_soon", "loan_too_soon"]
        case Refusal.Code.holdsWaiting:
            ["on_reserve", "items cannot be renewed when there is an active recall request"]
        case Refusal.Code.overdue:
            point == .checkout || point == .request
                ? ["USERBLOCKEDOVERDUE", "Checkout denied", "PATRON_EXCEEDS_OVERDUE_COUNT"] + lateItems
                : ["overdue", "PATRON_EXCEEDS_OVERDUE_COUNT"] + lateItems
        case Refusal.Code.feesOwed: ["auto_too_much_oweing", "PATRON_EXCEEDS_FINES", "DEBT", "fees"]
        case Refusal.Code.notLent: ["NOT_FOR_LOAN", "notforloan", "Checkout denied", "item is not loanable"]
        case Refusal.Code.noRule: ["no_rule", "NOT_FOR_LOAN", "no matching rule"]
        case "items_out": ["PATRON_EXCEEDS_CHECKOUT_COUNT", "Maximum number of items charged out reached"]
        case "lost": ["PATRON_EXCEEDS_LOST_COUNT", "Maximum number of lost items reached"]
        case "on_site": ["onsite_checkout"]
        case "auto_too_late": ["auto_too_late"]
        case "library_requests": ["Maximum number of requests for this library reached", "Request denied"]
        case "pickup": ["pickupNotInHoldGroup", "libraryNotPickupLocation", "libraryNotFound", "cannotBeTransferred"]
        case "booked": ["booked"]
        default: []
        }
    }

    private static let lateItems = ["Maximum number of late items is reached"]

    private static func loanLimit(_ reason: Refusal.Reason, _ row: String) -> [String] {
        let isOnSite = row.contains("on_site = true")
        if isOnSite { return ["TOO_MANY_ONSITE_CHECKOUTS"] }
        return [
            "TOO_MANY_CHECKOUTS", "PATRON_EXCEEDS_CHECKOUT_COUNT", "Checkout denied",
            "config.circ_matrix_circ_mod_test", "Maximum number of checkouts reached",
        ]
    }

    private static func holdLimit(_ reason: Refusal.Reason) -> [String] {
        if reason.origin?.field == "holds_per_day" { return ["tooManyReservesToday"] }
        return [
            "tooManyReserves", "tooManyHoldsForThisRecord", "Maximum number of requests reached", "noReservesAllowed",
        ]
    }

    private static func blocked(_ reason: Refusal.Reason, at point: DecisionPoint) -> [String] {
        let general = ["restriction", "restricted", "PATRON_BLOCKED", reason.figures["kind"]?.stringValue ?? ""]
        guard point == .checkout || point == .request else { return general }
        let hasEnd = reason.figures["until"]?.stringValue != nil
        return [hasEnd ? "USERBLOCKEDWITHENDDATE" : "USERBLOCKEDNOENDDATE"] + general
    }

    private static func renewals(_ reason: Refusal.Reason, by job: Bool) -> [String] {
        if reason.figures["until"] != nil { return ["auto_too_late"] }
        if reason.origin?.field == "unseen_renewals" { return ["too_unseen"] }
        guard reason.figures["limit"] != nil else { return ["auto_renew_not_allowed", "not_renewable"] }
        var names = [
            "too_many", "loan at maximum renewal number", "LOAN_RENEWAL_LIMIT_REACHED", "MAX_RENEWALS_REACHED",
        ]
        if reason.figures["limit"] == .integer(0) { names += ["loan is not renewable", "not_renewable"] }
        if job { names.append("auto_too_many") }
        return names
    }
}
