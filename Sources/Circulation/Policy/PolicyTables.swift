/// The data part of a policy: its tables, as they were written.
///
/// Asking them is the business of ``CompiledTables``, which is made once per version of a policy.
package struct PolicyTables: Hashable, Sendable {
    package var limits: [LimitRow]
    package var rules: [RuleRow]
    package var notices: [NoticeRow]
    package var membership: [MembershipRow]
    /// The fields of the library's own that the policy declares, whether a row sets them or not.
    package var ownFields: [String]
    /// How rows of `rules` are ordered; nil: as written.
    package var match: MatchPrecedence?
    /// How long before its due time a loan enters the sweep; nil: the largest `before` of the notices.
    package var noticesFrom: Period?
    /// How far back functions see the loans of a patron, and how far back those of a title are counted; nil: not at all.
    package var patronHistory: Period?
    package var titleHistory: Period?
    /// The policy's own wording of refusals, by code.
    package var messages: [String: PolicyMessage]

    package init(
        limits: [LimitRow] = [], rules: [RuleRow] = [], notices: [NoticeRow] = [],
        membership: [MembershipRow] = [], ownFields: [String] = [],
        match: MatchPrecedence? = nil,
        noticesFrom: Period? = nil, messages: [String: PolicyMessage] = [:]
    ) {
        self.limits = limits
        self.rules = rules
        self.notices = notices
        self.membership = membership
        self.ownFields = ownFields
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
    /// language by name. `de_AT`, `de-at` and `de-AT` are one language.
    ///
    /// - Returns: nil for a reader of English where there is no English wording: the built-in one is.
    package func text(in language: String?) -> String? {
        switch self {
        case .text(let text): return text
        case .byLanguage(let texts):
            let language = language.map(PolicyMessage.normalised)
            let main = language?.split(separator: "-").first.map(String.init)
            let byName = Dictionary(texts.map { (PolicyMessage.normalised($0.key), $0.value) }) { first, _ in first }
            let found = language.flatMap { byName[$0] } ?? main.flatMap { byName[$0] } ?? byName["en"]
            if found == nil && main == "en" { return nil }
            return found ?? byName.min { $0.key < $1.key }?.value
        }
    }

    private static func normalised(_ language: String) -> String {
        language.lowercased().replacing("_", with: "-")
    }

    /// Whether a text looks like the name of a language: `de`, `de-AT`, `pt_BR`, `zh-Hant`.
    package static func isLanguage(_ name: String) -> Bool {
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let main = parts.first, (2...3).contains(main.utf8.count), main.utf8.allSatisfy(\.isLetter) else {
            return false
        }
        return parts.dropFirst().allSatisfy { part in
            (2...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isLetter || (48...57).contains($0) }
        }
    }
}

/// Evaluates the `when` function of that index for the case at hand. It may throw ``PolicyFailure``.
package typealias WhenCondition = (Int) throws -> Bool

extension UInt8 {
    fileprivate var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
}
