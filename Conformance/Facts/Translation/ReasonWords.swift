import Circulation
import TextFormats

/// Names that other systems have for a refusal, and the code with which this desk refuses.
enum ReasonWords {
    /// Reasons by the words in them; the first that fits holds.
    private static let words: [(words: Set<String>, code: String)] = [
        ("too soon", "too_soon"), ("too early", "too_soon"), ("not yet", "too_soon"), ("before", "too_soon"),
        ("expiry", "expired"), ("not valid membership", "expired"), ("overdue", "overdue"), ("unseen", "renewals"),
        ("same title", "same_title"), ("biblio already", "same_title"), ("title already", "same_title"),
        ("already hold", "same_title"), ("already loan", "same_title"), ("duplicate", "same_title"),
        ("renewal max", "renewals"), ("renewal maximum", "renewals"), ("renewal many", "renewals"),
        ("too many renewal", "renewals"),
        ("no renewal", "renewals"), ("renewal left", "renewals"), ("not renewable", "renewals"),
        ("no more renewal", "renewals"), ("auto late", "renewals"), ("too late", "renewals"), ("too_late", "renewals"),
        ("fine", "fees_owed"), ("fee", "fees_owed"), ("owed", "fees_owed"), ("oweing", "fees_owed"),
        ("money", "fees_owed"),
        ("not for loan", "not_lent"), ("not loanable", "not_lent"), ("reference", "not_lent"),
        ("non circulating", "not_lent"),
        ("not circulate", "not_lent"), ("notforloan", "not_lent"), ("noncirculating", "not_lent"),
        ("no rule", "no_rule"), ("booked", "booked"), ("booking", "booked"), ("lost", "lost"),
        ("claim", "claimed"), ("suspension", "suspended"), ("userblocked", "blocked"), ("block", "blocked"),
        ("onsite", "on_site"), ("loan refused", "not_lent"), ("loan not allowed", "not_lent"), ("max", "limit"),
        ("too many", "limit"), ("exceed", "limit"),
        ("checkout denied", "limit"),
        ("tooManyReserve", "limit"), ("hold", "holds_waiting"),
    ].map { (Set($0.0.split(separator: " ").map(String.init)), $0.1) }

    private static let exact: [String: JSON] = [
        "USERBLOCKEDOVERDUE": "overdue", "auto_too_much_oweing": "fees_owed", "BIBLIO_ALREADY_ISSUED": "same_title",
        "too_many": "renewals", "auto_too_late": "renewals", "too_unseen": "renewals", "auto_renew": .null,
        "auto_renew_final": .null, "auto_too_many": "renewals", "itemAlreadyOnHold": "same_title",
        "onsite_checkout": "on_site", "DEBT": "fees_owed", "GNM": "blocked",
        "on_reserve": "holds_waiting", "tooManyReserves": "limit", "tooManyReservesToday": "limit",
        "tooManyHoldsForThisRecord": "limit", "config.circ_matrix_circ_mod_test": "limit",
        "MAX_RENEWALS_REACHED": "renewals", "restriction": "blocked", "PATRON_BARRED": "blocked",
        "PATRON_EXCEEDS_FINES": "fees_owed", "ITEM_NOT_CATALOGED": "not_lent", "noReservesAllowed": "limit",
        "cannotBeTransferred": "pickup", "pickupNotInHoldGroup": "pickup", "libraryNotPickupLocation": "pickup",
        "USERBLOCKEDWITHENDDATE": "blocked", "USERBLOCKEDNOENDDATE": "blocked", "TOO_MANY_ONSITE_CHECKOUTS": "limit",
        "Page requests can not be displaced from position 1.": "not_waiting",
        "Positions must have sequential order.": "places", "SUCCESS": .null, "allowed": .null, "renewed": .null,
    ]

    static func code(_ text: String) -> JSON? {
        if let known = exact[text] { return known }
        if Refusal.Code.all.contains(text) { return .string(text) }
        let plain = FieldName.words(text)
        let classes = FieldName.classes(plain)
        guard classes.allSatisfy({ known.contains($0) || FieldName.says(nothing: $0) || Int($0) != nil }) else {
            return nil
        }
        let named = Set(classes + plain)
        return words.first { $0.words.isSubset(of: named) }.map { .string($0.code) }
    }

    /// Whether a text only says that something was refused.
    static func saysOnlyRefused(_ text: String) -> Bool {
        let named = Set(FieldName.classes(FieldName.words(text)))
        return !named.isDisjoint(with: ["denied", "refused", "rejected", "failed"])
            && named.isSubset(of: ["loan", "hold", "renewal", "return", "denied", "refused", "rejected", "failed"])
    }

    /// Words of reasons; a text with any other is not known.
    private static let known: Set<String> = Set(words.flatMap(\.words)).union([
        "patron", "copy", "loan", "hold", "branch", "renewal", "category", "itemtype", "reached", "exceeded", "has",
        "have", "are", "cannot", "count", "already", "this", "with", "end", "date", "no", "or", "and", "type", "user",
        "account", "card", "membership", "out", "late", "can", "when", "there", "active", "recall", "combination",
        "per", "day", "title", "record", "biblio", "any", "more", "been", "much", "many", "too", "refused", "not",
        "needed", "wanted", "someone", "else", "somebody", "others", "one", "because", "on", "another", "other",
        "waiting", "waits", "still", "it", "its", "times", "time", "left", "reserve", "soon", "early", "limit", "item",
        "allowed", "currently", "unpaid", "expired", "restriction", "restricted", "overdue", "must", "period", "circ",
        "circulation", "suspension", "until", "penalty", "fee", "due", "at", "maximum", "blocked", "reason", "large",
    ])
}
