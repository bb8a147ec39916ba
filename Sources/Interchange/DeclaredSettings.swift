import Circulation
import Desk

/// The branches, categories, item types and locations that the store knows, and those that a file adds to them.
final class DeclaredSettings {
    private let session: DeskSession
    private let run: ImportRun
    private var branches: Set<String>
    private var categories: Set<String>
    private var itemTypes: Set<String>
    private var locations: Set<String>

    init(session: DeskSession, run: ImportRun) throws {
        self.session = session
        self.run = run
        branches = Set(try session.settings.branches().map(\.code))
        categories = Set(try session.settings.categories().map(\.code))
        itemTypes = Set(try session.settings.itemTypes().map(\.code))
        locations = Set(try session.settings.locations().map(\.code))
    }

    func firstBranch() throws -> String { try session.settings.branches().first?.code ?? "main" }
    func usualItemType() throws -> String { itemTypes.contains("book") ? "book" : itemTypes.min() ?? "book" }
    func firstCategory() throws -> String { try session.settings.categories().first?.code ?? "patron" }

    /// A code that a file uses without describing it is declared under its own name.
    func require(branch code: String) throws {
        if branches.insert(code).inserted {
            _ = try session.imports.branch(Branch(code: code, name: code)).change(field: "branch")
            run.declare(.branch, code)
        }
    }

    func require(category code: String) throws {
        if categories.insert(code).inserted {
            _ = try session.imports.category(Category(code: code, name: code)).change(field: "category")
            run.declare(.category, code)
        }
    }

    func require(itemType code: String) throws {
        if itemTypes.insert(code).inserted {
            _ = try session.imports.itemType(ItemType(code: code, name: code)).change(field: "item_type")
            run.declare(.itemType, code)
            try adopt(by: code)
        }
    }

    /// Notes a location that has no name, where the library names its locations.
    func meet(location code: String) {
        if !locations.isEmpty, !locations.contains(code) { run.meet(unnamedLocation: code) }
    }

    func declare(_ branch: Branch) throws -> ImportChange {
        if let parent = branch.parent, parent != branch.code { try require(branch: parent) }
        branches.insert(branch.code)
        return try session.imports.branch(branch).change(field: "parent").change
    }

    func declare(_ category: Category) throws -> ImportChange {
        if let parent = category.parent, parent != category.code { try require(category: parent) }
        categories.insert(category.code)
        return try session.imports.category(category).change(field: "parent").change
    }

    func declare(_ itemType: ItemType) throws -> ImportChange {
        var declared = itemType
        if let parent = itemType.parent, !itemTypes.contains(parent) {
            if try session.settings.itemType(itemType.code) == nil, parent != itemType.code {
                // It stands before its parent, and is to stay there.
                run.waitingForParent[parent, default: []].append(itemType.code)
                declared.parent = nil
            } else {
                try require(itemType: parent)
            }
        }
        itemTypes.insert(itemType.code)
        let change = try session.imports.itemType(declared).change(field: "parent").change
        try adopt(by: itemType.code)
        return change
    }

    func declare(_ location: ShelvingLocation) throws -> ImportChange {
        locations.insert(location.code)
        return try session.imports.location(location).change(field: "code").change
    }

    /// Gives the item types that waited for a parent the one that has come.
    private func adopt(by parent: String) throws {
        for code in run.waitingForParent.removeValue(forKey: parent) ?? [] {
            guard var child = try session.settings.itemType(code) else { continue }
            child.parent = parent
            _ = try session.imports.itemType(child).change(field: "parent")
        }
    }

    /// Declares the parents that the file names and never describes.
    func finish() throws {
        for parent in run.waitingForParent.keys.sorted() {
            try require(itemType: parent)
            try adopt(by: parent)
        }
    }

    func describe(_ description: LibraryDescription) throws -> ImportChange {
        let present = try session.settings.library()
        var wanted = present
        if let name = description.name { wanted.name = name }
        if let zone = description.zone { wanted.zone = zone }
        if let currency = description.currency { wanted.currency = currency }
        if let words = description.reservedNames { wanted.reservedNames = words }
        if let hasRatings = description.hasRatings { wanted.hasRatings = hasRatings }
        if let kinds = description.gatheredKinds { wanted.gatheredKinds = kinds }
        guard wanted != present else { return .unchanged }
        if run.joinsLibrary {
            throw RefusedRecord(
                field: "library", code: "library_kept",
                message: "the store has a library of its own, \(words(present)), which stays what it is")
        }
        _ = try session.settings.setLibrary(
            name: wanted.name, zone: wanted.zone, currency: wanted.currency, reservedNames: wanted.reservedNames,
            hasRatings: wanted.hasRatings, gatheredKinds: wanted.gatheredKinds
        ).orRefuse(field: "library")
        if present != .ofFreshStore {
            run.warn("library", "library_changed", "the library, until now \(words(present)), is now \(words(wanted))")
        }
        return .updated
    }

    private func words(_ library: LibrarySettings) -> String {
        "'\(library.name)' in \(library.zone.identifier) with \(library.currency.code)"
    }
}
