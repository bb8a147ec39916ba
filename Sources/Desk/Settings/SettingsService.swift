package import Circulation
import Storage

/// The settings of the library: they live in the store, so that two machines never decide differently.
package struct SettingsService {
    let session: DeskSession

    /// Name, zone and currency.
    package func library() throws -> LibrarySettings {
        try session.settingsSnapshot().library
    }

    /// Changes what is given. Refused with `currency_fixed` once the ledger has a row.
    package func setLibrary(
        name: String? = nil, zone: Zone? = nil, currency: Currency? = nil
    ) throws -> Outcome<LibrarySettings> {
        try session.request("settings.library") {
            var library = try library()
            if let currency, currency != library.currency, try !session.transaction.ledger.isEmpty() {
                throw Refused(
                    "currency_fixed", "The currency is \(library.currency), since accounts have been kept in it.")
            }
            library.name = name ?? library.name
            library.zone = zone ?? library.zone
            library.currency = currency ?? library.currency
            try session.record(.libraryChanged(library))
            return library
        }
    }

    /// All branches, the first one first: the one at which requests without a branch are made.
    package func branches() throws -> [Branch] {
        try session.settingsSnapshot().branches
    }

    package func branch(_ code: String) throws -> Branch? {
        try session.settingsSnapshot().branch(code)
    }

    /// Refused with `exists` if the code is taken.
    package func addBranch(_ branch: Branch) throws -> Outcome<Branch> {
        try session.request("branches.add") {
            try Self.check(code: branch.code)
            guard try self.branch(branch.code) == nil else { throw Self.exists("branch", branch.code) }
            try session.record(.branchAdded(branch))
            return branch
        }
    }

    /// Refused with `unknown_branch`. The code itself does not change.
    package func updateBranch(_ code: String, _ change: (inout Branch) throws -> Void) throws -> Outcome<Branch> {
        try session.request("branches.update") {
            var branch = try known(branch: code)
            let before = branch
            try change(&branch)
            branch.code = code
            if branch != before { try session.record(.branchUpdated(branch)) }
            return branch
        }
    }

    /// Refused with `in_use` while copies or patrons belong to it, holds are to be picked up there, or it is the last one.
    package func removeBranch(_ code: String) throws -> Outcome<Branch> {
        try session.request("branches.remove") {
            let branch = try known(branch: code)
            guard try branches().count > 1 else { throw Self.inUse("branch", code, "it is the only one") }
            guard try session.transaction.holds.openCount(pickupBranch: code) == 0 else {
                throw Self.inUse("branch", code, "holds are to be picked up there")
            }
            try unlessReferred("branch", code) { try session.record(.branchRemoved(code: code)) }
            return branch
        }
    }
}

// MARK: - Categories

extension SettingsService {
    package func categories() throws -> [Category] {
        try session.settingsSnapshot().categories
    }

    package func category(_ code: String) throws -> Category? {
        try categories().first { $0.code == code }
    }

    package func addCategory(_ category: Category) throws -> Outcome<Category> {
        try session.request("categories.add") {
            try Self.check(code: category.code)
            guard try self.category(category.code) == nil else { throw Self.exists("category", category.code) }
            try session.record(.categoryAdded(category))
            return category
        }
    }

    package func updateCategory(
        _ code: String, _ change: (inout Category) throws -> Void
    ) throws -> Outcome<Category> {
        try session.request("categories.update") {
            var category = try known(category: code)
            let before = category
            try change(&category)
            category.code = code
            if category != before { try session.record(.categoryUpdated(category)) }
            return category
        }
    }

    /// Refused with `in_use` while a patron has it.
    package func removeCategory(_ code: String) throws -> Outcome<Category> {
        try session.request("categories.remove") {
            let category = try known(category: code)
            try unlessReferred("category", code) { try session.record(.categoryRemoved(code: code)) }
            return category
        }
    }
}

// MARK: - What the services share

extension SettingsService {
    func known(branch code: String) throws -> Branch {
        guard let branch = try branch(code) else {
            throw Refused("unknown_branch", "There is no branch \"\(code)\".")
        }
        return branch
    }

    func known(category code: String) throws -> Category {
        guard let category = try category(code) else {
            throw Refused("unknown_category", "There is no category \"\(code)\".")
        }
        return category
    }

    func known(itemType code: String) throws -> ItemType {
        guard let itemType = try itemType(code) else {
            throw Refused("unknown_item_type", "There is no item type \"\(code)\".")
        }
        return itemType
    }

    /// The longest code of a branch, category or item type, in bytes.
    private static let longestCode = 64

    static func check(code: String) throws {
        let isSound =
            !code.isEmpty && code.utf8.count <= longestCode
            && code.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.properties.generalCategory != .control
            }
        guard isSound else {
            throw DeskError.input("code", "A code has 1 to \(longestCode) bytes and no spaces or control characters.")
        }
    }

    static func exists(_ what: String, _ code: String) -> Refused {
        Refused("exists", "There is a \(what) \"\(code)\" already.")
    }

    static func inUse(_ what: String, _ code: String, _ why: String) -> Refused {
        Refused("in_use", "The \(what) \"\(code)\" stays: \(why).")
    }

    /// Removes what nothing may refer to; the database knows best whether something does.
    func unlessReferred(_ what: String, _ code: String, _ body: () throws -> Void) throws {
        do {
            try session.transaction.savepoint(body)
        } catch let error as StoreError where error.code == .constraint {
            throw Self.inUse(what, code, "something belongs to it")
        }
    }
}
