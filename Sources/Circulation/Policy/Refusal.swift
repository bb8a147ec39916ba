package import TextFormats

/// A request that was answered with no: a value, never an error.
package struct Refusal: Hashable, Sendable {
    /// A stable code: one of `Code` or a policy's own.
    package var code: String
    /// What a patron or librarian reads.
    package var message: String
    /// The text is a template of the policy's `messages`, still to be filled by the desk.
    package var isTemplate: Bool
    /// All reasons, the first first.
    package var reasons: [Reason]
    /// Whether staff with `loans.override` may go on in spite of it.
    package var mayBeOverridden: Bool
    /// The policy only asks whether to go on: `confirm`. Such a refusal may always be overridden.
    package var isQuestion = false
    /// SHA-256 of the policy that decided, nil where no policy was asked.
    package var policy: String?
    /// The row or line that decided, nil where no rule did.
    package var origin: RuleOrigin?

    /// One reason among several.
    package struct Reason: Hashable, Sendable {
        package var code: String
        package var message: String
        /// The title asked for (its id), where the reason concerns one of several.
        package var title: Int64?
        package var origin: RuleOrigin?
        /// Figures that belong to the reason: `limit`, `count` and the like.
        package var figures: JSONObject
        /// The message is a template of the policy's `messages`, still to be filled by the desk.
        package var isTemplate: Bool

        package init(
            code: String, message: String, title: Int64? = nil, origin: RuleOrigin? = nil, figures: JSONObject = [:],
            isTemplate: Bool = false
        ) {
            self.code = code
            self.message = message
            self.title = title
            self.origin = origin
            self.figures = figures
            self.isTemplate = isTemplate
        }
    }

    package init(
        reasons: [Reason], isTemplate: Bool = false, mayBeOverridden: Bool = false, policy: String? = nil
    ) {
        self.code = reasons.first?.code ?? "refused"
        self.message = reasons.first?.message ?? "The request was refused."
        self.isTemplate = isTemplate
        self.reasons = reasons
        self.mayBeOverridden = mayBeOverridden
        self.policy = policy
        self.origin = reasons.first?.origin
    }

    package init(code: String, message: String, policy: String? = nil, figures: JSONObject = [:]) {
        self.init(reasons: [Reason(code: code, message: message, figures: figures)], policy: policy)
    }

    /// The codes of the desk itself; a policy may add its own.
    package enum Code {
        package static let limit = "limit"
        package static let notLent = "not_lent"
        package static let noRule = "no_rule"
        package static let noCopies = "no_copies"
        package static let unknownTitle = "unknown_title"
        package static let unknownPatron = "unknown_patron"
        package static let unknownCopy = "unknown_copy"
        package static let unknownLoan = "unknown_loan"
        package static let unknownHold = "unknown_hold"
        package static let unknownListing = "unknown_listing"
        package static let unknownOrder = "unknown_order"
        package static let unknownRental = "unknown_rental"
        package static let unknownSuggestion = "unknown_suggestion"
        package static let notOffered = "not_offered"
        package static let blocked = "blocked"
        package static let expired = "expired"
        package static let suspended = "suspended"
        package static let feesOwed = "fees_owed"
        package static let overdue = "overdue"
        package static let heldForOther = "held_for_other"
        package static let sameTitle = "same_title"
        package static let renewals = "renewals"
        package static let holdsWaiting = "holds_waiting"
        package static let tooSoon = "too_soon"
        package static let policyFailed = "policy_failed"
        package static let notOwner = "not_owner"
        package static let notAllowed = "not_allowed"
        package static let stock = "stock"
        package static let lost = "lost"
        package static let notLost = "not_lost"
        package static let claimed = "claimed"

        /// All of them.
        package static let all = [
            limit, notLent, noRule, noCopies, unknownTitle, unknownPatron, unknownCopy, unknownLoan, unknownHold,
            blocked,
            expired, suspended, feesOwed, overdue, heldForOther, sameTitle, renewals, holdsWaiting, tooSoon,
            policyFailed,
            notOwner, stock, lost, notLost, claimed,
        ]
    }
}

/// Where in a policy something was decided.
package struct RuleOrigin: Hashable, Sendable {
    /// The table, nil when a function decided.
    package var table: PolicyTable?
    /// One-based row of the table.
    package var row: Int?
    package var field: String?
    package var file: String
    package var line: Int

    package init(table: PolicyTable? = nil, row: Int? = nil, field: String? = nil, file: String, line: Int) {
        self.table = table
        self.row = row
        self.field = field
        self.file = file
        self.line = line
    }
}

/// The tables of a policy.
package enum PolicyTable: String, Hashable, Sendable, CaseIterable {
    case limits, rules, notices, membership
}
