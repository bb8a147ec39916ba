package import Circulation
import LuaRuntime
import Scripting
import TextFormats

/// Runs the tests of a policy: the file `x_test.lua` beside `x.lua`.
///
/// ```lua
/// test("staff keep books for eight weeks", function()
///     expect(given { patron = { category = "staff" } }, { answer = "allow", due = date "2026-03-12" })
/// end)
/// ```
/// Tests and decisions run under instruction budgets, so that a run is the same on every machine.
package final class PolicyTestRun {
    /// For a whole test, and for each decision in it.
    private static let limits = LuaLimits(memory: 64 << 20, instructions: 20_000_000)

    private let policy: LuaPolicy
    private let state: LuaState
    private let file: String
    private var declared: [(name: String, body: LuaFunction, isTodo: Bool)] = []
    private var lastDifference: String?

    /// Runs all tests of a file.
    ///
    /// - Parameters:
    ///   - policy: the policy's bundle.
    ///   - source: the test file's text.
    ///   - file: its name, for reports.
    /// - Throws: ``PolicyProblems`` if the policy cannot be loaded. A test file that cannot be read is a test that
    ///   failed.
    package static func run(_ policy: PolicyBundle, tests source: String, file: String) throws -> PolicyTestReport {
        let run = try PolicyTestRun(LuaPolicy(policy, limits: limits), file: file)
        return run.report(source)
    }

    private init(_ policy: LuaPolicy, file: String) throws {
        self.policy = policy
        self.file = file
        state = try LuaState(profile: .policy, limits: Self.limits)
        try LuaValues.install(in: state, context: LuaValueContext())
        try define()
    }

    private func define() throws {
        for (name, isTodo) in [("test", false), ("todo_test", true)] {
            try state.define(name) { [unowned self] arguments in
                guard let title = arguments[0].stringValue, let body = arguments[1].functionValue else {
                    throw LuaHostError("\(name): arguments are a name and a function")
                }
                declared.append((title, body, isTodo))
                return []
            }
        }
        try state.define("expect") { [unowned self] arguments in
            let (value, expected) = (try arguments.value(at: 0), try arguments.value(at: 1))
            guard let difference = Expectation.difference(value, expected) else { return [] }
            lastDifference = difference
            throw LuaHostError(difference)
        }
        try state.define("given") { [unowned self] arguments in [try given(arguments.value(at: 0))] }
    }

    private func given(_ value: LuaValue) throws -> LuaValue {
        guard let json = JSON(plain: value.isNil ? .table(LuaTable()) : value) else {
            throw LuaHostError("given: argument 1 must be a table of plain values")
        }
        let question = try question(json)
        let decision = policy.decide(question)
        let words = decision.refusal.flatMap { policy.message(for: $0.code, language: question.patron.language) }
        return DecisionTable.table(of: decision, refusalMessage: words)
    }

    private func question(_ json: JSON) throws(LuaHostError) -> Case {
        do {
            return try Case(json: json)
        } catch {
            throw LuaHostError("given: \(error.message)")
        }
    }

    // MARK: - Running

    private func report(_ source: String) -> PolicyTestReport {
        var tests: [PolicyTestReport.Test] = []
        do {
            let environment = try state.makeEnvironment()
            try state.call(try state.load(source, chunk: file, environment: environment))
        } catch {
            tests.append(outcome(of: "the test file", at: 1, error: error))
        }
        for test in declared { tests.append(run(test.name, test.body, isTodo: test.isTodo)) }
        return PolicyTestReport(tests: tests)
    }

    private func run(_ name: String, _ body: LuaFunction, isTodo: Bool) -> PolicyTestReport.Test {
        let line = body.definedAt?.line ?? 1
        lastDifference = nil
        do {
            try state.call(body, limits: Self.limits)
            return PolicyTestReport.Test(
                name: name, file: file, line: line, status: isTodo ? .todo : .pass,
                message: isTodo ? "passes already; make it a test" : nil)
        } catch {
            let outcome = outcome(of: name, at: line, error: error)
            guard isTodo else { return outcome }
            return PolicyTestReport.Test(
                name: name, file: file, line: outcome.line, status: .todo, message: outcome.message)
        }
    }

    private func outcome(of name: String, at line: Int, error: any Error) -> PolicyTestReport.Test {
        guard let error = error as? LuaError else {
            return PolicyTestReport.Test(name: name, file: file, line: line, status: .error, message: "\(error)")
        }
        let isDifference = lastDifference.map { error.message.contains($0) } ?? false
        let status: PolicyTestReport.Status =
            switch error.code {
            case .instructionLimit, .timeLimit: .timeout
            default: isDifference ? .fail : .error
            }
        let place = error.chunk == file ? error.line ?? line : line
        return PolicyTestReport.Test(name: name, file: file, line: place, status: status, message: error.message)
    }
}
