package import Circulation
import Synchronization

/// The library's settings as they stood at one moment, read once and shared by the transactions that come after.
package final class SettingsSnapshot: Sendable {
    package let library: LibrarySettings
    /// In the order in which they were added; the first one is where staff work unless they say otherwise.
    package let branches: [Branch]
    package let categories: [Category]
    package let itemTypes: [ItemType]
    /// Those that have names; copies may have others.
    package let locations: [ShelvingLocation]
    /// Policies by when they come into force, of two with the same instant the later decision last.
    let activations: [PolicyActivation]
    /// The fields of the library's own.
    package let customFields: CustomFields

    private let branchesByCode: CodeTable<Branch>
    private let zones: CodeTable<Zone?>
    private let branchChains: CodeTable<[String]>
    private let categoryChains: CodeTable<[String]>
    private let itemTypeChains: CodeTable<[String]>
    private let locationNames: CodeTable<String>

    init(
        library: LibrarySettings, branches: [Branch], categories: [Category], itemTypes: [ItemType],
        locations: [ShelvingLocation], activations: [PolicyActivation], customFields: CustomFields
    ) {
        self.library = library
        self.branches = branches
        self.categories = categories
        self.itemTypes = itemTypes
        self.locations = locations
        self.activations = activations
        self.customFields = customFields
        branchesByCode = CodeTable(branches.map { ($0.code, $0) })
        zones = CodeTable(branches.map { ($0.code, $0.zone) })
        branchChains = Self.chains(branches)
        categoryChains = Self.chains(categories)
        itemTypeChains = Self.chains(itemTypes)
        locationNames = CodeTable(locations.map { ($0.code, $0.name) })
    }

    package func branch(_ code: String) -> Branch? { branchesByCode[code] }

    /// The zone in which the branch's civil dates are read: its own, or else the library's.
    package func zone(ofBranch code: String) -> Zone { (zones[code] ?? nil) ?? library.zone }

    /// The item type and, after it, its ancestors; the type alone if it is not declared.
    package func itemTypes(from code: String) -> [String] { itemTypeChains[code] ?? [code] }

    /// The category and, after it, its ancestors; the category alone if it is not declared.
    package func categories(from code: String) -> [String] { categoryChains[code] ?? [code] }

    /// The branch and, after it, its ancestors; the branch alone if it is not declared.
    package func branches(from code: String) -> [String] { branchChains[code] ?? [code] }

    /// What people call a location of copies: its name, or the word itself where it has none.
    package func name(ofLocation code: String) -> String { locationNames[code] ?? code }

    /// One that is, against the rules, its own ancestor ends the chain.
    private static func chains(_ declared: [some NestedCode]) -> CodeTable<[String]> {
        let parents = Dictionary(declared.map { ($0.code, $0.parent) }) { first, _ in first }
        var chains: [(code: String, value: [String])] = []
        for entry in declared {
            var chain = [entry.code]
            while let last = chain.last, let parent = parents[last] ?? nil, !chain.contains(parent) {
                chain.append(parent)
            }
            chains.append((entry.code, chain))
        }
        return CodeTable(chains)
    }
}

/// The last snapshot that was read, with the revision of the settings that it shows.
final class SettingsCache: Sendable {
    private let state = Mutex<(revision: Int64, snapshot: SettingsSnapshot)?>(nil)

    func snapshot(of revision: Int64) -> SettingsSnapshot? {
        state.withLock { state in state?.revision == revision ? state?.snapshot : nil }
    }

    var latest: SettingsSnapshot? { state.withLock { $0?.snapshot } }

    func keep(_ snapshot: SettingsSnapshot, of revision: Int64) {
        state.withLock { state in state = (revision, snapshot) }
    }
}
