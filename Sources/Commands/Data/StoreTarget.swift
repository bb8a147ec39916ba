import Desk
import Foundation
import Storage

/// A place for a store that is to be filled from another one.
struct StoreTarget {
    /// What may go that is there already.
    enum Replacing { case nothing, freshStore, everything }

    typealias Progress = (StoreCopy.Progress) -> Void

    private let location: StoreLocation
    private let replacing: Replacing

    init(_ location: StoreLocation, replacing: Replacing) {
        self.location = location
        self.replacing = replacing
    }

    /// Copies everything here. A file that is not there yet appears when it is whole.
    ///
    /// - Throws: `StoreError.notEmpty` if something is here already that may not go.
    func fill(from source: any Store, _ progress: @escaping Progress = { _ in }) throws -> [StoreCopy.Table] {
        switch location {
        case .postgres(let url): return try copy(from: source, to: database(url), progress)
        case .file(let path) where Self.isVacant(path):
            let pending = try PendingFile(for: path)
            let tables = try Self.write(source, into: pending.path, progress)
            try Self.takePlace(pending, at: path)
            return tables
        case .file, .memory:
            return try copy(from: source, to: SQLiteStore.open(location, stop: StopSignals.request), progress)
        }
    }

    /// Makes a store of an empty file and copies everything into it.
    ///
    /// - Parameter version: that of the source's schema, which the copy has too.
    static func write(
        _ source: any Store, into path: String, version: Int64 = SQLiteStore.currentVersion,
        _ progress: @escaping Progress = { _ in }
    ) throws -> [StoreCopy.Table] {
        let store = try SQLiteStore.make(at: path, version: version, stop: StopSignals.request)
        return try StoreTarget(.file(path), replacing: .nothing).copy(from: source, to: store, progress)
    }

    /// Puts a file in the place of a store. What SQLite kept beside an earlier file of the name must not meet it.
    static func takePlace(_ pending: PendingFile, at path: String) throws {
        try SQLiteStore.removeCompanions(of: path)
        try pending.takePlace()
    }

    /// Whether the file is missing, or empty as `mktemp` makes it.
    static func isVacant(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return errno == ENOENT }
        return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    /// An older store is brought up to date on the way only if what it holds may go.
    private func database(_ url: String) throws -> any Store {
        do {
            return try PostgresStore.open(url, stop: StopSignals.request)
        } catch {
            guard error.code == .cannotOpen || error.code == .older && replacing == .everything else { throw error }
            return try PostgresStore.open(url, create: true, stop: StopSignals.request)
        }
    }

    private func mayReplace(_ transaction: Transaction) throws -> Bool {
        switch replacing {
        case .nothing: false
        case .freshStore: try Desk.isFresh(transaction)
        case .everything: true
        }
    }

    private func copy(
        from source: any Store, to target: any Store, _ progress: @escaping Progress
    ) throws -> [StoreCopy.Table] {
        do {
            let copy = StoreCopy(from: source, to: target, isReplaceable: mayReplace, progress: progress)
            let tables = try copy.run()
            try target.close()
            return tables
        } catch {
            try? target.close()
            throw error
        }
    }
}
