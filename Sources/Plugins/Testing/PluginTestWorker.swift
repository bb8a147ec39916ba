import Circulation
import Desk
import LuaRuntime
import Scripting
import TextFormats
import Workbench

/// One Lua state with the words of tests. Used by one thread.
final class PluginTestWorker {
    private struct Declared {
        let name: String
        let body: LuaFunction
        var arguments: [LuaValue] = []
        let isTodo: Bool
    }

    private let bundle: PolicyBundle
    private let manifest: PluginManifest
    private let lua: LuaState
    private let limits: LuaLimits
    private let values = LuaValueContext()
    private var declared: [Declared] = []
    private var lastDifference: String?
    private var desk: PluginTestDesk?
    /// How many transactions of the test are open: nothing is handled before they are over.
    private var transactions = 0

    private static let file = PluginFolder.testName

    init(_ bundle: PolicyBundle, _ manifest: PluginManifest, timeLimit: Duration) throws {
        self.bundle = bundle
        self.manifest = manifest
        limits = LuaLimits(memory: 64 << 20, deadline: timeLimit)
        lua = try LuaState(profile: .policy, limits: limits)
        try LuaValues.install(in: lua, context: values)
        let known = PolicyTestWord.known + PluginWord.ofTests
        lua.unknownGlobal = { name in
            let nearest = NameSuggestion.nearest(to: name, among: known)
            return "there is no '\(SafeText.line(name))'" + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
        }
        try defineTests()
        try defineDesk()
        try definePlugin()
    }

    var names: [String] { declared.map(\.name) }

    // MARK: - Words

    private func defineTests() throws {
        for (name, isTodo) in [("test", false), ("todo_test", true)] {
            try lua.define(name) { [unowned self] arguments in
                guard let title = arguments[0].stringValue, let body = arguments[1].functionValue else {
                    throw LuaHostError("\(name): arguments are a name and a function")
                }
                declared.append(Declared(name: title, body: body, isTodo: isTodo))
                return []
            }
        }
        try lua.define("cases") { [unowned self] arguments in
            guard let title = arguments[0].stringValue, let rows = try arguments.value(at: 1).tableValue,
                let body = arguments[2].functionValue
            else { throw LuaHostError("cases: arguments are a name, a list of rows and a function") }
            for (index, row) in rows.array.enumerated() {
                let list = row.tableValue.flatMap { $0.array.isEmpty ? nil : $0.array }
                declared.append(
                    Declared(name: "\(title) (\(index + 1))", body: body, arguments: list ?? [row], isTodo: false))
            }
            return []
        }
        try lua.define("expect") { [unowned self] arguments in
            let (value, expected) = (try arguments.value(at: 0), try arguments.value(at: 1))
            guard let difference = Expectation.difference(value, expected, failure: nil) else { return [] }
            lastDifference = difference
            throw LuaHostError(difference)
        }
    }

    private func defineDesk() throws {
        for function in LuaAPI.functions where !function.module.isEmpty {
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
        try lua.define("deliver") { [unowned self] _ in [try alone("deliver").deliver()] }
        try lua.define("call") { [unowned self] arguments in
            guard let name = arguments[0].stringValue else {
                throw LuaHostError("call: the first argument is a method and a path, such as \"GET /courier\"")
            }
            let options = arguments.count > 1 ? try arguments.value(at: 1).tableValue : LuaTable()
            guard let options else { throw LuaHostError("call: the second argument is a table") }
            return [try library().call(name, options)]
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
        let made = try PluginTestDesk(setting, bundle, manifest, state: lua)
        desk = made
        (values.zone, values.currency, values.calendar) = (made.store.zone, made.store.currency, made.store.calendar)
        return made
    }

    // MARK: - Running

    /// Runs the file's own statements. What is wrong with them is a test that failed.
    func declare(_ source: String) -> PolicyTestReport.Test? {
        do {
            try lua.call(try lua.load(source, chunk: Self.file, environment: try lua.makeEnvironment()))
            return nil
        } catch {
            return outcome(of: "the test file", at: 1, error)
        }
    }

    func run(_ index: Int) -> PolicyTestReport.Test {
        let test = declared[index]
        let line = test.body.definedAt?.line ?? 1
        lastDifference = nil
        desk = nil
        transactions = 0
        (values.zone, values.currency, values.calendar) = (.utc, .eur, .alwaysOpen)
        do {
            try lua.call(test.body, test.arguments, limits: limits)
            return PolicyTestReport.Test(
                name: test.name, file: Self.file, line: line, status: test.isTodo ? .todo : .pass,
                message: test.isTodo ? PolicyTestReport.passesAlready : nil)
        } catch {
            let outcome = outcome(of: test.name, at: line, error)
            guard test.isTodo else { return outcome }
            return PolicyTestReport.Test(
                name: test.name, file: Self.file, line: outcome.line, status: .todo, message: outcome.message)
        }
    }

    private func outcome(of name: String, at line: Int, _ error: any Error) -> PolicyTestReport.Test {
        guard let error = error as? LuaError else {
            return PolicyTestReport.Test(name: name, file: Self.file, line: line, status: .error, message: "\(error)")
        }
        let isDifference = lastDifference.map { error.message.contains($0) } ?? false
        let isTimeout = error.code == .timeLimit || error.code == .instructionLimit
        let place = error.chunk == Self.file ? error.line ?? line : line
        return PolicyTestReport.Test(
            name: name, file: Self.file, line: place, status: isTimeout ? .timeout : isDifference ? .fail : .error,
            message: error.message)
    }
}
