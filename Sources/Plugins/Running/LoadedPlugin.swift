package import Circulation
package import Desk
package import LuaRuntime
import LuaSyntax
package import Scripting
import Storage
package import TextFormats

/// A version of a plugin that is ready to handle events. Used by one thread at a time.
///
/// Its file runs once; then all that its handlers can reach is read-only, so that nothing but what it keeps by
/// `state.set` lasts from one event to the next.
package final class LoadedPlugin {
    package let manifest: PluginManifest
    let name: String
    let sha256: String
    let context: ScriptContext
    let state: PluginState
    /// How it reaches the servers that its settings name.
    let web: WebAccess
    let desk: Desk
    let output: HeldOutput
    private var handlers: [String: LuaFunction] = [:]
    /// The functions of what it adds, by kind, name and field.
    private var functions: [[String]: LuaFunction] = [:]
    /// Hands requests to functions; made when the first one comes.
    private var caller: LuaFunction?

    /// What one handler may use up: 64 MB, and two seconds of processor time.
    package static let limits = LuaLimits(memory: 64 << 20, deadline: .seconds(2))

    /// - Parameters:
    ///   - settings: the values that were set; the standards of the rest are added.
    ///   - limits: what one handler may use up.
    ///   - probes: counts what runs, in a test.
    /// - Throws: ``PluginFault`` where its files cannot be loaded; what the store throws.
    package init(
        _ bundle: PolicyBundle, rights: [String], settings: JSONObject, desk: Desk, clock: any Clock,
        output: any ScriptOutput, limits: LuaLimits = LoadedPlugin.limits, probes: PolicyProbes? = nil
    ) throws {
        guard let main = bundle.files.first, bundle.sha256 == PolicyBundle.digest(of: bundle.files) else {
            throw PluginFault(
                code: "damaged", message: "the plugin's files do not match its version \(bundle.sha256.prefix(12))")
        }
        self.output = HeldOutput(output)
        do {
            let chunk = try LuaParser.parse(main.source, chunk: main.name, maximumSize: PolicyBundle.maximumFileSize)
            manifest = PluginManifestReader(chunk).manifest
            (name, sha256) = (manifest.name, bundle.sha256)
            let granted = Set(rights.compactMap { Capability(rawValue: $0) })
            self.desk = desk.acting(
                as: Actor(name: ActorName.plugin(name), role: .staff, channel: .job, isOperator: true))
            context = try ScriptContext(
                desk: self.desk, clock: { clock.now() }, output: self.output,
                permissions: .interactive(granted: granted.intersection(manifest.needs)), limits: limits)
            state = PluginState(of: name, in: context)
            web = Self.web(manifest, settings, of: desk)
            context.web = web
            try load(main, chunk, of: bundle, settings, probes)
        } catch let fault as PluginFault {
            throw fault
        } catch let error as StoreError where error.code != .constraint {
            throw error
        } catch {
            throw PluginFault(error)
        }
    }

    /// Servers that settings of the type `url` name, and no other; what signs is the setting that says so, or made when it is
    /// first needed.
    private static func web(_ manifest: PluginManifest, _ settings: JSONObject, of desk: Desk) -> WebAccess {
        let values = manifest.settings.complete(settings)
        let origins = manifest.settings.filter { $0.kind == .url }.compactMap { setting in
            values[setting.name]?.stringValue.flatMap { try? WebAddress($0).origin }
        }
        let secret = manifest.settings.first { $0.signs }.flatMap { values[$0.name]?.stringValue }
        let owner = OutgoingRequest.owner(plugin: manifest.name)
        return WebAccess(
            owner: owner, advice: "the plugin's settings of the type url name the servers that it reaches",
            origins: { Set(origins) }, sender: desk.outside.web
        ) { session in
            if let secret { try session.outbox.setSecret(secret, of: owner) }
        }
    }

    private func load(
        _ main: PolicyBundle.File, _ parsed: Chunk, of bundle: PolicyBundle, _ settings: JSONObject,
        _ probes: PolicyProbes?
    ) throws {
        let (machine, environment) = (try context.state, try context.environment)
        machine.require = { name in
            guard let file = bundle.file(of: name) else {
                throw LuaHostError("require: there is no file '\(SafeText.line(name))' in the plugin")
            }
            let chunk = try probes.map { _ in try LuaParser.parse(file.source, chunk: file.name) }
            return (chunk.flatMap { probes?.marked($0) } ?? file.source, file.name)
        }
        try probes?.define(in: machine)
        try state.define(of: machine)
        try machine.define("settings", value: manifest.settings.table(settings, context.currency))
        var declared = LuaTable()
        try machine.define("plugin", in: environment) { arguments in
            declared = try arguments.value(at: 0).tableValue ?? LuaTable()
            return [.boolean(true)]
        }
        let chunk = try machine.load(
            probes?.marked(parsed) ?? main.source, chunk: main.name, environment: environment)
        try machine.call(chunk)
        let written = declared["on"].tableValue ?? LuaTable()
        for handler in manifest.handlers {
            let value = written[handler.event]
            guard let function = value.functionValue ?? value.tableValue?["run"].functionValue else {
                throw PluginFault(
                    code: "bad_value", message: "the handler of '\(handler.event)' is not a function",
                    file: main.name, line: Int64(handler.range.start.line))
            }
            try machine.freeze(function)
            handlers[handler.event] = function
        }
        for entry in manifest.contributions {
            for field in entry.functions.keys {
                guard let function = Self.function(field, of: entry, in: declared) else {
                    throw PluginFault(
                        code: "bad_value", message: "'\(field)' of \(entry.kind) '\(entry.name)' is not a function",
                        file: main.name, line: Int64(entry.range.start.line))
                }
                try machine.freeze(function)
                functions[[entry.kind, entry.name, field]] = function
            }
        }
        _ = state.takeChanges()
    }

    /// The function of an entry in the table that the plugin gave.
    private static func function(_ field: String, of entry: Contribution, in declared: LuaTable) -> LuaFunction? {
        var value = LuaValue.table(declared)
        for key in entry.path {
            guard let table = value.tableValue else { return nil }
            switch key {
            case .name(let name): value = table[name]
            case .place(let place): value = place <= table.array.count ? table.array[place - 1] : .nil
            }
        }
        return value.functionValue ?? value.tableValue?[field].functionValue
    }

    /// A function of something that the plugin adds.
    ///
    /// - Throws: ``PluginFault`` where there is none.
    func function(_ entry: Contribution, _ field: String) throws(PluginFault) -> LuaFunction {
        guard let function = functions[[entry.kind, entry.name, field]] else {
            throw PluginFault(
                code: "bad_value", message: "'\(field)' of \(entry.kind) '\(entry.name)' is not a function")
        }
        return function
    }

    /// The function that calls a function with a request: its table, and what reads the fields that the table does not have.
    func requestCaller() throws -> LuaFunction {
        if let caller { return caller }
        let source = """
            return function(run, request, reader) return run(setmetatable(request, { __index = reader })) end
            """
        let state = try context.state
        let chunk = try state.load(source, chunk: "request", environment: try state.makeEnvironment())
        guard let made = try state.call(chunk).first?.functionValue else {
            throw LuaError(code: .unavailable, message: "requests cannot be handed to plugins")
        }
        caller = made
        return made
    }

    /// Calls a function of something that the plugin adds. No transaction is open: each change that it makes is one of its
    /// own, and what it groups by `store.transaction` is one; what it keeps by `state.set` is written likewise.
    ///
    /// - Parameters:
    ///   - actor: who acts; nil: the plugin itself. What may be done is narrowed to the plugin's rights in any case.
    ///   - limits: what the call may use up; nil: what a handler may.
    /// - Throws: ``PluginFault`` where the plugin is at fault; ``StoreError`` where the store fails.
    package func call(
        _ entry: Contribution, _ field: String = ContributionKind.run, _ arguments: [LuaValue] = [],
        as actor: Actor? = nil, limits: LuaLimits? = nil
    ) throws -> [LuaValue] {
        try translating {
            try calling(as: actor) { try invoke(entry, field, arguments, limits: limits) }
        }
    }

    /// Hands a function of an entry to the body, and what the plugin says meanwhile to the output.
    ///
    /// - Throws: ``PluginFault`` where the plugin is at fault; ``StoreError`` where the store fails.
    func answering<Result>(
        _ entry: Contribution, _ field: String, _ body: (LuaFunction) throws -> Result
    ) throws -> Result {
        guard let function = functions[[entry.kind, entry.name, field]] else {
            throw PluginFault(code: "missing", message: "\(entry.kind) '\(entry.name)' has no '\(field)'")
        }
        return try translating { try body(function) }
    }

    /// Runs the body, so that what is said is handed on at its end, and an error that is the plugin's is a ``PluginFault``.
    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        output.drop()
        web.begin()
        defer { output.release() }
        do {
            return try body()
        } catch let error as StoreError where error.code != .constraint && error.code != .readOnly {
            throw error
        } catch {
            throw PluginFault(error)
        }
    }

    /// Runs a function of something that the plugin adds as a script is run: what it prints is handed on at once, and what
    /// it reports, gives back and fails with is the result. What it may use up is said where the plugin is loaded.
    ///
    /// - Parameters:
    ///   - actor: as in ``call(_:_:_:as:limits:)``.
    ///   - isDryRun: does all, says what would change, and undoes it.
    ///   - arguments: of the function; what they throw is the result's failure.
    package func run(
        _ entry: Contribution, _ field: String = ContributionKind.run, as actor: Actor? = nil, isDryRun: Bool = false,
        _ arguments: () throws -> [LuaValue] = { [] }
    ) -> ScriptResult {
        output.passing {
            calling(as: actor) {
                context.result(isDryRun: isDryRun, of: PluginFolder.mainName) {
                    try invoke(entry, field, arguments(), limits: nil)
                }
            }
        }
    }

    /// Ends what runs, from another thread.
    ///
    /// - Throws: `LuaError` where there is no script.
    package var interruption: LuaInterruption { get throws(LuaError) { try context.state.interruption } }

    private func calling<Result>(as actor: Actor?, _ body: () throws -> Result) rethrows -> Result {
        try context.acting(as: actor.map(desk.acting(as:)) ?? desk) { try state.keepingAtOnce(body) }
    }

    func invoke(
        _ entry: Contribution, _ field: String, _ arguments: [LuaValue], limits: LuaLimits?
    ) throws -> [LuaValue] {
        guard let function = functions[[entry.kind, entry.name, field]] else { return [] }
        return try context.state.call(function, arguments, limits: limits)
    }

    /// Whether an event is one that the plugin wants: of a kind that it handles, as its conditions say, and not its own
    /// doing unless it asks for that.
    package func wants(_ event: PublicEvent) -> Bool {
        guard let handler = manifest.handler(of: event.name) else { return false }
        if !handler.seesOwn, ActorName.plugin(of: event.actor) == name { return false }
        guard !handler.conditions.isEmpty else { return true }
        let fields = event.json(withPersonal: true)
        return handler.conditions.allSatisfy { condition in
            let value: JSON =
                switch condition.field {
                case "name": .string(event.name)
                case "actor": .string(event.actor)
                case "sequence": .integer(event.sequence)
                case "at": .string(event.at.description)
                default: fields[condition.field] ?? .null
                }
            return condition.values.contains { $0.isAlike(value) }
        }
    }

    /// Handles an event: what the handler writes, what it keeps and the step are one transaction, or nothing of it happens.
    ///
    /// The handler is called outside of any transaction first, where it may do all but write. Only if it would write it is
    /// called again within one, where it gets the same answers of servers as before: what computes, waits or loops before its
    /// first write keeps no writer waiting.
    ///
    /// - Parameters:
    ///   - request: the id under which it is done once; nil: none.
    ///   - step: written in the same transaction.
    func handle(_ event: PublicEvent, request: String?, _ step: (DeskSession) throws -> Void) throws {
        forget()
        defer { output.release() }
        if try look(event) { return try keep(step) }
        try write(event, request: request, step)
    }

    /// Forgets what handlers kept and said that was not written down.
    func forget() {
        _ = state.takeChanges()
        output.drop()
    }

    /// Calls the handler outside of any transaction. What it keeps and says is added to what ``keep(_:)`` will write.
    ///
    /// - Returns: false if it would write; then nothing of it has happened.
    func look(_ event: PublicEvent) throws -> Bool {
        web.begin()
        let (undo, said) = (state.mark(), output.count)
        do {
            if try context.looking({ try handle(event) }) != nil { return true }
        } catch {
            undo()
            throw error
        }
        undo()
        output.drop(after: said)
        return false
    }

    /// Writes what handlers have kept, with the step.
    func keep(_ step: (DeskSession) throws -> Void) throws {
        let changes = state.takeChanges()
        try desk.write { session in
            try session.plugins.keep(changes, of: name)
            try step(session)
        }
    }

    /// Calls the handler that was looked at last within a transaction.
    func write(_ event: PublicEvent, request: String?, _ step: (DeskSession) throws -> Void) throws {
        web.beginAgain()
        defer { _ = state.takeChanges() }
        try desk.write(request: request) { session in
            // Before the handler runs: what it would do must not wait for what is another's by now.
            try step(session)
            try context.working(in: session) { try handle(event) }
            try session.plugins.keep(state.takeChanges(), of: name)
        }
    }

    /// Calls the handler of an event, in the transaction that the context is in, if it is in one.
    func handle(_ event: PublicEvent) throws {
        guard let handler = handlers[event.name] else { return }
        _ = try context.call(handler, with: event)
    }
}

extension JSON {
    /// Whether two values are the same; of numbers the amount counts.
    fileprivate func isAlike(_ other: JSON) -> Bool {
        switch (self, other) {
        case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
            Double(whole) == number
        default: self == other
        }
    }
}

extension PluginFault {
    /// An error of a handler, for the person who looks after the plugin.
    init(_ error: any Error) {
        if let fault = error as? PluginFault {
            self = fault
            return
        }
        if let full = error as? PluginStateFull {
            self.init(code: "state_full", message: full.description)
            return
        }
        let failure = ScriptFailure(error)
        self.init(
            code: failure.code, message: failure.message, file: failure.file, line: failure.line.map { Int64($0) },
            trace: failure.traceback)
    }
}
