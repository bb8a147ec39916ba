import Circulation
import Desk
import TextFormats

extension FactPlan {
    /// How many loans may be open, and how many are.
    func readLimits() throws {
        itemType = try when.text("item_type") ?? when.text("material_type") ?? itemType
        onSite = try when.flag("onsite") ?? when.flag("on_site") ?? false
        try readHierarchy()
        try readOnSiteLimits()
        try readCriteria()
        try readLibraryLimits()
        try readCurrentLoans()
    }

    // MARK: Limits

    private func readOnSiteLimits() throws {
        let countsAsNormal = try given.flag("onsite_counts_as_normal") ?? false
        if given.has("max_onsite") {
            let most = try given.number("max_onsite")
            policy.limits.append(PolicyText.Row(["on_site": "true", "max": LuaText.maximum(most)]))
            // Without a limit of their own, loans on site must not end the reading of the table.
            if most == nil { policy.limits.removeLast() }
        }
        let keys = ["max_loans", "max_checkouts"]
        for key in keys where given.has(key) {
            guard let most = try given.number(key) else { continue }
            var row = PolicyText.Row()
            if given.has("max_onsite") && !countsAsNormal { row["on_site"] = "false" }
            row["max"] = "\(most)"
            policy.limits.append(row)
        }
        if let set = try given.part("limit_set") {
            guard let most = try set.number("max") else { throw given.unreadable("limit_set") }
            policy.limits.append(PolicyText.Row(["item_type": LuaText.quoted(itemType), "max": "\(most)"]))
        }
    }

    /// Limits of kinds of copies, of which some belong to others. The limit `*` holds for kinds without one of their own.
    private func readHierarchy() throws {
        var parents: [String: String] = [:]
        if let tree = try given.part("item_types") {
            for parent in tree.object.keys {
                itemTypes.append((parent, nil))
                for child in try tree.texts(parent) ?? [] {
                    parents[child] = parent
                    itemTypes.append((child, parent))
                }
            }
        }
        guard let limits = try given.part("limits") else { return }
        let named = limits.object.keys.filter { $0 != "*" }
        for type in named where !itemTypes.contains(where: { $0.code == type }) { itemTypes.append((type, nil)) }
        for type in named {
            guard let most = try limits.number(type) else { continue }
            policy.limits.append(PolicyText.Row(["item_type": LuaText.quoted(type), "max": "\(most)"]))
        }
        guard let most = try limits.number("*") else { return }
        if !itemTypes.contains(where: { $0.code == itemType }) { itemTypes.append((itemType, nil)) }
        let free = itemTypes.map(\.code).filter { type in
            !named.contains(type) && !(parents[type].map { named.contains($0) } ?? false)
        }
        // A kind stands for its children too, so a parent whose children have limits of their own is left to them.
        let without = free.filter { type in !parents.contains { $0.value == type && named.contains($0.key) } }
        guard !without.isEmpty else { return }
        policy.limits.append(PolicyText.Row(["item_type": LuaText.list(without), "max": "\(most)"]))
    }

    /// A limit on loans that are alike in what is named: kind of copy, kind of loan, group of patrons.
    private func readCriteria() throws {
        guard let most = try given.number("item_limit") else { return }
        var row = PolicyText.Row()
        for criterion in try given.texts("rule_criteria") ?? [] {
            switch criterion {
            case "material type", "loan type", "item type": row["item_type"] = LuaText.quoted(itemType)
            case "patron group", "category": row["category"] = LuaText.quoted(category)
            case "location", "library", "campus", "institution": row["branch"] = LuaText.quoted(FactLibrary.branch)
            default: throw NotExpressed("no limit can ask for the \(criterion)")
            }
        }
        row["max"] = "\(most)"
        policy.limits.append(row)
        given.ignore("check_out_lock")
    }

    /// A limit over all libraries, and one for each of them.
    private func readLibraryLimits() throws {
        guard given.has("global") || given.has("per_library") else { return }
        branch = libraryNamed(in: reading.operation.original) ?? "Martigny"
        branches.append(branch ?? "")
        guard !reading.operation.names("request"), !reading.operation.names("hold") else {
            return try readRequestLimits()
        }
        let exceptions = try given.part("library_exceptions")
        for library in exceptions?.object.keys ?? [] {
            branches.append(library)
            guard let most = try exceptions?.number(library) else { continue }
            policy.limits.append(PolicyText.Row(["branch": LuaText.quoted(library), "max": "\(most)"]))
        }
        if let most = try given.number("per_library") {
            let others = Set(branches + [FactLibrary.branch]).subtracting(exceptions?.object.keys ?? []).sorted()
            for library in others {
                policy.limits.append(PolicyText.Row(["branch": LuaText.quoted(library), "max": "\(most)"]))
            }
        }
        if let most = try given.number("global") { policy.limits.append(PolicyText.Row(["max": "\(most)"])) }
    }

    /// The library in `checkout at Martigny`.
    private func libraryNamed(in operation: String) -> String? {
        let words = operation.split(separator: " ").map(String.init)
        guard let at = words.lastIndex(of: "at"), at + 1 < words.count else { return nil }
        return words[at + 1]
    }

    // MARK: Open loans

    private func readCurrentLoans() throws {
        if let count = try given.count("current_at_library") { lendBefore(Int(count), at: branch) }
        if let total = try given.count("current_total") {
            let here = given.object["current_at_library"]?.integerValue ?? 0
            branches.append("elsewhere")
            lendBefore(Int(max(0, total - here)), at: "elsewhere")
        }
        guard given.has("current"), !reading.operation.names("hold"), !reading.operation.names("request") else {
            return
        }
        if given.object["current"]?.integerValue != nil {
            lendBefore(Int(try given.count("current") ?? 0), itemType: itemType)
        } else if let kinds = try given.part("current") {
            for kind in kinds.object.keys {
                let count = Int(try kinds.count(kind) ?? 0)
                switch kind {
                case "normal": lendBefore(count, itemType: itemType)
                case "onsite", "on_site": lendBefore(count, itemType: itemType, onSite: true)
                default:
                    if !itemTypes.contains(where: { $0.code == kind }) { itemTypes.append((kind, nil)) }
                    lendBefore(count, itemType: kind)
                }
            }
        }
    }

    /// Loans of the reader that are open when the fact begins.
    func lendBefore(
        _ count: Int, itemType: String = "book", onSite: Bool = false, at branch: String? = nil, due: Moment? = nil
    ) {
        guard count > 0 else { return }
        let number = before.count
        before.append { library, _ in
            let title = try library.addTitle("other\(number)", copies: count, itemType: itemType)
            for barcode in title.barcodes { _ = try library.lend(barcode, onSite: onSite, at: branch, due: due) }
        }
    }
}
