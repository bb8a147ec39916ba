import Circulation
import LuaSyntax
import Scripting

/// Of what kind the fields are that a policy's functions read, and what its words answer.
///
/// `text:category` is a text that names a category; `number:lateness` a number that grows day by day.
enum PolicyKinds {
    /// What `case` has.
    static let caseFields = FieldTree(
        paths: PolicyRecords.casePaths, kinds: caseKinds, alwaysThere: alwaysThere)

    /// What `rule` has.
    static func ruleFields(free: some Sequence<String>) -> FieldTree {
        var kinds: [String: String] = [:]
        for field in RuleField.all { kinds[field.name] = kind(of: field) }
        return FieldTree(paths: RuleField.all.map(\.name) + free, kinds: kinds)
    }

    /// What the words of a policy answer; a name behind `=` is a value.
    static let calls: [String: String] = answers.merging(
        functions.map { ("=" + $0, "function") }, uniquingKeysWith: { first, _ in first })

    /// What makes values and answers.
    private static let functions = [
        "money", "percent", "date", "days", "weeks", "months", "hours", "minutes", "open_days", "exact", "deny",
        "confirm", "allow", "review", "notice", "charge", "suspend", "declare_lost", "has",
    ]

    private static let answers: [String: String] = [
        "money": "money", "percent": "percent", "date": "date", "days": "period", "weeks": "period",
        "months": "period", "hours": "period", "minutes": "period", "open_days": "period", "exact": "instant",
        "tostring": "text", "type": "text", "has": "boolean", "=none": "none", "=unlimited": "unlimited",
    ]

    private static func kind(of field: RuleField) -> String? {
        switch field.kind {
        case .boolean: "boolean"
        case .integer: "number"
        case .text, .choice, .dueTime: "text"
        case .period: "period"
        case .money: "money"
        case .date: "date"
        case .fineSteps: "list"
        case .moneyOrReplacementPrice, .dateOrPeriod: nil
        }
    }

    private static let openLoan: [String: String] = [
        "title": "number", "item_type": "text:item_type", "item_types": "list:item_type", "branch": "text:branch",
        "branches": "list:branch", "copy_branch": "text:branch", "copy_branches": "list:branch", "on_site": "boolean",
        "channel": "text:channel", "due_at": "instant",
    ]

    private static let parts: [String: [String: String]] = [
        "": [
            "point": "text:point", "now": "instant", "branch": "text:branch", "branches": "list:branch",
            "lines": "list",
            "event": "text:event",
        ],
        "actor": ["role": "text:role", "channel": "text:channel"],
        "patron": [
            "id": "number", "category": "text:category", "categories": "list:category", "home_branch": "text:branch",
            "home_branches": "list:branch", "language": "text", "age": "number", "expires_on": "date",
            "fees_owed": "money",
            "overdue": "number", "lost": "number", "claims": "number", "blocks": "list", "suspended_until": "date",
            "loans": "list", "holds": "number",
        ],
        "patron.blocks[]": ["kind": "text", "ends": "date", "actions": "list:action"],
        "patron.loans[]": openLoan,
        "title": [
            "id": "number", "genres": "list", "courses": "list", "copies": "number", "available": "number",
            "holds_waiting": "number", "holds_for_copy": "number",
        ],
        "copy": [
            "branch": "text:branch", "branches": "list:branch", "item_type": "text:item_type",
            "item_types": "list:item_type",
            "status": "text:status", "replacement_price": "money", "held_for_other": "boolean",
        ],
        "loan": [
            "id": "number", "lent_at": "instant", "due_at": "instant", "original_due_at": "instant",
            "renewals": "number", "unseen_renewals": "number", "recalled_at": "instant", "lost_at": "instant",
            "claimed_at": "instant", "on_site": "boolean", "days_overdue": "number:lateness",
            "hours_overdue": "number:lateness", "open_days_overdue": "number:lateness", "notices": "list",
        ],
        "loan.notices[]": ["stage": "text", "repetition": "number", "at": "instant"],
        "request": [
            "size": "number", "titles": "list", "index": "number", "granted": "list", "on_site": "boolean",
        ],
        "request.granted[]": openLoan,
        "hold": [
            "id": "number", "category": "text:category", "pickup_branch": "text:branch", "placed_at": "instant",
            "expires_on": "date", "for_copy": "boolean", "priority": "number",
            "position": "number", "placed_today": "number", "at_pickup": "number",
        ],
        "listing": [
            "seller": "number", "seller_category": "text:category", "kind": "text:listing", "price": "money",
            "period": "period", "quantity": "number", "condition": "text", "edition": "text",
            "state": "text:listing_state", "others": "number",
        ],
        "suggestion": ["courses": "list", "others": "number"],
        "lines[]": [
            "kind": "text:line", "label": "text", "title": "number", "listing": "number", "seller": "number",
            "seller_category": "text:category", "quantity": "number", "price": "money", "periods": "number",
            "amount": "money",
        ],
    ]

    /// By path, as ``PolicyRecords/casePaths`` writes them.
    static let caseKinds: [String: String] = {
        var kinds: [String: String] = [:]
        for (part, fields) in parts {
            for (field, kind) in fields { kinds[part.isEmpty ? field : "\(part).\(field)"] = kind }
        }
        return kinds
    }()

    /// Numbers, amounts and lists that a case always has, so that asking whether they are there asks nothing.
    static let alwaysThere: Set<String> = [
        "patron.fees_owed", "patron.overdue", "patron.lost", "patron.claims", "patron.loans", "patron.holds",
        "patron.blocks", "title.genres", "title.courses", "title.copies", "title.available", "title.holds_waiting",
        "title.holds_for_copy", "loan.days_overdue", "loan.hours_overdue", "loan.open_days_overdue", "loan.renewals",
        "loan.unseen_renewals", "loan.notices", "request.size", "request.titles", "request.granted",
        "listing.quantity", "listing.others", "suggestion.courses", "suggestion.others",
    ]

    /// The words that a text of a narrowed kind may be, where the desk fixes them.
    static let words: [String: [String]] = [
        "text:point": DecisionPoint.allCases.map(\.rawValue), "text:role": ActorFacts.Role.allCases.map(\.rawValue),
        "text:listing": Listing.Kind.allCases.map(\.rawValue),
        "text:listing_state": Listing.State.allCases.map(\.rawValue),
        "text:channel": ActorFacts.Channel.allCases.map(\.rawValue),
        "text:action": BlockFacts.Action.allCases.map(\.rawValue),
        "text:status": CopyStatus.allCases.map(\.rawValue), "text:event": NotifyEvent.allCases.map(\.rawValue),
    ]
}

extension PolicyCheck {
    /// The kinds of the fields of a case by path, as the check knows them.
    package static var fieldKinds: [String: String] { PolicyKinds.caseKinds }
}
