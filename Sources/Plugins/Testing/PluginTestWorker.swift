import Circulation
import Desk
import LuaRuntime
import Scripting
import TextFormats
import Workbench

/// One Lua state with the words of tests. Used by one thread.
final class PluginTestWorker: TestWorker {
    private let bundle: PolicyBundle
    private let manifest: PluginManifest
    private let lua: LuaState
    private let tests: DeclaredTests
    private let source: String
    private let timeLimit: Duration
    let probes: PolicyProbes
    private let values = LuaValueContext()
    private var desk: PluginTestDesk?
    /// How many transactions of the test are open: nothing is handled before they are over.
    private var transactions = 0

    private static let file = PluginFolder.testName

    /// - Parameters:
    ///   - plugin: the files that are tested.
    ///   - source: the tests.
    init(_ plugin: ParsedPolicy, _ manifest: PluginManifest, tests source: String, timeLimit: Duration) throws {
        bundle = plugin.bundle
        self.manifest = manifest
        self.source = source
        self.timeLimit = timeLimit
        probes = PolicyProbes(plugin)
        let limits = LuaLimits(memory: 64 << 20, deadline: timeLimit)
        lua = try LuaState(profile: .policy, limits: limits)
        tests = try DeclaredTests(of: Self.file, in: lua, limits: limits)
        try LuaValues.install(in: lua, context: values)
        let known = PolicyTestWord.known + PluginWord.ofTests
        lua.unknownGlobal = { name in
            let nearest = NameSuggestion.nearest(to: name, among: known)
            return "there is no '\(SafeText.line(name))'" + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
        }
        try defineDesk()
        try definePlugin()
    }

    var names: [String] { tests.names }
    var coverage: PolicyCoverage { PolicyCoverage(probes) }

    // MARK: - Words

    private func defineDesk() throws {
        for function in LuaAPI.functions where !function.module.isEmpty || function.fullName == "today" {
            try lua.define(function.fullName) { [unowned self] in try call(function, $0) }
        }
        let environment = try lua.makeEnvironment()
        try lua.define("open", in: environment) { [unowned self] arguments in
            guard let setting = arguments.count == 0 ? LuaTable() : try arguments.value(at: 0).tableValue else {
                throw LuaHostError("desk: takes a table")
            }
            try open(setting)
            return []
        }
        try lua.define("go", in: environment) { [unowned self] in try travel($0) }
        try lua.define("now", in: environment) { [unowned self] _ in [LuaValue(try library().store.clock.now())] }
        let prelude = try lua.load(PolicyTestPrelude.source, chunk: PolicyTestPrelude.chunk, environment: environment)
        guard let word = try lua.call(prelude).first else { return }
        try lua.define("desk", value: word)
    }

    private func definePlugin() throws {
        try lua.define("emit") { [unowned self] arguments in
            guard let name = arguments[0].stringValue else {
                throw LuaHostError("emit: the first argument is an event")
            }
            let fields = arguments.count > 1 ? try arguments.value(at: 1).tableValue : LuaTable()
            guard let fields else { throw LuaHostError("emit: the second argument is a table of fields") }
            return [.boolean(try library().emit(name, fields))]
        }
        try lua.define("run_job") { [unowned self] arguments in
            guard let name = arguments[0].stringValue else { throw LuaHostError("run_job: takes the name of a job") }
            return try alone("run_job").runJob(name)
        }
        try lua.define("run_command") { [unowned self] arguments in
            try alone("run_command").runCommand(try ScriptTestArguments(arguments))
        }
        try lua.define("run_report") { [unowned self] arguments in
            try alone("run_report").runReport(try ScriptTestArguments(arguments))
        }
        try lua.define("deliver") { [unowned self] _ in [try alone("deliver").deliver()] }
        try lua.define("call") { [unowned self] arguments in
            guard let name = arguments[0].stringValue else {
                throw LuaHostError("call: the first argument is a method and a path, such as \"GET /courier\"")
            }
            let options = arguments.count > 1 ? try arguments.value(at: 1).tableValue : LuaTable()
            guard let options else { throw LuaHostError("call: the second argument is a table") }
            return [try library().call(name, options)]
        }
        try lua.define("submit") { [unowned self] arguments in
            guard let name = arguments[0].stringValue else {
                throw LuaHostError("submit: the first argument is the name of a form")
            }
            let options = arguments.count > 1 ? try arguments.value(at: 1).tableValue : LuaTable()
            guard let options else { throw LuaHostError("submit: the second argument is a table") }
            return [try alone("submit").submit(name, options)]
        }
        try lua.define("migrate") { [unowned self] arguments in
            guard let version = arguments[0].stringValue else { throw LuaHostError("migrate: takes a version") }
            try alone("migrate").migrate(from: version)
            return []
        }
        try lua.define("travel") { [unowned self] in try travel($0) }
        try lua.define("failures") { [unowned self] _ in [.table(LuaTable(array: try library().failures()))] }
        try lua.define("state.get") { [unowned self] in try library().state.get($0) }
        try lua.define("state.each") { [unowned self] in try library().state.each($0) }
        try lua.define("state.set") { [unowned self] in
            try library().set($0)
            return []
        }
        try lua.define("import") { [unowned self] arguments in
            guard let name = arguments[0].stringValue else {
                throw LuaHostError("import: the first argument is a file's name")
            }
            let text: [UInt8]
            switch try arguments.value(at: 1) {
            case .string(let it): text = Array(it.utf8)
            case .bytes(let it): text = it
            default: throw LuaHostError("import: the second argument is the file's text")
            }
            return [.json(try library().bring(name, text))]
        }
        try lua.define("export") { [unowned self] arguments in
            guard let name = arguments[0].stringValue else {
                throw LuaHostError("export: the argument is a file's name")
            }
            return [.string(try library().export(name))]
        }
        try lua.define("http.reply") { [unowned self] in
            try library().replies.set($0)
            return []
        }
        try lua.define("http.requests") { [unowned self] _ in [try library().requests()] }
        try lua.define("outbox") { [unowned self] _ in [.table(LuaTable(array: try library().outbox()))] }
    }

    private func call(_ function: APIFunction, _ arguments: LuaArguments) throws -> [LuaValue] {
        let library = try library()
        let isTransaction = function.fullName == "store.transaction"
        if isTransaction { transactions += 1 }
        defer { if isTransaction { transactions -= 1 } }
        let results = try library.store.context.invoke(function, arguments)
        if transactions - (isTransaction ? 1 : 0) == 0, isTransaction || function.capability.writes {
            try library.settle()
        }
        return results
    }

    private func travel(_ arguments: LuaArguments) throws -> [LuaValue] {
        let library = try library()
        try library.store.go(arguments.value(at: 0))
        try library.settle()
        return []
    }

    /// The library of the test; an empty one where the test made none.
    private func library() throws -> PluginTestDesk {
        if let desk { return desk }
        return try open(LuaTable())
    }

    /// The library, for a word that works in transactions of its own.
    private func alone(_ word: String) throws -> PluginTestDesk {
        guard transactions == 0 else { throw LuaHostError("\(word): not within a transaction") }
        return try library()
    }

    @discardableResult
    private func open(_ setting: LuaTable) throws -> PluginTestDesk {
        let made = try PluginTestDesk(setting, bundle, manifest, state: lua, probes: probes, timeLimit: timeLimit)
        desk = made
        (values.zone, values.currency, values.calendar) = (made.store.zone, made.store.currency, made.store.calendar)
        return made
    }

    // MARK: - Running

    func declare() -> PolicyTestReport.Test? { tests.declare(source) }

    func run(_ index: Int) -> PolicyTestReport.Test {
        desk = nil
        transactions = 0
        (values.zone, values.currency, values.calendar) = (.utc, .eur, .alwaysOpen)
        return tests.run(index)
    }
}
