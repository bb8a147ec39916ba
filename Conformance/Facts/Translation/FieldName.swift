/// A name of a field, an operation or a result, taken apart into the library's words, so that `maxCheckouts`,
/// `checkout_limit` and `maximum_number_of_loans` are one name.
enum FieldName {
    /// Its words in small letters, singular: parts of `camelCase`, `snake_case` and of prose.
    static func words(_ name: String) -> [String] { parts(name).map(singular) }

    private static func parts(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        for character in name {
            if character.isLetter || character.isNumber {
                if character.isUppercase, wasSmall, !word.isEmpty {
                    words.append(word)
                    word = ""
                }
                word.append(contentsOf: character.lowercased())
                wasSmall = character.isLowercase
            } else {
                if !word.isEmpty { words.append(word) }
                word = ""
                wasSmall = false
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// The name in small letters, its parts joined by "_".
    static func plain(_ name: String) -> String { parts(name).joined(separator: "_") }

    private static func singular(_ word: String) -> String {
        if ["status", "is", "was", "has", "this", "its", "as", "previous", "always", "less", "days"].contains(word) {
            return word == "days" ? "day" : word
        }
        if word.hasSuffix("ies"), word.count > 4 { return String(word.dropLast(3)) + "y" }
        if word.hasSuffix("ses") || word.hasSuffix("ches") {
            return String(word.dropLast(word.hasSuffix("ches") ? 2 : 1))
        }
        return word.hasSuffix("s") && !word.hasSuffix("ss") && !word.hasSuffix("ous") && word.count > 3
            ? String(word.dropLast()) : word
    }

    /// The words by class, without those that say nothing, in the order of the alphabet: two names with the same key are
    /// one.
    static func key(_ name: String) -> String { key(words(name)) }

    static func key(_ words: [String]) -> String {
        Set(classes(words)).subtracting(fillers).sorted().joined(separator: " ")
    }

    /// Each word, or two that are one, by its class.
    static func classes(_ words: [String]) -> [String] {
        var found: [String] = []
        var index = 0
        while index < words.count {
            if index + 1 < words.count, let pair = pairs["\(words[index]) \(words[index + 1])"] {
                found.append(pair)
                index += 2
            } else {
                found.append(classOf[words[index]] ?? words[index])
                index += 1
            }
        }
        return found
    }

    static let units = ["minute", "hour", "day", "week", "month", "year"]

    /// The name without a unit at its end, and that unit: `loan_period_days`.
    static func withoutUnit(_ name: String) -> (key: String, unit: String)? {
        var words = words(name)
        guard words.count > 1, let last = words.last, let unit = units.first(where: { $0 == last }) else { return nil }
        words.removeLast()
        return (key(words), unit + "s")
    }

    /// The name without words that only say that it is a moment: `returned_at`, `checkout_date`.
    static func withoutTime(_ name: String) -> String? {
        let all = words(name)
        let words = all.filter { !["date", "at", "on", "time", "datetime", "timestamp"].contains($0) }
        return words.isEmpty || words.count == all.count ? nil : key(words)
    }

    /// Whether a word says nothing in a name.
    static func says(nothing word: String) -> Bool { fillers.contains(word) }

    private static let fillers: Set<String> = [
        "of", "the", "a", "an", "in", "is", "for", "to", "by", "as", "on", "at", "from", "been", "has", "be", "number",
        "num", "nr", "total", "so", "far", "amount", "normal", "rule", "per", "if", "when", "this", "their",
    ]

    private static let pairs = [
        "check out": "loan", "checked out": "loan", "charged out": "loan", "item out": "loan", "loan out": "loan",
        "check in": "return", "checked in": "return", "due date": "due", "date due": "due", "due at": "due",
        "due on": "due", "due back": "due", "patron group": "category", "patron category": "category",
        "patron type": "category", "borrower category": "category", "borrower type": "category",
        "member type": "category", "membership type": "category", "user group": "category", "user type": "category",
        "patron profile": "category", "item type": "itemtype", "material type": "itemtype", "media type": "itemtype",
        "circ modifier": "itemtype", "collection type": "itemtype", "copy type": "itemtype", "pick up": "pickup",
        "on site": "onsite", "on shelf": "shelf", "hold shelf": "shelf", "holdshelf": "shelf", "pickup shelf": "shelf",
        "service point": "branch",
        "org unit": "branch", "time zone": "zone", "tz": "zone", "past due": "overdue", "not allowed": "refused",
        "replacement cost": "price", "replacement price": "price", "item price": "price", "home library": "home",
        "home branch": "home", "upper limit": "max", "max number": "max", "maximum number": "max",
    ]

    private static let classOf: [String: String] = {
        let classes: [String: [String]] = [
            "patron": [
                "borrower", "reader", "member", "user", "customer", "client", "cardholder", "card", "usr", "lender",
            ],
            "copy": ["item", "exemplar", "volume", "piece", "book"],
            "loan": [
                "checkout", "issue", "circulation", "circ", "borrowing", "lending", "issued", "lent", "borrowed",
                "loaned", "checkedout", "transaction",
            ],
            "hold": ["reserving", "reserve", "reservation", "request", "reserved"],
            "branch": ["library", "location", "orgunit", "servicepoint"],
            "return": ["returned", "checkin", "discharge", "discharged"],
            "max": [
                "threshold", "maximum", "limit", "cap", "allowed", "most", "quota", "allowance", "permitted", "maxim",
            ],
            "count": [
                "current", "currently", "existing", "used", "active", "already", "present", "held", "made", "done",
                "taken",
            ],
            "overdue": ["late", "delinquent", "delayed", "lateness"],
            "period": ["length", "duration", "term", "interval", "periode"],
            "fee": ["charge", "price_of", "cost", "charged"],
            "owed": ["balance", "debt", "outstanding", "arrear", "owe", "owing", "unpaid"],
            "closed": ["closure", "holiday", "closing", "nonworking"],
            "expiry": ["expire", "expired", "expiration", "expiring"],
            "block": ["restriction", "restricted", "blocked", "barred"],
            "suspension": ["debarment", "ban", "suspended", "debarred", "banned"],
            "zone": ["timezone", "tz"],
            "itemtype": ["itemtype", "material", "mediatype", "circmodifier", "format"],
            "renewal": [
                "renew", "renewed", "renewing", "extension", "extend", "prolongation", "prolonged", "reborrow",
                "reborrowed", "renewable", "prolong", "extended",
            ],
            "category": ["group", "categorycode", "usergroup", "patrongroup"],
            "price": ["replacementcost", "replacement"],
            "due": ["duedate", "datedue"],
            "notice": [
                "notify", "remind", "warning", "alert", "reminder", "message", "letter", "notification", "email",
            ],
            "day": ["daily"],
            "reason": ["why", "cause", "error", "code", "message_code", "explanation"],
        ]
        return classes.reduce(into: [:]) { found, entry in for word in entry.value { found[word] = entry.key } }
    }()
}
