/// A moment at which the desk asks the policy.
package enum DecisionPoint: String, Hashable, Sendable, CaseIterable {
    case request, checkout, due, renew, hold, recall, overdue, fine, checkin, lost, price, publish, notify,
        expiry

    /// The effects that a policy's function may answer, one or a list of them; empty where it answers something else.
    package var effects: Set<String> {
        switch self {
        case .overdue: ["notice", "charge"]
        case .checkin: ["suspend", "charge"]
        case .lost: ["declare_lost", "charge"]
        case .notify: ["notice"]
        case .request, .checkout, .due, .renew, .hold, .recall, .fine, .price, .publish, .expiry: []
        }
    }

    /// What the desk does when the policy fails at this point.
    package var failureMode: FailureMode {
        switch self {
        case .request, .checkout, .due, .renew, .hold, .publish, .price, .expiry: .refuse
        case .checkin: .carryOn
        case .recall, .overdue, .fine, .lost, .notify: .skip
        }
    }

    /// Whether its function is handed a rule: of what no copy is chosen yet, or is about none, there is none.
    package var hasRule: Bool { self != .request && self != .expiry }

    /// The consequence of a policy's failure.
    package enum FailureMode: Hashable, Sendable {
        /// The request is refused with `policy_failed`.
        case refuse
        /// The desk goes on without the policy's answer and records the failure.
        case carryOn
        /// This subject is skipped and counted; what was posted stays.
        case skip
    }
}
