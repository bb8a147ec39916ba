package import Circulation
package import Desk
package import Languages
package import LuaRuntime
import LuaSyntax
import TextFormats

/// One running script: its Lua state, what it may do, the desk it works at, and what it reported so far.
///
/// Used by one thread at a time, like the state it owns.
package final class ScriptContext {
    var desk: Desk
    let output: any ScriptOutput
    let machine: Machine?
    /// What the script may call.
    package private(set) var permissions: ScriptPermissions
    /// The cost of calls since it was last asked for.
    private var uses: Set<Capability> = []
    /// The library's settings as they were when the script began.
    let library: LibrarySettings
    /// The library's currency.
    package var currency: Currency { library.currency }
    /// The API with the fields of the library's own, as they were then.
    package let api: LibraryAPI
    /// The branch of the desk.
    let branch: Branch
    private let clock: () -> Instant

    /// Whether the script keeps values of its own in the store, whatever it may change at the desk.
    package var keepsValues = false
    package internal(set) var document = ReportDocument()
    private var reportedBytes = 0
    /// How long SQL has taken so far, on the wall.
    var secondsAsked = 0.0
    var parameters = ScriptParameters()
    /// Opens files that arguments name; nil: the script is given none.
    package var opensFiles: ScriptFileOpening?
    private(set) var session: DeskSession?
    private(set) var transaction: ScriptTransaction?
    /// Ends the script at the first call that would change something; see ``looking(_:)``.
    private var isLookingOnly = false
    /// Whether such a call came.
    private var wouldWrite = false
    /// Called before a part of the work that may be undone by itself; what it gives is called if the part is undone.
    package var beforePart: (() -> () -> Void)?
    /// In whose name functions of the API are called: they may do what the caller may over HTTP, and no more; nil: the script
    /// acts in its own name.
    package var caller: Caller?
    /// The way in for people who sign up and log in, as far as the server says; nil: that of scripts.
    package var entrance: AccountEntrance?
    /// How it reaches servers; nil: as scripts do.
    package var web: WebAccess?
    /// The languages that there are, for reports that speak one.
    package var languages: () -> Languages = { .shipped }
    /// Made when a password is first set or looked at.
    var accounts: AccountManager?
    /// What hands events to functions of the script; made when the first one comes.
    var eventCaller: LuaFunction?
    /// The recorded calls, while recording is on.
    package internal(set) var journal: ScriptJournal?

    /// Makes a state with the whole API defined in it; runs nothing.
    ///
    /// - Throws: `LuaError`, and what the store throws when the settings are read.
    package init(
        desk: Desk, clock: @escaping () -> Instant, output: any ScriptOutput, permissions: ScriptPermissions,
        limits: LuaLimits = .script, profile: LuaProfile = .script
    ) throws {
        self.desk = desk
        self.clock = clock
        self.output = output
        self.permissions = permissions
        (library, branch, api) = try ScriptContext.place(of: desk)
        let state = try LuaState(profile: profile, limits: limits)
        machine = Machine(state: state, environment: try state.makeEnvironment())
        try define()
    }

    /// Lets functions of the API be called: by ``call(_:_:limit:)`` without any Lua, or from a state that the caller
    /// made, by ``invoke(_:_:)``. Defines nothing.
    ///
    /// - Parameter machine: nil: there is no script, and no state is made for one.
    /// - Throws: what the store throws when the settings are read.
    package init(
        desk: Desk, clock: @escaping () -> Instant, output: any ScriptOutput, permissions: ScriptPermissions,
        machine: Machine?
    ) throws {
        self.desk = desk
        self.clock = clock
        self.output = output
        self.permissions = permissions
        (library, branch, api) = try ScriptContext.place(of: desk)
        self.machine = machine
    }

    /// A Lua state, and the globals of the script in it.
    package struct Machine {
        let state: LuaState
        let environment: LuaEnvironment

        package init(state: LuaState, environment: LuaEnvironment) {
            self.state = state
            self.environment = environment
        }
    }

    /// The script's Lua state.
    ///
    /// - Throws: `LuaError` where there is no script.
    package var state: LuaState { get throws(LuaError) { try whole().state } }

    /// The globals of the script.
    ///
    /// - Throws: `LuaError` where there is no script.
    package var environment: LuaEnvironment { get throws(LuaError) { try whole().environment } }

    private func whole() throws(LuaError) -> Machine {
        guard let machine else { throw LuaError(code: .unavailable, message: "there is no script here") }
        return machine
    }

    /// Charges the script with memory of its host, and ends the work when the script is over; nothing where there is
    /// none.
    func charge(_ bytes: Int) throws { try machine?.state.charge(bytes) }

    private static func place(of desk: Desk) throws -> (LibrarySettings, Branch, LibraryAPI) {
        try desk.read { session in
            let branches = try session.settings.branches()
            let own = branches.first { $0.code == session.actor.branch } ?? branches.first
            return (
                try session.settings.library(), own ?? Branch(code: "main", name: "main"),
                LibraryAPI(try session.settings.customFields())
            )
        }
    }

    /// The zone in which the script's dates are read: the branch's, or the library's.
    var zone: Zone { branch.zone ?? library.zone }

    /// The moment it is; within a transaction it stands still.
    var now: Instant { session?.now ?? clock() }

    var today: CivilDate { zone.date(of: now) }

    // MARK: - The desk

    /// Reads the desk: the script's transaction if there is one, else a snapshot.
    package func read<Result>(_ body: (DeskSession) throws -> Result) throws -> Result {
        if let session { return try body(session) }
        return try desk.read(body)
    }

    /// Changes the desk: in a part of the script's transaction if there is one, else in one of its own.
    package func write<Result>(_ body: (DeskSession) throws -> Result) throws -> Result {
        // A fault that the script catches must not leave half a change in its transaction.
        if let session { return try session.savepoint { try body(session) } }
        // The call of one function does nothing but change the desk.
        return try desk.write(isRepeatable: true, body)
    }

    /// Completes a title: within the script's transaction by what was answered before, else by asking.
    func enrich(_ key: TitleKey, replacing: Bool) throws -> Outcome<Title> {
        guard let session else { return try desk.enrich(key, replacing: replacing) }
        let source = try desk.outside.bookData()
        return try session.savepoint { try session.catalogue.enrich(key, by: source, replacing: replacing) }
    }

    /// The desk, outside of any transaction.
    ///
    /// - Throws: `LuaHostError` within one: to read a picture takes too long for it.
    func deskForPictures() throws -> Desk {
        guard session == nil else {
            throw LuaHostError("a picture is read outside of transactions and of dry runs")
        }
        return desk
    }

    /// Runs the body so that all it does is one transaction of the desk, undone if it throws.
    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if permissions.declared.writes { try checkMayWrite() }
        let undo = beforePart?()
        do {
            return try inTransactionOfDesk(body)
        } catch {
            undo?()
            throw error
        }
    }

    private func inTransactionOfDesk<Result>(_ body: () throws -> Result) throws -> Result {
        if let session { return try session.savepoint { try scoped(session, body) } }
        // Without anything that may be written there is nothing to commit: a snapshot does.
        guard permissions.declared.writes || keepsValues && !isLookingOnly else {
            return try desk.read { try scoped($0, body) }
        }
        return try desk.write { try scoped($0, body) }
    }

    /// Runs the body in a transaction of the desk that is always undone.
    package func rehearsing<Result>(_ body: (DeskSession) throws -> Result) throws -> Result {
        try desk.rehearse { session in try scoped(session) { try body(session) } }
    }

    /// Runs the body as another person: at another's desk of the same store.
    package func acting<Result>(as other: Desk, _ body: () throws -> Result) rethrows -> Result {
        let before = desk
        desk = other
        defer { desk = before }
        return try body()
    }

    /// Works within a transaction that the caller has begun, and that ends with the caller.
    package func working<Result>(in session: DeskSession, _ body: () throws -> Result) throws -> Result {
        try scoped(session, body)
    }

    /// Runs the body as long as it changes nothing: outside of any transaction, so that no writer waits for it.
    ///
    /// - Returns: nil if it would have changed something; then nothing of it has happened.
    package func looking<Result>(_ body: () throws -> Result) throws -> Result? {
        (isLookingOnly, wouldWrite) = (true, false)
        defer { isLookingOnly = false }
        do {
            let result = try body()
            return wouldWrite ? nil : result
        } catch {
            if wouldWrite { return nil }
            throw error
        }
    }

    /// Ends a script that looks first at what would be its first change.
    func checkMayWrite() throws {
        guard isLookingOnly else { return }
        wouldWrite = true
        // A script that catches the error goes on without changing anything, until its limits end it.
        throw LuaHostError("nothing can be changed yet")
    }

    private func scoped<Result>(_ session: DeskSession, _ body: () throws -> Result) throws -> Result {
        let outer = (self.session, transaction)
        let own = ScriptTransaction()
        let written = journal?.writes.count ?? 0
        var isKept = false
        self.session = session
        transaction = own
        defer {
            own.end()
            (self.session, transaction) = outer
            // What was undone was not written.
            if !isKept, let writes = journal?.writes { journal?.writes = Array(writes.prefix(written)) }
        }
        let result = try body()
        isKept = true
        return result
    }

    // MARK: - Permissions

    /// - Throws: ``CapabilityError`` unless the capability was declared.
    func check(_ capability: Capability, for name: String) throws(CapabilityError) {
        try permissions.check(capability, for: name)
        if capability != .read { uses.insert(capability) }
    }

    /// The capabilities that were needed since this was asked before.
    package func takeUses() -> Set<Capability> {
        defer { uses = [] }
        return uses
    }

    /// Sets what the script declared; done once, before it runs.
    func declare(_ declared: Set<Capability>) {
        permissions.declared = declared
    }

    // MARK: - The API

    private func define() throws {
        let (state, environment) = (try state, try environment)
        try LuaValues.register(
            in: state,
            context: LuaValueContext(currency: library.currency, zone: zone, calendar: branch.calendar))
        for module in LuaAPI.modules {
            for function in module.functions {
                try state.define(function.fullName) { [unowned self] in try self.invoke(function, $0) }
            }
        }
        try state.define("none", value: .value(.none))
        try state.define("args", value: .table(LuaTable()), in: environment)
        state.print = { [unowned self] in self.printLine($0.joined(separator: "\t")) }
        state.unknownGlobal = { KnownNames.script.unknownGlobal($0) }
        state.unknownMember = { KnownNames.script.unknownMember($1, of: $0) }
        try defineHelp()
    }

    /// Hands a line to the output; where that only keeps lines, the line stands in the report.
    func printLine(_ line: String) {
        output.print(line)
        guard !output.showsLines, reportedBytes < ScriptContext.maximumReport else { return }
        let size = line.utf8.count + 64
        reportedBytes += size
        // What is too much ends the script once the host function has returned.
        try? machine?.state.keep(size)
        let isFull = reportedBytes >= ScriptContext.maximumReport
        document.blocks.append(.printed(isFull ? "(further lines are left out)" : line))
    }

    /// Adds a part to the report.
    ///
    /// - Throws: `LuaHostError` if the report has grown too large: it lies outside the limit of the script's own
    ///   memory.
    func report(_ block: ReportBlock) throws {
        let size = block.roughSize
        reportedBytes += size
        try machine?.state.keep(size)
        guard reportedBytes < ScriptContext.maximumReport else {
            throw LuaHostError("the report has grown beyond \(ScriptContext.maximumReport >> 20) MB")
        }
        document.blocks.append(block)
    }

    /// What was reported since this was asked before.
    package func takeDocument() -> ReportDocument {
        defer { (document, reportedBytes) = (ReportDocument(), 0) }
        return document
    }

    /// Bytes, roughly.
    private static let maximumReport = 64 << 20

    /// Runs the body as a script is run: what it reports, gives back and fails with is the result. Never throws.
    ///
    /// - Parameters:
    ///   - isDryRun: does all, says what would change, and undoes it.
    ///   - file: what an error without a place of its own names.
    package func result(isDryRun: Bool, of file: String, _ body: () throws -> [LuaValue]) -> ScriptResult {
        (document, reportedBytes, parameters.declared) = (ReportDocument(), 0, [])
        var result = ScriptResult()
        let madeAt = now
        do {
            if isDryRun {
                let (values, changes) = try DryRun.run(in: self, body)
                (result.values, result.changes, result.changesForReading) = (values, changes.exact, changes.forReading)
            } else {
                result.values = try body()
            }
            result.readRefusal()
        } catch is ScriptHelpRequest {
            result.help = ""
        } catch {
            // It may hold all that the system grants, and to close the store takes some: libdispatch waits without end
            // for a thread that it cannot make.
            if (error as? LuaError)?.code == .memory { machine?.state.isLeftToTheSystem = false }
            result.fail(ScriptFailure(error, of: file))
        }
        result.parameters = parameters.declared
        result.document = document
        (result.document.zone, result.document.madeAt) = (zone, madeAt)
        result.document.library = library.name
        return result
    }
}

extension ReportBlock {
    /// About how many bytes the block takes.
    fileprivate var roughSize: Int {
        switch self {
        case .section(let text), .text(let text), .printed(let text): text.utf8.count + 64
        case .metric: 256
        case .chart(let chart): (chart.labels.count + 1) * (chart.series.count + 1) * 32
        case .table(let table): 256 + table.rows.reduce(0) { $0 + $1.reduce(48) { $0 + $1.roughSize } }
        }
    }
}

extension ReportValue {
    fileprivate var roughSize: Int {
        switch self {
        case .text(let text): text.utf8.count + 48
        case .link(let link): link.text.utf8.count + 64
        default: 48
        }
    }
}
