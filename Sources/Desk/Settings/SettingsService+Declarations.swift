package import Circulation
import Storage

// MARK: - Branches

extension SettingsService {
    /// All branches, the first one first: the one at which requests without a branch are made.
    package func branches() throws -> [Branch] { try session.settingsSnapshot().branches }

    package func branch(_ code: String) throws -> Branch? { try session.settingsSnapshot().branch(code) }

    /// Refused with `exists`, `unknown_branch` (the parent) or `cycle`.
    package func addBranch(_ branch: Branch) throws -> Outcome<Branch> { try add(branch, to: .branches) }

    /// Refused with `unknown_branch` or `cycle`. The code itself does not change.
    package func updateBranch(_ code: String, _ change: (inout Branch) throws -> Void) throws -> Outcome<Branch> {
        try update(code, in: .branches, change)
    }

    /// Refused with `in_use` while copies or patrons belong to it, holds are to be picked up there, a branch has it as its
    /// parent, or it is the only one.
    package func removeBranch(_ code: String) throws -> Outcome<Branch> { try remove(code, from: .branches) }

    func known(branch code: String) throws -> Branch { try known(code, in: .branches) }
}

// MARK: - Categories

extension SettingsService {
    package func categories() throws -> [Category] { try session.settingsSnapshot().categories }

    package func category(_ code: String) throws -> Category? { try find(code, in: .categories) }

    /// Refused with `exists`, `unknown_category` (the parent) or `cycle`.
    package func addCategory(_ category: Category) throws -> Outcome<Category> { try add(category, to: .categories) }

    /// Refused with `unknown_category` or `cycle`.
    package func updateCategory(
        _ code: String, _ change: (inout Category) throws -> Void
    ) throws -> Outcome<Category> {
        try update(code, in: .categories, change)
    }

    /// Refused with `in_use` while a patron has it, a category has it as its parent, or it is the only one.
    package func removeCategory(_ code: String) throws -> Outcome<Category> { try remove(code, from: .categories) }

    func known(category code: String) throws -> Category { try known(code, in: .categories) }
}

// MARK: - Item types

extension SettingsService {
    package func itemTypes() throws -> [ItemType] { try session.settingsSnapshot().itemTypes }

    package func itemType(_ code: String) throws -> ItemType? { try find(code, in: .itemTypes) }

    /// Refused with `exists`, `unknown_item_type` (the parent) or `cycle`.
    package func addItemType(_ itemType: ItemType) throws -> Outcome<ItemType> { try add(itemType, to: .itemTypes) }

    /// Refused with `unknown_item_type` or `cycle`.
    package func updateItemType(
        _ code: String, _ change: (inout ItemType) throws -> Void
    ) throws -> Outcome<ItemType> {
        try update(code, in: .itemTypes, change)
    }

    /// Refused with `in_use` while a copy is of that type, a type has it as its parent, or it is the only one.
    package func removeItemType(_ code: String) throws -> Outcome<ItemType> { try remove(code, from: .itemTypes) }

    func known(itemType code: String) throws -> ItemType { try known(code, in: .itemTypes) }
}

// MARK: - Shelving locations

extension SettingsService {
    /// Those that have names; copies may have others.
    package func locations() throws -> [ShelvingLocation] { try session.settingsSnapshot().locations }

    /// The one of a code, where it has a name.
    package func location(_ code: String) throws -> ShelvingLocation? { try find(code, in: .locations) }

    /// What people call a location of copies: its name, or the word itself where it has none.
    package func name(ofLocation code: String) throws -> String {
        try session.settingsSnapshot().name(ofLocation: code)
    }

    /// Refused with `exists`.
    package func addLocation(_ location: ShelvingLocation) throws -> Outcome<ShelvingLocation> {
        try add(location, to: .locations)
    }

    /// Refused with `unknown_location`. The code itself does not change.
    package func updateLocation(
        _ code: String, _ change: (inout ShelvingLocation) throws -> Void
    ) throws -> Outcome<ShelvingLocation> {
        try update(code, in: .locations, change)
    }

    /// Refused with `in_use` while a copy stands there.
    package func removeLocation(_ code: String) throws -> Outcome<ShelvingLocation> {
        try remove(code, from: .locations)
    }
}

// MARK: - What they share

extension SettingsService {
    func find<Entry>(_ code: String, in declarations: Declarations<Entry>) throws -> Entry? {
        declarations.all(try session.settingsSnapshot()).first { $0.code == code }
    }

    private func known<Entry>(_ code: String, in declarations: Declarations<Entry>) throws -> Entry {
        guard let entry = try find(code, in: declarations) else {
            throw Refused(declarations.unknown, "There is no \(declarations.word) \"\(code)\".")
        }
        return entry
    }

    private func add<Entry>(_ entry: Entry, to declarations: Declarations<Entry>) throws -> Outcome<Entry> {
        try session.request("\(declarations.name).add") {
            try declarations.check(entry.code)
            guard try find(entry.code, in: declarations) == nil else {
                throw Refused("exists", "The \(declarations.word) \"\(entry.code)\" already exists.")
            }
            try checkParent(of: entry, in: declarations)
            try session.record(declarations.added, entry)
            return entry
        }
    }

    private func update<Entry>(
        _ code: String, in declarations: Declarations<Entry>, _ change: (inout Entry) throws -> Void
    ) throws -> Outcome<Entry> {
        try session.request("\(declarations.name).update") {
            let before = try known(code, in: declarations)
            var entry = before
            try change(&entry)
            entry.code = code
            if entry.parent != before.parent { try checkParent(of: entry, in: declarations) }
            if entry != before { try session.record(declarations.updated, entry) }
            return entry
        }
    }

    private func remove<Entry>(_ code: String, from declarations: Declarations<Entry>) throws -> Outcome<Entry> {
        try session.request("\(declarations.name).remove") {
            let entry = try known(code, in: declarations)
            if let why = try reason(toKeep: entry, in: declarations) {
                throw Refused("in_use", "The \(declarations.word) \"\(code)\" cannot be removed: \(why).")
            }
            try session.record(declarations.removed, RemovedCode(code))
            return entry
        }
    }

    /// Why it cannot go; nil if nothing is in the way.
    private func reason<Entry>(toKeep entry: Entry, in declarations: Declarations<Entry>) throws -> String? {
        let all = declarations.all(try session.settingsSnapshot())
        if declarations.isNeeded, all.count == 1 { return "it is the only one" }
        let children = all.filter { $0.parent == entry.code }.map { "\"\($0.code)\"" }
        if !children.isEmpty {
            return children.joined(separator: ", ") + (children.count == 1 ? " belongs to it" : " belong to it")
        }
        let uses = try declarations.uses(session.transaction.settings, entry.code)
        if uses.isEmpty { return nil }
        return uses.map(\.words).joined(separator: ", ") + (uses.map(\.count) == [1] ? " has it" : " have it")
    }

    /// What were its own ancestor would meet every condition of its ring, and never end.
    func checkParent<Entry>(of entry: Entry, in declarations: Declarations<Entry>) throws {
        guard let parent = entry.parent else { return }
        let itself = parent == entry.code
        if !itself { _ = try known(parent, in: declarations) }
        if try itself || declarations.chain(session.settingsSnapshot(), parent).contains(entry.code) {
            throw Refused("cycle", "\"\(entry.code)\" would be its own ancestor by way of \"\(parent)\".")
        }
    }

    /// The longest code of a branch, category or item type, in bytes.
    private static var longestCode: Int { 64 }

    static func check(code: String) throws {
        let isSound =
            !code.isEmpty && code.utf8.count <= longestCode
            && code.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.properties.generalCategory != .control
            }
        guard isSound else {
            throw DeskError.input(
                "code",
                "A code must be 1 to \(longestCode) bytes long, without spaces or control characters.")
        }
    }
}

extension CodeUse {
    /// `3 copies`
    fileprivate var words: String {
        if count == 1 { return "1 \(what)" }
        return "\(count) \(what == "copy" ? "copies" : what + "s")"
    }
}
