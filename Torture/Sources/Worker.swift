import Circulation
import Desk
import Foundation
import Glibc
import Storage
import Synchronization
import TestSupport

/// One desk of the library, in a process of its own or beside others: it asks, writes down what it asked and what it was told, and asks again what got no
/// answer.
struct Worker {
    /// What it is told.
    struct Orders {
        var number: Int
        var journal: String
        var seed: UInt64
        var openedAt: Int64
        /// How long it waits between two requests, about, in milliseconds.
        var pause: Int
    }

    /// How long it goes on asking a store that fails after it was told to stop.
    private static let patience: Int64 = 60_000_000

    private let orders: Orders
    private let journal: Journal
    private let store: any Store
    private let desk: Desk
    private let stop: StopSignal
    private var recovered = Recoveries()

    init(_ orders: Orders, at store: any Store, stop: StopSignal) throws {
        self.orders = orders
        self.stop = stop
        journal = try Journal(path: orders.journal)
        self.store = store
        desk = TortureLibrary.desk(
            store, orders.openedAt,
            Actor(name: "desk\(orders.number)", role: .staff, channel: .desk, branch: "main")
        ).sharingCommits()
    }

    /// Opens the store, waiting for it if it is away.
    static func opened(_ address: String) throws -> any Store {
        let end = TortureClock.machine() + patience
        while true {
            do {
                return try StoreOpening.open(address)
            } catch let error as StoreError where error.isPassing && TortureClock.machine() < end {
                usleep(100_000)
            }
        }
    }

    /// Asks until it is told to stop.
    mutating func run() throws {
        var past = try Journal.read(path: orders.journal)
        var random = SplitMix(seed: orders.seed &+ UInt64(past.count) &* 0x9E37_79B9)
        if let unanswered = past.unanswered { try carryOut(unanswered) }
        var count = past.requests
        past = []
        while !stop.isGiven {
            count += 1
            let request = Request(
                id: "w\(orders.number).\(count)", operation: .any(&random), seed: random.next())
            try journal.write(
                .asked(
                    request: request.id, operation: request.operation, seed: request.seed, at: TortureClock.machine()))
            let effect = try carryOut(request)
            // Who asks twice by mistake gets nothing twice; what left no event is not known again.
            if effect != .nothing, Int.random(in: 0..<50, using: &random) == 0 { try askAgain(request) }
            if orders.pause > 0 { usleep(UInt32(orders.pause * .random(in: 500...1_500, using: &random))) }
        }
    }

    /// Asks until there is an answer.
    @discardableResult
    private mutating func carryOut(_ request: Request) throws -> Effect {
        var pause: UInt32 = 2_000
        var patienceEnds: Int64?
        while true {
            do {
                let effect = try answer(to: request)
                try noteRecoveries()
                try journal.write(.done(request: request.id, effect: effect, at: TortureClock.machine()))
                return effect
            } catch let error as StoreError where error.isPassing {
                try journal.write(
                    .failed(
                        request: request.id, code: error.code.rawValue, isOpen: error.leavesOutcomeOpen,
                        at: TortureClock.machine()))
                if stop.isGiven {
                    let end = patienceEnds ?? TortureClock.machine() + Self.patience
                    patienceEnds = end
                    guard TortureClock.machine() < end else { throw error }
                }
                usleep(UInt32.random(in: pause / 2...pause))
                pause = min(pause * 2, 200_000)
            }
        }
    }

    private func answer(to request: Request) throws -> Effect {
        do {
            return try desk.write(request: request.id) { session in
                var random = SplitMix(seed: request.seed)
                return try request.operation.perform(session, &random)
            }
        } catch let error as DeskError where error.code == .repeatedRequest {
            return .found
        }
    }

    private func askAgain(_ request: Request) throws {
        do {
            guard try answer(to: request) == .found else {
                throw TortureFailure("the request \(request.id) was carried out twice")
            }
        } catch let error as StoreError where error.isPassing {}
    }

    private mutating func noteRecoveries() throws {
        let now = store.recoveries
        guard now != recovered else { return }
        try journal.write(
            .recovered(
                reconnected: now.reconnected - recovered.reconnected,
                resolved: now.resolvedCommits - recovered.resolvedCommits, at: TortureClock.machine()))
        recovered = now
    }
}

/// What is asked, so that it can be asked again by another process.
struct Request {
    var id: String
    var operation: Operation
    var seed: UInt64
}

extension [JournalLine] {
    /// The last request, if it has no answer.
    fileprivate var unanswered: Request? {
        for line in reversed() {
            switch line {
            case .done: return nil
            case .asked(let request, let operation, let seed, _):
                return Request(id: request, operation: operation, seed: seed)
            case .failed, .recovered: continue
            }
        }
        return nil
    }

    fileprivate var requests: Int {
        count { if case .asked = $0 { true } else { false } }
    }
}

extension StoreError {
    /// Whether the same may go well in a moment.
    var isPassing: Bool { code == .unreachable || code == .locked }
}

/// Given when standard input ends: by whoever started the process, or by their death.
final class StopSignal: Sendable {
    private let given = Atomic<Bool>(false)

    var isGiven: Bool { given.load(ordering: .relaxed) }

    func listen() {
        Thread { [self] in
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            given.store(true, ordering: .relaxed)
        }.start()
    }
}
