import Circulation
import Storage

/// How one kind of what a library declares - branches, categories, item types, locations - is called, found and written down.
struct Declarations<Entry: DeclaredCode & EventContent>: Sendable {
    /// `item type`
    let word: String
    /// `item_types`, as requests are called after it.
    let name: String
    /// `unknown_item_type`
    let unknown: String
    let all: @Sendable (SettingsSnapshot) -> [Entry]
    /// A code and, after it, those of its ancestors.
    var chain: @Sendable (SettingsSnapshot, String) -> [String] = { [$1] }
    let added: EventKind<Entry>
    let updated: EventKind<Entry>
    let removed: EventKind<RemovedCode>
    /// How many records have the code, by what they are.
    let uses: @Sendable (SettingsRepository, String) throws -> [CodeUse]
    /// Whether a library needs one of them at least.
    var isNeeded = true
    /// What a code may be.
    var check: @Sendable (String) throws -> Void = SettingsService.check(code:)

    /// The requests that change them.
    var requests: [String] { ["add", "update", "remove"].map { "\(name).\($0)" } }
}

extension Declarations where Entry == Branch {
    static let branches = Declarations(
        word: "branch", name: "branches", unknown: "unknown_branch", all: { $0.branches },
        chain: { $0.branches(from: $1) }, added: .branchAdded, updated: .branchUpdated,
        removed: .branchRemoved, uses: { try $0.uses(ofBranch: $1) })
}

extension Declarations where Entry == Category {
    static let categories = Declarations(
        word: "category", name: "categories", unknown: "unknown_category", all: { $0.categories },
        chain: { $0.categories(from: $1) }, added: .categoryAdded, updated: .categoryUpdated,
        removed: .categoryRemoved, uses: { try $0.uses(ofCategory: $1) })
}

extension Declarations where Entry == ItemType {
    static let itemTypes = Declarations(
        word: "item type", name: "item_types", unknown: "unknown_item_type", all: { $0.itemTypes },
        chain: { $0.itemTypes(from: $1) }, added: .itemTypeAdded, updated: .itemTypeUpdated,
        removed: .itemTypeRemoved, uses: { try $0.uses(ofItemType: $1) })
}

extension Declarations where Entry == ShelvingLocation {
    static let locations = Declarations(
        word: "location", name: "locations", unknown: "unknown_location", all: { $0.locations },
        added: .locationAdded, updated: .locationUpdated, removed: .locationRemoved,
        uses: { try $0.uses(ofLocation: $1) }, isNeeded: false, check: CatalogueService.check(location:))
}
