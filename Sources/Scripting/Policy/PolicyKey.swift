import Circulation

/// The keys of a policy, other than its decision points.
package enum PolicyKey: String, CaseIterable, Sendable {
    case api, name, description, fields, limits, rules, notices, membership, match, history, messages
    case noticesFrom = "notices_from"

    package var summary: String {
        switch self {
        case .api: "The set of case fields the policy was written for: 1."
        case .name: "A short name."
        case .description: "What the policy is for, in a sentence."
        case .fields: "The names of the library's own fields, which rows of `rules` may set."
        case .limits: "Rows; each that matches limits how many loans may be open."
        case .rules: "Rows; each group of fields is taken from the first row that matches and sets it."
        case .notices: "Rows; the stages of notices around the due time."
        case .membership: "Rows; the first that holds says when a membership ends that is made or renewed."
        case .match: "The order of importance of conditions, instead of the order of rows."
        case .history:
            "How far back functions see a patron's loans (`patron`) and the loans of a title are counted (`title`)."
        case .messages: "The library's own words for refusals, by code, and by language."
        case .noticesFrom: "How long before its due time a loan is looked at; otherwise the largest `before`."
        }
    }

    /// All keys that `policy` takes.
    package static let all: [String] = allCases.map(\.rawValue) + DecisionPoint.allCases.map(\.rawValue)

    /// The fields of rows beside conditions and, in `rules`, the library's own.
    package static let limitFields = ["max", "within", "per", "claimed", "owed_for", "of", "owed"]
    package static let membershipFields = [
        "lasts", "until_day", "at_least", "until_date", "until_age", "from_age", "under_age", "renew_from",
    ]
    /// The conditions that say something of who has no copy in hand.
    package static let membershipConditions = ["category", "branch", "home_branch", "channel", "when"]
    package static let historyFields = ["patron", "title"]
    package static let noticeFields = [
        "stage", "before", "after", "every", "times", "charge", "channel", "subject", "body", "digest", "many",
    ]

    /// The language version this desk reads.
    package static let apiVersion: Int64 = 1
}
