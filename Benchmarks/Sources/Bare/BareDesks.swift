import Floors
import Foundation
import TestSupport

/// All others who do the bare workload on this machine, each on rows of its own.
final class BareDesks {
    let desks: [any BareDesk]
    /// What is not here, with why.
    private let missing: [Figure.Comparison]
    /// Requests that are granted, whoever is asked.
    private let requests: [floor_request]
    private let path: String
    /// It ends with its last user.
    private let server: PostgresServer?
    private var outcomes: [floor_outcome]

    /// Makes the rows for each.
    ///
    /// - Parameters:
    ///   - count: how many requests.
    ///   - server: where PL/pgSQL works; nil: nowhere.
    init(_ bench: Bench, count: Int, server: PostgresServer?) throws {
        let library = BareLibrary(size: bench.size)
        self.server = server
        path = bench.folder.appendingPathComponent("bare.db").path
        try SampleStore.remove(path)
        let store = try Self.make(library, path)
        let sqlite = try SQLiteBareDesk(path: path)
        requests = try Self.allowed(library.candidates, count, sqlite)
        var desks: [any BareDesk] = [sqlite]
        var missing: [Figure.Comparison] = []
        if let server {
            desks.append(try PostgresBareDesk(library, on: server))
        } else {
            missing.append(Figure.Comparison(name: PostgresBareDesk.name, note: PostgresServer.reason))
        }
        if RedisServer.program != nil {
            desks.append(try RedisBareDesk(library, from: store))
        } else {
            missing.append(Figure.Comparison(name: RedisBareDesk.name, note: RedisServer.reason))
        }
        (self.desks, self.missing) = (desks, missing)
        outcomes = desks.map { _ in floor_outcome() }
        sync()
    }

    deinit {
        try? SampleStore.remove(path)
    }

    private static func make(_ library: BareLibrary, _ path: String) throws -> FloorStore {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let store = try FloorStore(path: path, settings: "PRAGMA synchronous = OFF")
        try store.execute("BEGIN")
        // A key of this very type is SQLite's number of the row.
        for statement in library.statements(key: "integer PRIMARY KEY") { try store.execute(statement) }
        try store.execute("COMMIT")
        return store
    }

    private static func allowed(
        _ candidates: [floor_request], _ count: Int, _ desk: SQLiteBareDesk
    ) throws -> [floor_request] {
        var allowed: [floor_request] = []
        for request in candidates where allowed.count < count {
            if try desk.decide([request]).count == 1 { allowed.append(request) }
        }
        guard allowed.count == count else { throw BenchFailure("the bare library is too small") }
        return allowed
    }

    // MARK: - Racing

    /// Checkouts: a round is a request.
    var lending: [Racer] { racers { [requests] desk, rounds in try desk.lend(requests[rounds]) } }

    /// Overdue runs, whatever the rounds.
    var reminding: [Racer] { racers { desk, _ in try desk.remind() } }

    private func racers(_ work: @escaping (any BareDesk, Range<Int>) throws -> floor_outcome) -> [Racer] {
        desks.enumerated().map { place, desk in
            Racer(name: type(of: desk).name, elsewhere: desk.elsewhere) { [unowned self] rounds in
                outcomes[place] = outcomes[place] + (try work(desk, rounds))
            }
        }
    }

    /// What each took in a race with ``lending`` or ``reminding``.
    ///
    /// - Throws: ``BenchFailure`` if they did not all come to the same.
    func comparisons(_ race: Race) throws -> [Figure.Comparison] {
        for (desk, outcome) in zip(desks, outcomes) {
            guard outcome.count > 0, outcome.count == outcomes[0].count, outcome.sum == outcomes[0].sum else {
                throw BenchFailure(
                    "\(type(of: desk).name): \(outcome.count) and \(outcome.sum), in C \(outcomes[0].count) and \(outcomes[0].sum)"
                )
            }
        }
        return zip(desks, race.others).map { Figure.Comparison(name: type(of: $0).name, cost: $1.median) } + missing
    }
}
