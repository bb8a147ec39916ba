import Circulation

/// How many records of one kind have a code.
package struct CodeUse: Hashable, Sendable {
    /// `copy`, `patron`, `hold`
    package var what: String
    package var count: Int64
}

// What has a branch, category, item type or location, so that it cannot be removed.
extension SettingsRepository {
    private static let copiesOfBranch = Query("SELECT COUNT(*) FROM copies WHERE branch = ?")
    private static let patronsOfBranch = Query("SELECT COUNT(*) FROM patrons WHERE home_branch = ?")
    private static let patronsOfCategory = Query("SELECT COUNT(*) FROM patrons WHERE category = ?")
    private static let copiesOfItemType = Query("SELECT COUNT(*) FROM copies WHERE item_type = ?")
    /// What was withdrawn stands nowhere any more.
    private static let copiesOfLocation = Query(
        "SELECT COUNT(*) FROM copies WHERE location = ? AND status <> 'withdrawn'")

    package func uses(ofBranch code: String) throws(StoreError) -> [CodeUse] {
        var uses = [
            try use("copy", Self.copiesOfBranch, code), try use("patron", Self.patronsOfBranch, code),
            CodeUse(what: "hold", count: try transaction.holds.openCount(pickupBranch: code)),
        ]
        for field in try snapshot().customFields.all where field.kind == .branch {
            let count = try transaction.customFields.count(of: field, code: code)
            uses.append(CodeUse(what: field.owner.rawValue, count: count))
        }
        return uses.filter { $0.count > 0 }
    }

    package func uses(ofCategory code: String) throws(StoreError) -> [CodeUse] {
        [try use("patron", Self.patronsOfCategory, code)].filter { $0.count > 0 }
    }

    package func uses(ofItemType code: String) throws(StoreError) -> [CodeUse] {
        [try use("copy", Self.copiesOfItemType, code)].filter { $0.count > 0 }
    }

    /// The copies that stand there; they need not be of a location that has a name.
    package func uses(ofLocation code: String) throws(StoreError) -> [CodeUse] {
        [try use("copy", Self.copiesOfLocation, code)].filter { $0.count > 0 }
    }

    private func use(_ what: String, _ query: Query, _ code: String) throws(StoreError) -> CodeUse {
        CodeUse(what: what, count: try transaction.number(query, [.text(code)]))
    }
}
