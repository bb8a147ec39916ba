import Circulation
import Desk
import Floors
import Foundation
import Market
import Scripting
import Storage
import TextFormats

/// The sample library as a store file, made once and copied for each measurement.
struct SampleStore {
    /// Raise it when ``SampleLibrary`` makes another library of the same size.
    private static let version = 2

    let library: SampleLibrary
    private let folder: URL
    let base: URL

    init(_ bench: Bench) throws {
        library = SampleLibrary(size: bench.size)
        folder = bench.folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bundle = try ParsedPolicy(file: Bench.package.appendingPathComponent("policies/university.lua").path).bundle
        let size = library.size
        let words = [
            "\(Self.version) \(size.patrons) \(size.titles) \(size.openLoans)", bundle.sha256,
            try Self.schema(in: folder),
        ]
        var digest = SHA256()
        digest.update(words.joined(separator: "\n").utf8)
        base = folder.appendingPathComponent("library-\(digest.finish().prefix(12)).db")
        if !FileManager.default.fileExists(atPath: base.path) { try make(bundle) }
    }

    /// The text of the schema, so that a store of another one is not taken.
    private static func schema(in folder: URL) throws -> String {
        let path = folder.appendingPathComponent("schema.db").path
        try remove(path)
        try SQLiteStore.open(.file(path), create: true).close()
        defer { try? remove(path) }
        return try FloorStore(path: path).text("SELECT group_concat(sql, ';') FROM sqlite_schema")
    }

    private func make(_ policy: PolicyBundle) throws {
        FileHandle.standardError.write(Data("Making the sample library, once ...\n".utf8))
        let path = base.path + ".new"
        try Self.remove(path)
        let store = try SQLiteStore.open(.file(path), create: true)
        let desk = Self.desk(over: store)
        try library.fill(desk, policy: policy)
        // As an import leaves it; the first sweep would do it otherwise.
        try desk.placeTitles()
        try store.close()
        try FileManager.default.moveItem(atPath: path, toPath: base.path)
    }

    /// A fresh copy under a name of its own, all of it on the disk.
    ///
    /// - Parameter source: another store instead of this one.
    func copy(_ name: String, of source: String? = nil) throws -> String {
        let path = folder.appendingPathComponent(name + ".db").path
        try Self.remove(path)
        try FileManager.default.copyItem(atPath: source ?? base.path, toPath: path)
        sync()
        return path
    }

    static func remove(_ path: String) throws {
        for name in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: name) {
            try FileManager.default.removeItem(atPath: name)
        }
    }

    static func desk(over store: any Store) -> Desk {
        Desk(
            store: store, policies: LuaPolicyLoader(), clock: FixedClock(SampleLibrary.now),
            actor: Actor(
                name: "desk", role: .staff, channel: .desk, branch: SampleLibrary.branches[0],
                isOperator: true), extensions: [MarketExtension()])
    }
}
