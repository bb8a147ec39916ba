import Circulation
import Foundation
import TestSupport
import Testing

@testable import Storage

/// What is left when the power goes while a disk writes: a write-ahead log that ends anywhere, or has a hole.
@Suite("A torn log")
struct TornLogTests {
    /// A store whose titles were committed one by one, as its files were while it was open.
    private struct Snapshot {
        var file: Data
        var log: Data
        /// How long the log was after each commit.
        var lengths: [Int] = []
    }

    private static func snapshot(commits: Int) throws -> Snapshot {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let store = try SQLiteStore.open(.file(path), create: true)
            defer { try? store.close() }
            try store.write { try Fixture($0) }
            try store.eraseTraces()
            var lengths: [Int] = []
            for number in 1...commits {
                try store.write { _ = try $0.titles.insert(Title(title: "Title \(number)")) }
                lengths.append(try Data(contentsOf: URL(filePath: path + "-wal")).count)
            }
            return Snapshot(
                file: try Data(contentsOf: URL(filePath: path)),
                log: try Data(contentsOf: URL(filePath: path + "-wal")),
                lengths: lengths)
        }
    }

    /// How many of the titles a store of these files has, and whether they are the first ones; nil if it is refused as
    /// damaged.
    private static func opened(_ file: Data, _ log: Data) throws -> (count: Int, isPrefix: Bool, isSound: Bool)? {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            try file.write(to: URL(filePath: path))
            try log.write(to: URL(filePath: path + "-wal"))
            let store: SQLiteStore
            do {
                store = try SQLiteStore.open(.file(path))
            } catch {
                let code = ((error as any Error) as? StoreError)?.code
                #expect(code == .corrupt || code == .notAStore, "\(error)")
                return nil
            }
            defer { try? store.close() }
            return try store.read { transaction in
                var titles: [String] = []
                try transaction.titles.forEach { title in
                    if title.title.hasPrefix("Title ") { titles.append(title.title) }
                    return true
                }
                return (
                    titles.count, titles == titles.indices.map { "Title \($0 + 1)" },
                    try transaction.integrity.findings().isEmpty
                )
            }
        }
    }

    @Test("cut at any byte holds every commit that lies before the cut, and nothing of the others")
    func cut() throws {
        let snapshot = try Self.snapshot(commits: 12)
        var random = SplitMix(seed: 7)
        let cuts = (0..<40).map { _ in Int.random(in: 0...snapshot.log.count, using: &random) } + snapshot.lengths
        for cut in cuts {
            let found = try #require(try Self.opened(snapshot.file, snapshot.log.prefix(cut)))
            #expect(found.count == snapshot.lengths.count { $0 <= cut }, "cut at \(cut)")
            #expect(found.isPrefix && found.isSound, "cut at \(cut)")
        }
    }

    @Test("with a byte changed holds every commit before it, and is whole")
    func flipped() throws {
        let snapshot = try Self.snapshot(commits: 12)
        var random = SplitMix(seed: 8)
        for _ in 0..<40 {
            let place = Int.random(in: 0..<snapshot.log.count, using: &random)
            var log = snapshot.log
            log[place] ^= 0x41
            let found = try #require(try Self.opened(snapshot.file, log))
            #expect(found.count >= snapshot.lengths.count { $0 <= place }, "changed at \(place)")
            #expect(found.isPrefix && found.isSound, "changed at \(place)")
        }
    }
}
