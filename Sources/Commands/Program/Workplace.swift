import Circulation
import Desk
import Foundation
import Market
import Plugins
import Schedule
import Scripting
import Storage

/// What a command works with: the store that was named, the desk over it, the clock, the streams.
///
/// Nothing is opened before a command asks for it.
final class Workplace {
    let console: Console
    let environment: [String: String]
    private let options: GlobalOptions

    init(options: GlobalOptions, console: Console, environment: [String: String]) {
        self.options = options
        self.console = console
        self.environment = environment
    }

    /// The same place for a command with options of its own.
    func with(_ own: GlobalOptions) -> Workplace {
        Workplace(options: own.over(options), console: console, environment: environment)
    }

    /// The policy to decide by instead of the one in force, nil where none was named.
    var policyFile: String? { options.policy }

    /// The policy to decide by instead of the one in force; nil where none was named.
    func policyOnTrial() throws -> ParsedPolicy? {
        try policyFile.map { try policy(file: $0) }
    }

    /// The library's currency where a store was named, else the one of a fresh store.
    func knownCurrency() throws -> Currency {
        guard try namesStore() else { return .eur }
        return try desk(.reading).read { try $0.settings.library().currency }
    }

    /// The fields of the library's own where a store was named, or stands in this folder.
    func knownFields() throws -> CustomFields { try known { try $0.settings.customFields() } ?? .none }

    /// What is read from the store where one was named, or stands in this folder; nil without one.
    func known<Result>(_ read: (DeskSession) throws -> Result) throws -> Result? {
        if try namesStore() { return try desk(.reading).read(read) }
        // What stands here by that name may be of another version, or no store.
        guard FileManager.default.fileExists(atPath: Self.ownFile) else { return nil }
        return try? desk(.reading).read(read)
    }

    /// A policy's file, for the library whose store was named.
    func policy(file: String, from sources: SourceFiles? = nil) throws -> ParsedPolicy {
        var policy = try ParsedPolicy(file: file, from: sources ?? self.sources)
        policy.fields = try knownFields()
        return policy
    }

    /// The file of the configuration, read at its first use.
    func configurationFile() throws -> ConfigurationFile {
        if let fileRead { return fileRead }
        let file = try ConfigurationFile(options.config)
        fileRead = file
        return file
    }

    private var fileRead: ConfigurationFile?

    /// The configuration in force.
    func configuration() throws -> Configuration {
        if let configurationRead { return configurationRead }
        let configuration = try Configuration(configurationFile())
        configurationRead = configuration
        return configuration
    }

    private var configurationRead: Configuration?

    /// What the configuration has done by itself. A mistake in it does not affect other commands.
    func jobs() throws -> [ScheduledJob] { try JobTable(configurationFile()).jobs() }

    /// Loaded plugins for those who call what plugins add. What they say goes to standard error.
    func plugins(_ desk: Desk) throws -> PluginPool {
        let lines = LineSink(console)
        return PluginPool(desk: desk, clock: try clock()) { PluginOutput(print: lines.note, note: lines.note) }
    }

    /// How messages leave the house, by the configuration in force.
    func deliverySettings() throws -> DeliverySettings {
        try DeliverySettings(configurationFile(), environment: environment)
    }

    /// Whether the configuration was named, and has to exist.
    var namesConfiguration: Bool { options.config != nil }

    /// The path of the configuration, whether or not it is there, from the root on.
    var configurationPath: String {
        URL(filePath: options.config ?? ConfigurationFile.defaultName).standardizedFileURL.path(percentEncoded: false)
    }

    /// Whether a user's moment counts as now.
    var standsStill: Bool { options.now != nil }

    /// The options with which another process of this program has the same clock.
    var travelOptions: [String] { options.now.map { ["--now", $0] } ?? [] }

    /// The store that the user named beside the configuration; nil: none.
    func namedStore() throws -> String? {
        guard options.store != nil || environment["MOONSHELF_STORE"].map({ !$0.isEmpty }) ?? false else { return nil }
        return try storeAddress()
    }

    /// The store's address, by which another process in another folder finds it.
    func storeAddress() throws -> String {
        let text =
            try options.store ?? environment["MOONSHELF_STORE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? configuration().store ?? "sqlite:\(Self.ownFile)"
        guard case .file(let path) = try StoreLocation(parsing: text) else { return text }
        return "sqlite:" + URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }

    /// Whether the user named a store, so that commands that can do without one use it.
    func namesStore() throws -> Bool {
        try options.store != nil || environment["MOONSHELF_STORE"] != nil || configuration().store != nil
    }

    /// The store where none is named.
    private static let ownFile = "moonshelf.db"

    /// Where the store is: the option, the environment, the configuration, or a file in this folder.
    func location() throws -> StoreLocation {
        let text =
            try options.store ?? environment["MOONSHELF_STORE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? configuration().store ?? "sqlite:moonshelf.db"
        return try StoreLocation(parsing: text)
    }

    /// Where SQL is asked, if the store is a PostgreSQL database; nil: nowhere.
    private func sqlStore() throws -> String? {
        try environment["MOONSHELF_SQL_STORE"].flatMap { $0.isEmpty ? nil : $0 } ?? configuration().sqlStore
    }

    /// The moment that counts as now stands still if the user gave one.
    func clock() throws -> any Clock {
        guard let text = options.now else { return SystemClock() }
        do {
            return FixedClock(try Instant(parsing: text, in: .utc))
        } catch {
            throw CommandFailure.usage("--now: \(error)")
        }
    }

    /// Opens the store.
    ///
    /// - Parameter create: makes it if there is none, and migrates an older one.
    func store(_ access: StoreAccess, create: Bool = false) throws -> any Store {
        let location = try location()
        if case .postgres(let url) = location {
            return try PostgresStore.open(
                url, askedAt: try sqlStore(), isReadOnly: access == .reading, create: create,
                stop: StopSignals.request)
        }
        let writes = access == .writing || location == .memory
        return try SQLiteStore.open(
            location, mode: writes ? .readWrite : .readOnly, create: create, stop: StopSignals.request)
    }

    /// The desk over the store, for staff at a branch.
    ///
    /// - Parameters:
    ///   - branch: the user's choice; nil: the configuration's, else the first branch.
    ///   - onTrial: the policy of `--policy` decides; what it decides must not be kept.
    ///   - clock: instead of the user's or the system's.
    func desk(
        _ access: StoreAccess, clock: (any Clock)? = nil, branch: String? = nil, onTrial: Bool = false
    ) throws -> Desk {
        let store = try store(access)
        let desk = try desk(over: store, clock: try clock ?? self.clock(), branch: branch, onTrial: onTrial)
        if store.location == .memory { try desk.prepare() }
        if let code = desk.actor.branch, try desk.read({ try $0.settings.branch(code) }) == nil {
            throw CommandFailure.usage("There is no branch '\(code)'.")
        }
        return desk
    }

    /// A desk over a store that is open.
    func desk(over store: any Store, clock: any Clock, branch: String? = nil, onTrial: Bool = false) throws -> Desk {
        let actor = Actor(
            name: "desk", role: .staff, channel: .desk, branch: try branch ?? configuration().branch, isOperator: true)
        let trial = onTrial ? try policyOnTrial() : nil
        return Desk(
            store: store, policies: policies, clock: clock, actor: actor, extensions: [MarketExtension()],
            trial: trial?.bundle,
            outside: outside())
    }

    private func outside() -> ExternalServices {
        let (file, environment) = (Result { try configurationFile() }, environment)
        return ExternalServices(
            bookData: { try BookDataSettings(file.get(), environment: environment).source },
            pictures: { PictureProcess() },
            web: { try NetworkRequests(file.get()) },
            terms: { try ServingSettings(file.get()).terms })
    }

    /// A policy on trial is not in the store: loans that it decided would be orphans.
    func refuseTrial(whenKept isKept: Bool) throws {
        if isKept && policyFile != nil {
            throw CommandFailure.usage(
                "--policy tries a policy and keeps nothing: use --dry-run, or put it into force with 'policy use'.")
        }
    }

    /// The Lua files of policies as this command reads them: each once.
    let sources = SourceFiles()

    /// Makes policies, and keeps those that were made.
    let policies: any PolicyLoader = LuaPolicyLoader()
}

/// What a command is going to do with the store: the database itself refuses the rest.
enum StoreAccess {
    case reading, writing
}
