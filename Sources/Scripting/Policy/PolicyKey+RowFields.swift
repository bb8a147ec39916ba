import Circulation
package import LuaSyntax

extension PolicyKey {
    /// What rows of each table may have.
    ///
    /// - Parameters:
    ///   - declared: the fields of the library's own that the policy declares.
    ///   - read: those that its functions read of their rule.
    package static func rowFields(
        declared: Set<String>, read: Set<String>
    ) -> [String: PolicyKeys.RowFields] {
        let others =
            limitFields.map { ($0, "limits") } + noticeFields.map { ($0, "notices") }
            + membershipFields.map { ($0, "membership") }
        let rules = RuleField.all.map { ($0.name, "rules") }
        let conditions = RowConditions.names
        let noticeConditions = conditions.filter { $0 != "channel" }
        let askable = askable
        return [
            "limits": .init(
                conditions + limitFields, elsewhere: elsewhere(others.filter { $0.1 != "limits" } + rules, conditions),
                synonyms: limitSynonyms, askable: askable),
            "rules": .init(
                conditions + RuleField.all.map(\.name), allowsOthers: true, declared: declared, read: read,
                elsewhere: elsewhere(others, RuleField.all.map(\.name) + conditions), synonyms: ruleSynonyms,
                askable: askable),
            "notices": .init(
                noticeConditions + noticeFields,
                elsewhere: elsewhere(others.filter { $0.1 != "notices" } + rules, noticeConditions + noticeFields),
                synonyms: noticeSynonyms, askable: askable),
            "membership": .init(
                membershipConditions + membershipFields,
                elsewhere: elsewhere(
                    others.filter { $0.1 != "membership" } + rules, membershipConditions + membershipFields),
                synonyms: membershipSynonyms, askable: askable),
        ]
    }

    private static func elsewhere(_ fields: [(String, String)], _ own: [String]) -> [String: String] {
        Dictionary(fields.filter { !own.contains($0.0) }) { first, _ in first }
    }

    /// The fields of a case that a function can ask for, by name: those of the patron first.
    private static let askable: [String: String] = {
        let paths = PolicyRecords.casePaths.filter { !$0.contains("[]") }
        let parts = ["patron", "title", "copy", "loan", "hold", "request", "actor"]
        let pairs = parts.flatMap { part in
            paths.filter { $0.hasPrefix(part + ".") }
                .map { (String($0.dropFirst(part.count + 1)), "case." + $0) }
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// What other systems, and other people, call the conditions.
    private static let conditionSynonyms = [
        "patron_type": "category", "user_group": "category", "group": "category", "borrower": "category",
        "reader": "category", "who": "category", "material": "item_type", "medium": "item_type",
        "format": "item_type", "kind": "item_type", "library": "branch", "site": "branch",
        "home_library": "home_branch", "condition": "when", "where": "when",
    ]

    private static let limitSynonyms = conditionSynonyms.merging(
        [
            "limit": "max", "most": "max", "count": "max", "loans": "max", "number": "max", "period": "within",
            "window": "within", "during": "within", "debt": "owed_for",
            "owing": "owed", "owes": "owed", "fees_owed": "owed", "whose": "of",
        ]) { first, _ in first }

    private static let noticeSynonyms = conditionSynonyms.merging([
        "name": "stage", "text": "body", "message": "body", "title": "subject", "fee": "charge", "fine": "charge",
        "repeat": "every", "interval": "every", "via": "channel", "days": "after",
    ]) { first, _ in first }

    private static let membershipSynonyms = conditionSynonyms.merging([
        "length": "lasts", "period": "lasts", "duration": "lasts", "term": "lasts", "loan": "lasts", "for": "lasts",
        "until": "until_date", "day": "until_day", "ends": "until_date", "expires_on": "until_date",
        "max_age": "under_age", "min_age": "from_age", "age": "until_age", "least": "at_least",
    ]) { first, _ in first }

    private static let ruleSynonyms = conditionSynonyms.merging([
        "period": "loan", "duration": "loan", "length": "loan", "term": "loan", "lending_period": "loan",
        "checkout_period": "loan", "days": "loan", "due": "due_at", "due_date": "due_at", "borrow": "lend",
        "borrowable": "lend", "message": "reason", "why": "reason", "extensions": "renewals", "fee": "fine",
        "max_fine": "fine_cap", "maximum_fine": "fine_cap", "fine_limit": "fine_cap", "cap": "fine_cap",
        "interval": "per", "reservations": "holds", "reserves": "holds", "pickup_period": "hold_shelf",
        "suspend": "suspension", "rent": "rental", "price": "rental",
    ]) { first, _ in first }
}
