import ArgumentParser
import Dispatch
import Foundation
import Storage
import Synchronization

/// `make torture`: whether anything is lost or happens twice while everything goes wrong.
@main
struct Torture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture",
        abstract: "Torture a library of many processes, and look whether anything was lost or happened twice.",
        subcommands: [Run.self, Work.self], defaultSubcommand: Run.self)
}

/// The torture from its beginning to the verdict.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Torture a store on each driver.",
        discussion: """
            The processes lend, take back, renew, keep and cash at one store, through the desk and a Lua policy, while \
            they are killed, their connections are cut, and the database server restarts and is lost. Each keeps a \
            journal of what it asked and was told, which is held against the events and tables afterwards. Exits with 1 \
            if anything is broken.
            """)

    @Option(help: "How many seconds the load lasts on each driver.")
    var seconds = 60.0

    @Option(help: "How many processes work at once.")
    var processes = 16

    @Option(help: "How many desks each process serves at once, over SQLite, where they share commits.")
    var hands = 2

    @Option(help: "The drivers, by commas: sqlite, postgres.")
    var driver = "sqlite,postgres"

    @Option(
        help: "Put three plugins into force, and kill those who carry them out, and the server, so many times instead.")
    var pluginKills: Int?

    @Option(help: "What chance begins with. The order in which the processes run is not in its hands.")
    var seed: UInt64?

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    @Flag(help: "Keep journals and stores, and say where they are.")
    var keep = false

    func validate() throws {
        guard (1...86_400).contains(seconds) else { throw ValidationError("--seconds takes 1 to 86400.") }
        guard (1...256).contains(processes) else { throw ValidationError("--processes takes 1 to 256.") }
        guard (1...100_000).contains(pluginKills ?? 1) else {
            throw ValidationError("--plugin-kills takes 1 to 100000.")
        }
        guard (1...64).contains(hands) else { throw ValidationError("--hands takes 1 to 64.") }
        _ = try drivers()
    }

    private func drivers() throws -> [Ordeal.Driver] {
        try driver.split(separator: ",").map { name in
            guard let driver = Ordeal.Driver(rawValue: String(name)) else {
                throw ValidationError("--driver takes sqlite, postgres or both, not \(name).")
            }
            return driver
        }
    }

    func run() throws {
        let seed = seed ?? .random(in: 0...999_999)
        var reports: [OrdealReport] = []
        for driver in try drivers() {
            var ordeal = try Ordeal(
                driver: driver, seconds: seconds, processes: processes, hands: hands, seed: seed, isKept: keep)
            ordeal.pluginKills = pluginKills
            let report = try ordeal.run()
            reports.append(report)
            if !json { print(report.text) }
        }
        if json { print(OrdealReport.json(reports)) }
        if reports.contains(where: { !$0.findings.isEmpty }) { throw ExitCode(1) }
    }
}

/// What each of the processes runs.
struct Work: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Work at a store until standard input ends.", shouldDisplay: false)

    /// The number of the first desk.
    @Option var number: Int
    @Option var store: String
    /// One for each desk.
    @Option var journal: [String]
    @Option var seed: UInt64
    @Option var openedAt: Int64
    @Option var pause = 0

    func run() throws {
        let stop = StopSignal()
        stop.listen()
        let opened = try Worker.opened(store)
        let failures = Mutex<[String]>([])
        let working = DispatchGroup()
        for (hand, journal) in journal.enumerated() {
            let orders = Worker.Orders(
                number: number + hand, journal: journal, seed: seed &+ UInt64(number + hand) &* 7_919,
                openedAt: openedAt, pause: pause)
            working.enter()
            let thread = Thread {
                do {
                    var worker = try Worker(orders, at: opened, stop: stop)
                    try worker.run()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
                working.leave()
            }
            // Enough for a policy's Lua.
            thread.stackSize = 16 << 20
            thread.start()
        }
        working.wait()
        try? opened.close()
        let words = failures.withLock { $0 }
        if !words.isEmpty { throw TortureFailure(words.joined(separator: "; ")) }
    }
}
