import Circulation
import TextFormats

// Limits on loans and holds: in all, on site, by kind of copy, by library; and what is lent and held already.
extension Translation {
    mutating func readLimits() throws {
        try readKinds()
        try readOnSiteLimits()
        try readCriteria()
        try readLibraryLimits()
        try readCurrent()
        try readGroup()
    }

    private mutating func limit(_ row: JSONObject, _ most: JSON) {
        var row = row
        row["max"] = most
        set("limits", .array([.object(row)]))
    }

    /// A number, or null for without limit.
    private func most(_ value: JSON, _ name: String) throws -> JSON {
        if value.isNull { return .null }
        guard let number = try TranslationReading.number.value(value) else {
            throw NotExpressed("what given.\(name) means by \(value.text()) is not in the table")
        }
        return number
    }

    // MARK: On site

    private mutating func readOnSiteLimits() throws {
        let counts = taken("onsite_counts_as_normal", "ConsiderOnSiteCheckoutsAsNormalCheckouts")
        guard let onSite = taken("max_onsite", "max_onsite_checkouts", "maxonsiteissueqty") else { return }
        let own = try most(onSite, "max_onsite")
        // Without a limit of their own, loans on site must not end the reading of the table.
        if !own.isNull { limit(["on_site": true], own) }
        guard let all = taken("max_loans", "max_checkouts", "maxissueqty"), !all.isNull else { return }
        let isApart = try counts.map { try TranslationReading.flag.value($0) != true } ?? true
        limit(isApart ? ["on_site": false] : [:], try most(all, "max_loans"))
    }

    // MARK: Kinds of copies

    /// Limits of kinds of copies, of which some belong to others. The limit `*` holds for kinds without one of their own.
    private mutating func readKinds() throws {
        var parents: [String: String] = [:]
        var types: [String] = []
        if let tree = taken("item_types", "item_type_tree", as: \.objectValue) {
            for entry in tree.entries {
                types.append(entry.key)
                for child in (entry.value.arrayValue ?? []).compactMap(\.stringValue) {
                    parents[child] = entry.key
                    types.append(child)
                }
            }
            set("item_types", .object(types.reduce(into: [:]) { $0[$1] = .string(parents[$1] ?? "") }))
        }
        guard let limits = taken("limits", "max_loans_by_item_type", "limits_by_item_type", as: \.objectValue) else {
            return
        }
        let named = limits.keys.filter { $0 != "*" }
        for type in named { limit(["item_type": .string(type)], try most(limits[type] ?? .null, "limits")) }
        guard let most = limits["*"], !most.isNull else { return }
        // A kind stands for its children too, so a parent whose children have limits of their own is left to them.
        let asked = [fact.when["item_type"], fact.when["material_type"]].compactMap { $0?.stringValue }
        let free = (types + (asked.isEmpty ? ["book"] : asked).filter { !types.contains($0) }).filter { type in
            !named.contains(type) && !(parents[type].map { named.contains($0) } ?? false)
                && !parents.contains { $0.value == type && named.contains($0.key) }
        }
        if !free.isEmpty { limit(["item_type": .array(free.map { .string($0) })], try self.most(most, "limits")) }
    }

    /// A limit on loans that are alike in what is named: kind of copy, kind of loan, group of patrons.
    private mutating func readCriteria() throws {
        if let set = taken("limit_set", as: \.objectValue), let most = set["max"] ?? set["items_out"] ?? set["limit"] {
            limit(["item_type": .string(askedType)], try self.most(most, "limit_set"))
        }
        guard let most = taken("item_limit", "itemLimit") else { return }
        var row: JSONObject = [:]
        for criterion in (taken("rule_criteria", "criteria", as: \.arrayValue) ?? []).compactMap(\.stringValue) {
            switch criterion {
            case "material type", "loan type", "item type": row["item_type"] = .string(askedType)
            case "patron group", "category": row["category"] = "patron"
            case "location", "library", "campus", "institution": row["branch"] = .string(FactLibrary.branch)
            default: throw NotExpressed("no limit can ask for the \(criterion)")
            }
        }
        _ = taken("check_out_lock")
        limit(row, try self.most(most, "item_limit"))
    }

    private var askedType: String {
        [fact.when["item_type"], fact.when["material_type"], fact.when["materialType"]].lazy
            .compactMap { $0?.stringValue }.first ?? "book"
    }

    /// Patrons of a group, each with so many loans that are late.
    private mutating func readGroup() throws {
        guard let counts = taken("group_members_overdue", "overdue_of_group_members", as: \.arrayValue) else { return }
        let names = counts.indices.map { JSON.string("member-\($0 + 1)") }
        set("patrons", .array(names.map { ["name": $0, "group": "family"] }))
        let late = zip(names, counts).filter { $0.1 != 0 }
        given["loans"] = .array(late.map { ["patron": $0, "count": $1, "due": "now - 3 days"] })
        if let count = taken("count", from: \.expect) { expect["group_overdue"] = count }
    }

    // MARK: Libraries

    /// A limit over all libraries, and one for each of them.
    private mutating func readLibraryLimits() throws {
        let names = ["global", "global_limit", "per_library", "library_limit", "per_branch_limit"]
        guard left.given.keys.contains(where: { names.contains($0) || $0 == "library_exceptions" }) else { return }
        let (all, each) = (taken("global", "global_limit"), taken("per_library", "library_limit", "per_branch_limit"))
        let exceptions = taken("library_exceptions", "branch_exceptions", as: \.objectValue) ?? [:]
        let isHold = code == "place_hold"
        let name = isHold ? "pickup" : "branch"
        let here = steps.last?[name]?.stringValue ?? exceptions.keys.first ?? "library"
        steps[steps.count - 1][name] = .string(here)
        if isHold {
            if let all { set("rule.holds", try most(all, "global")) }
            if let each { set("holds_at_pickup", try most(each, "per_library")) }
            if !exceptions.isEmpty { set("holds_at", .object(exceptions)) }
        } else {
            for entry in exceptions.entries { limit(["branch": .string(entry.key)], try most(entry.value, entry.key)) }
            let others = Set([here, FactLibrary.branch, "elsewhere"]).subtracting(exceptions.keys).sorted()
            if let each {
                set("branches", .object(others.reduce(into: [:]) { $0[$1] = [:] }))
                for other in others { limit(["branch": .string(other)], try most(each, "per_library")) }
            }
            if let all { limit([:], try most(all, "global")) }
        }
        try readLibraryLoans(here, isHold)
    }

    private mutating func readLibraryLoans(_ here: String, _ isHold: Bool) throws {
        let own = taken("current_at_library", "current_requests_at_library", as: \.integerValue) ?? 0
        let all = taken("current_total", "current_requests_total", "current_requests", as: \.integerValue) ?? own
        for (place, count) in [(here, own), ("elsewhere", all - own)] where count > 0 {
            let place = JSON.string(place)
            let record: JSONObject =
                isHold
                ? ["patron": "reader", "count": .integer(count), "pickup": place]
                : ["count": .integer(count), "branch": place]
            set(isHold ? "holds" : "loans", .array([.object(record)]))
        }
    }

    // MARK: What is lent

    /// `current: {normal: 1, onsite: 2}`, or by kind of copy.
    private mutating func readCurrent() throws {
        let names = ["current", "current_loans", "loans_out", "items_out", "checked_out"]
        for name in names {
            guard let kinds = left.given[name]?.objectValue, code != "place_hold" else { continue }
            left.given[name] = Optional<JSON>.none
            for kind in kinds.entries {
                guard let count = kind.value.integerValue else { throw Self.unknown(kind, "given.\(name)") }
                var record: JSONObject = ["count": .integer(count)]
                switch kind.key {
                case "normal": record["item_type"] = .string(askedType)
                case "onsite", "on_site": (record["item_type"], record["on_site"]) = (.string(askedType), true)
                default: record["item_type"] = .string(kind.key)
                }
                if count > 0 { set("loans", .array([.object(record)])) }
            }
        }
        guard let type = left.when["item_type"] ?? left.when["material_type"],
            left.given["current"]?.integerValue != nil
        else { return }
        let count = taken("current", as: \.integerValue) ?? 0
        if count > 0 { set("loans", .array([["count": .integer(count), "item_type": type]])) }
    }
}
