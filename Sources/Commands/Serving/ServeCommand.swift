import ArgumentParser
import Circulation
import Desk
import Foundation
import Secrets
import Server
import Storage
import Synchronization
import Threads

/// `moonshelf serve`
struct ServeCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the desk over HTTP, to browsers and programs, and to clients of BitBooks.",
        discussion: """
            Without options and settings it serves HTTP at 127.0.0.1:8080, for this machine alone. Browsers find the \
            library's pages at / (docs/pages.md), programs the API below /api/v1 (its description: /api/v1/openapi.json); /health and /metrics tell how it is. SIGTERM and Ctrl-C \
            end it once what goes on is answered. The access log goes to standard output. docs/running.md says more.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("Where to listen for HTTP.", valueName: "host:port"))
    var http: String?

    @Option(help: ArgumentHelp("Where to listen for BitBooks' line protocol.", valueName: "host:port"))
    var bitbooks: String?

    @Option(
        help: ArgumentHelp(
            "Find what is overdue, remind and fine each day at this time, by the library's clocks.", valueName: "hh:mm")
    )
    var daily: String?

    @Flag(help: "Write no access log.")
    var quiet = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        var settings = try workplace.servingSettings()
        settings.http = try Self.place(http, "--http") ?? settings.http
        settings.bitbooks = try Self.place(bitbooks, "--bitbooks") ?? settings.bitbooks
        if settings.bitbooks == nil { settings.http = settings.http ?? .standard }
        guard try workplace.location() != .memory else {
            throw CommandFailure.usage("A server needs a store that is kept: name a file or a database.")
        }
        StopSignals.listen(for: .command)
        Self.allowOpenFiles()
        if !settings.hasURL { settings.server.url = "http://\(settings.http ?? .standard)" }
        settings.server.scripts = settings.server.scripts ?? Self.scripts()
        settings.server.plugins = ShippedFolders.find("plugins") { $0.appending(path: "marc/plugin.lua") }
        settings.server.policies = ShippedFolders.find("policies") { $0.appending(path: "public.lua") }
        let appearance = try workplace.appearanceSettings().appearance()
        let teller = ServingTeller(workplace, languages: appearance.languages, isQuiet: quiet)
        // One store for all threads: a process that opens a file of SQLite twice loses its locks when either is closed.
        let desk = try workplace.desk(.writing)
        // Nobody can log in yet who could let others in: the terminal is shown the way.
        if try desk.read({ try $0.patrons.count() }) == 0 { settings.server.setUpToken = SecretToken(kind: "msu") }
        let services = try services(settings, appearance, over: desk, workplace, teller)
        let listeners = Listeners(settings: settings, services: services, teller: teller)
        guard daily == nil || !workplace.standsStill else {
            throw CommandFailure.usage("--daily cannot wait while the clock stands still: leave --now out.")
        }
        let sweep = try daily.map { try DailySweep(at: $0, over: desk, workplace, isQuiet: quiet) }
        let plugins = try workplace.standsStill ? [] : PluginRunning.begin(desk, workplace)
        do {
            try Waiting.until(StopSignals.ofCommand) {
                try await DailySweep.beside(sweep) { try await listeners.run() }
            }
        } catch is CancellationError {
        } catch let failure as ListeningFailure {
            throw CommandFailure(.unreachable, code: "listen", message: "\(failure)")
        }
        services.lanes.stop()
        for thread in plugins { thread.join() }
        teller.say("Stopped.")
        return .done
    }

    /// The folder of the shipped scripts: in this folder, or beside or above the program.
    private static func scripts() -> String? {
        ShippedFolders.find("scripts", first: [URL(filePath: "scripts")]) { $0.appending(path: "overdue.lua") }
    }

    /// Each connection is an open file; systems give a program few of them at first, and as many as this if it asks.
    private static func allowOpenFiles() {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    private static func place(_ text: String?, _ option: String) throws -> ListeningPlace? {
        guard let text else { return nil }
        guard let place = ListeningPlace(text) else {
            throw CommandFailure.usage("\(option): '\(text)' is not an address with a port, such as 127.0.0.1:8080.")
        }
        return place
    }

    private func services(
        _ settings: ServingSettings, _ appearance: PageAppearance, over desk: Desk, _ workplace: Workplace,
        _ teller: ServingTeller
    ) throws -> Services {
        let clock = try workplace.clock()
        let desk = desk.keepingRankings(seconds: 600).sharingCommits()
        try desk.read { session in
            if let code = settings.server.category, try session.settings.category(code) == nil {
                throw CommandFailure(
                    .wrongUsage, code: "configuration", message: "'accounts.category': there is no '\(code)'.")
            }
        }
        let lanes = WorkerLanes(
            threads: settings.threads, readers: settings.readers, mostWaiting: settings.mostWaiting)
        guard lanes.areManned else {
            throw CommandFailure(.tryAgain, code: "no_thread", message: "The system grants no thread for requests.")
        }
        return Services(
            desk: desk, accounts: try AccountManager(desk, terms: settings.terms), clock: clock,
            settings: settings.server,
            lanes: lanes, teller: teller,
            reports: try ReportProcess(workplace), appearance: appearance, pictures: NetworkPictures())
    }
}

extension Workplace {
    /// Where a server listens, by the configuration in force.
    func servingSettings() throws -> ServingSettings { try ServingSettings(configurationFile()) }
}
