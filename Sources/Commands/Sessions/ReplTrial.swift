import Desk
import Foundation
import Scripting
import Storage

/// A trial of a session: its changes reach the library only with `:commit`.
enum ReplTrial {
    /// Over a private copy of the store: the library goes on meanwhile.
    case copy(TrialCopy)
    /// A transaction of the library's own store, which blocks others.
    case lock
}

/// A store of a trial's own, in a folder that only its owner can read.
final class TrialCopy {
    let path: String
    let desk: Desk
    private let store: any Store
    private let folder: TrialFolder

    /// Larger stores are not copied: it would take too long at a prompt.
    static let largest: Int64 = 512 << 20
    /// A store on a server is copied row by row; one with more events than this is not.
    static let mostEvents: Int64 = 50_000

    /// Whether a store is small enough to be copied.
    ///
    /// - Parameter limit: in bytes; nil: ``largest``.
    static func suits(_ location: StoreLocation, _ desk: Desk, limit: Int64?) throws -> Bool {
        switch location {
        case .memory: return false
        case .file(let path):
            let sizes = [path, path + "-wal"].map { path -> Int64 in
                var status = stat()
                return stat(path, &status) == 0 ? Int64(status.st_size) : 0
            }
            return sizes.reduce(0, +) <= limit ?? largest
        case .postgres:
            let events = try desk.read { try $0.events.last() }
            return events <= (limit.map { $0 / 10_000 } ?? mostEvents)
        }
    }

    init(of location: StoreLocation, in workplace: Workplace, clock: SessionClock, branch: String?) throws {
        folder = try TrialFolder()
        path = folder.path + "/trial.db"
        store = try Self.store(location, at: path)
        desk = try workplace.desk(over: store, clock: clock, branch: branch)
    }

    private static func store(_ location: StoreLocation, at path: String) throws -> any Store {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw CommandFailure(.cannotWrite, code: "cannot_write", message: "The trial's copy cannot be written.")
        }
        switch location {
        case .file(let own):
            let source = try SQLiteStore.openToCopy(own)
            defer { try? source.close() }
            try source.writeCopy(to: path)
        case .postgres(let url):
            let source = try PostgresStore.open(url, isReadOnly: true)
            defer { try? source.close() }
            _ = try StoreTarget.write(source, into: path)
        case .memory: break
        }
        return try SQLiteStore.open(.file(path))
    }

    deinit {
        try? store.close()
    }
}
