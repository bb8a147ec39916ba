import Circulation
import Desk
import Floors
import Foundation
import Synchronization
import TestSupport
import Threads

/// A library of which each try gets a copy, and what is lent of it.
final class CompanySetting {
    private let store: MeasuredStore
    private let titles: Int
    private let folder: URL
    private let base: String
    /// The session of a member of staff.
    private let token: String
    private let server: PostgresServer?
    private let requests: [CheckoutRequest]

    init(store: MeasuredStore, titles: Int, folder: URL) throws {
        self.store = store
        self.titles = titles
        self.folder = folder.appendingPathComponent("company")
        try? FileManager.default.removeItem(at: self.folder)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        let library = try GrownLibrary(titles: titles, folder: folder)
        (base, token) = (library.path, library.token)
        requests = try CheckoutRequests(grown: titles).allowed(min(200, titles / 10), by: library.desk)
        try library.close()
        server = store == .postgres ? try PostgresServer() : nil
        try Self.writeFiles(self.folder)
    }

    deinit {
        server?.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A plugin, a table to import, and settings under which nobody is turned away for asking often.
    private static func writeFiles(_ folder: URL) throws {
        let plugin = folder.appendingPathComponent("tally")
        try FileManager.default.createDirectory(at: plugin, withIntermediateDirectories: true)
        try CompanyKind.plugin.write(
            to: plugin.appendingPathComponent("plugin.lua"), atomically: true, encoding: .utf8)
        let rows = (0..<100_000).map { "Volume \($0) of the import,Author \($0 % 977),Publisher \($0 % 97)\n" }
        try ("title,authors,publisher\n" + rows.joined()).write(
            to: folder.appendingPathComponent("titles.csv"), atomically: true, encoding: .utf8)
        try "[server]\nburst = 1000000\nper_second = 1000000\n".write(
            to: folder.appendingPathComponent("moonshelf.toml"), atomically: true, encoding: .utf8)
    }

    // MARK: - One try

    func measure(_ kind: CompanyKind, seconds: Double, readers: Int, desks: Int = 1) throws -> CompanyFigure {
        let path = folder.appendingPathComponent("library.db").path
        let url = try copy(to: path)
        defer { try? SampleStore.remove(path) }
        let moonshelf = Moonshelf(folder: folder, store: url)
        if kind == .plugins { try moonshelf.finish(["plugin", "use", folder.appendingPathComponent("tally").path]) }
        let served = try ServedDesk(moonshelf)
        defer { served.stop() }
        let desk = try HTTPConnection(port: served.port, token: token)
        // What is read once and kept, and the pages of indexes that each checkout passes through.
        for request in requests.prefix(50) { _ = try lend(request, desk) }
        let others = try Others(kind, moonshelf, port: served.port, readers: readers, titles: titles)
        let (times, length) = try lend(at: served.port, desks, until: others, seconds: seconds)
        let done = try others.stop()
        return CompanyFigure(store: store, kind: kind, titles: titles, times: times, seconds: length, done: done)
    }

    private func copy(to path: String) throws -> String {
        if let server {
            let database = try server.database(like: "grown") { url in
                try MeasuredStore.copy(base, to: url)
                try server.execute("ANALYZE", in: "grown")
            }
            return server.url(database)
        }
        try SampleStore.remove(path)
        try FileManager.default.copyItem(atPath: base, toPath: path)
        sync()
        return "sqlite:" + path
    }

    /// Lends and takes back at each of some desks until the others are done or the time is over.
    ///
    /// - Returns: nanoseconds of each checkout, and how many seconds went by.
    private func lend(
        at port: Int, _ desks: Int, until others: Others, seconds: Double
    ) throws -> (times: [UInt64], seconds: Double) {
        let start = floor_wall()
        let end = start + UInt64(seconds * 1_000_000_000)
        let lent = Mutex<Result<[UInt64], any Error>>(.success([]))
        let threads = (0..<desks).compactMap { number in
            WorkerThread(stack: 1 << 20) {
                let own = Result<[UInt64], any Error> {
                    let desk = try HTTPConnection(port: port, token: self.token)
                    // No two desks have one copy in hand.
                    let mine = stride(from: number, to: self.requests.count, by: desks).map { self.requests[$0] }
                    var times: [UInt64] = []
                    while floor_wall() < end, !others.areDone || times.isEmpty {
                        times.append(try self.lend(mine[times.count % mine.count], desk))
                    }
                    return times
                }
                lent.withLock { lent in
                    lent = Result { try lent.get() + own.get() }
                }
            }
        }
        for thread in threads { thread.join() }
        return (try lent.withLock(\.self).get(), Double(floor_wall() - start) / 1_000_000_000)
    }

    private func lend(_ request: CheckoutRequest, _ desk: HTTPConnection) throws -> UInt64 {
        guard case .username(let patron) = request.patron, case .barcode(let barcode) = request.wanted else {
            throw BenchFailure("a copy and a username are wanted")
        }
        let start = floor_wall()
        let lent = try desk.ask("POST", "/api/v1/loans", #"{"patron":"\#(patron)","barcode":"\#(barcode)"}"#)
        let time = floor_wall() - start
        guard lent.status == 201 else { throw BenchFailure("a checkout was answered \(lent.status): \(lent.body)") }
        let returned = try desk.ask("POST", "/api/v1/checkins", #"{"barcode":"\#(barcode)"}"#)
        guard (200...201).contains(returned.status) else {
            throw BenchFailure("a return was answered \(returned.status): \(returned.body)")
        }
        return time
    }
}

/// What is run as a command, on one store, at one moment.
struct Moonshelf {
    let folder: URL
    let store: String

    /// Starts a command.
    func start(_ arguments: [String], output: Pipe? = nil) throws -> Process {
        let words = try Program.moonshelf(["--store", store, "--now", "\(SampleLibrary.now)"] + arguments).arguments
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    func finish(_ arguments: [String]) throws {
        let process = try start(arguments)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchFailure("\(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
    }
}

/// `moonshelf serve`, a process of its own.
final class ServedDesk {
    let port: Int
    private let process: Process

    init(_ moonshelf: Moonshelf) throws {
        let output = Pipe()
        process = try moonshelf.start(["serve", "--quiet", "--http", "127.0.0.1:0"], output: output)
        var said = ""
        while !said.contains("\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw BenchFailure("a server did not start: \(said)") }
            said += String(decoding: piece, as: UTF8.self)
        }
        guard let port = said.split(separator: "\n").first?.split(separator: ":").last.flatMap({ Int($0) }) else {
            process.terminate()
            throw BenchFailure("a server said '\(said)' instead of where it listens")
        }
        self.port = port
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// The others who are at work, on threads and in processes of their own.
final class Others: Sendable {
    private struct State {
        var isStopped = false
        var areDone = false
        var done = 0
        var process: pid_t?
        var failure: String?
        var running: Int
    }

    private let state: Mutex<State>

    init(_ kind: CompanyKind, _ moonshelf: Moonshelf, port: Int, readers: Int, titles: Int) throws {
        let count = kind == .readers ? readers : kind.arguments(moonshelf.folder) == nil ? 0 : 1
        state = Mutex(State(running: count))
        for number in 0..<count {
            let thread = Thread { [self] in
                do {
                    if kind == .readers {
                        try read(port: port, number: number, titles: titles)
                    } else {
                        try work(kind, moonshelf)
                    }
                } catch {
                    state.withLock { $0.failure = $0.failure ?? "\(error)" }
                }
                state.withLock {
                    $0.running -= 1
                    $0.areDone = true
                }
            }
            thread.stackSize = 1_048_576
            thread.start()
        }
    }

    /// Whether one of them has come to an end.
    var areDone: Bool { state.withLock { $0.areDone } }

    /// Ends them and waits for it.
    ///
    /// - Returns: how much they did.
    func stop() throws -> Int {
        let process = state.withLock { state in
            state.isStopped = true
            return state.process
        }
        if let process { kill(process, SIGTERM) }
        while state.withLock({ $0.running > 0 }) { usleep(5_000) }
        return try state.withLock { state in
            if let failure = state.failure { throw BenchFailure(failure) }
            return state.done
        }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func read(port: Int, number: Int, titles: Int) throws {
        let connection = try HTTPConnection(port: port)
        var place = number
        while !isStopped {
            var page = CompanyKind.pages[place % CompanyKind.pages.count]
            if page.hasSuffix("titles/") { page += "\(1 + place * 7_919 % titles)" }
            let answer = try connection.ask("GET", page)
            guard answer.status == 200 else { throw BenchFailure("\(page) was answered \(answer.status)") }
            place += 1
            state.withLock { $0.done += 1 }
        }
    }

    private func work(_ kind: CompanyKind, _ moonshelf: Moonshelf) throws {
        repeat {
            let process = try moonshelf.start(kind.arguments(moonshelf.folder) ?? [])
            let isLate = state.withLock { state in
                state.process = process.processIdentifier
                return state.isStopped
            }
            if isLate { process.terminate() }
            process.waitUntilExit()
            // A doctor finds that these rows have no past.
            let isGood = process.terminationStatus == 0 || kind == .doctor && process.terminationStatus == 1
            try state.withLock { state in
                state.process = nil
                if isGood { state.done += 1 }
                guard isGood || state.isStopped else {
                    throw BenchFailure("\(kind.rawValue) ended with \(process.terminationStatus)")
                }
            }
        } while kind.isRepeated && !isStopped
    }
}
