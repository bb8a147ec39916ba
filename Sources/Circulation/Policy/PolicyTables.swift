/// The data part of a policy: its tables, as they were written.
///
/// Asking them is the business of ``CompiledTables``, which is made once per version of a policy.
package struct PolicyTables: Hashable, Sendable {
    package var limits: [LimitRow]
    package var rules: [RuleRow]
    package var notices: [NoticeRow]
    /// How rows of `rules` are ordered; nil: as written.
    package var match: MatchOrder?
    /// How long before its due time a loan enters the sweep; nil: the largest `before` of the notices.
    package var noticesFrom: Period?
    /// The policy's own wording of refusals, by code.
    package var messages: [String: PolicyMessage]

    package init(
        limits: [LimitRow] = [], rules: [RuleRow] = [], notices: [NoticeRow] = [], match: MatchOrder? = nil,
        noticesFrom: Period? = nil, messages: [String: PolicyMessage] = [:]
    ) {
        self.limits = limits
        self.rules = rules
        self.notices = notices
        self.match = match
        self.noticesFrom = noticesFrom
        self.messages = messages
    }

    /// The policy's own wording of a refusal, or nil if it has none.
    ///
    /// - Parameter language: the patron's, such as `de` or `de-AT`.
    package func message(for code: String, language: String?) -> String? {
        messages[code]?.text(in: language)
    }
}

/// The policy's own wording of one refusal.
package enum PolicyMessage: Hashable, Sendable {
    case text(String)
    case byLanguage([String: String])

    /// The wording in `language`, else in its main language (`de` for `de-AT`), else in English, else in the first
    /// language by name.
    package func text(in language: String?) -> String? {
        switch self {
        case .text(let text): return text
        case .byLanguage(let texts):
            let main = language?.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init)
            let found = language.flatMap { texts[$0] } ?? main.flatMap { texts[$0] } ?? texts["en"]
            return found ?? texts.min { $0.key < $1.key }?.value
        }
    }
}

/// Evaluates the `when` function of that index for the case at hand. It may throw ``PolicyFailure``.
package typealias WhenCondition = (Int) throws -> Bool
