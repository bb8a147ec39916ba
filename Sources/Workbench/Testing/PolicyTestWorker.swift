import Circulation
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

/// One Lua state with the words of tests, and the policy that they ask. Used by one thread.
final class PolicyTestWorker {
    /// A test that the file declared.
    private struct Declared {
        let name: String
        let body: LuaFunction
        /// What the body is handed: the row of a table of cases.
        var arguments: [LuaValue] = []
        let isTodo: Bool
    }

    /// For a decision, and in Lua for a whole test.
    static let limits = LuaLimits(memory: 64 << 20, instructions: PolicyTestRun.instructionsOfAnswer)

    let run: PolicyTestRun
    let state: LuaState
    private(set) var desk: PolicyTestStore?
    private let policy: LuaPolicy
    let probes: PolicyProbes
    private let rows = RowRecord()
    private let values = LuaValueContext()
    private var declared: [Declared] = []
    private var lastDifference: String?
    /// Why the decision that was asked for last is none.
    private var lastFailure: PolicyFailure?
    private let shape: DecisionShape
    private let misreadings: [DecisionReads.Misreading]

    /// - Throws: ``PolicyProblems`` if the policy cannot be loaded.
    init(_ run: PolicyTestRun) throws {
        self.run = run
        probes = PolicyProbes(run.policy)
        policy = try LuaPolicy(run.policy, limits: Self.limits, probes: probes)
        shape = DecisionShape(freeFields: policy.tables.source.rules.flatMap(\.fields.keys))
        misreadings = DecisionReads.misreadings(in: run.source, file: run.file, names: shape.names)
        state = try LuaState(profile: .policy, limits: Self.limits)
        try LuaValues.install(in: state, context: values)
        let known = PolicyTestWord.known
        state.unknownGlobal = { name in
            let nearest = NameSuggestion.nearest(to: name, among: known)
            return "there is no '\(name)'" + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
        }
        try define()
        try defineDesk()
        try defineRun()
        if let folder = run.folder { state.require = { try folder.source(of: $0) } }
    }

    /// The names of the tests in the order of the file.
    var names: [String] { declared.map(\.name) }

    /// What of the policy ran so far.
    var coverage: PolicyCoverage { PolicyCoverage(probes, tables: policy.tables, rows: rows.rows) }

    /// The answer that took most.
    var greatestEffort: PolicyProbes.Effort? { probes.greatestEffort }

    // MARK: - Words

    private func define() throws {
        for (name, isTodo) in [("test", false), ("todo_test", true)] {
            try state.define(name) { [unowned self] arguments in
                guard let title = arguments[0].stringValue, let body = arguments[1].functionValue else {
                    throw LuaHostError("\(name): arguments are a name and a function")
                }
                declared.append(Declared(name: title, body: body, isTodo: isTodo))
                return []
            }
        }
        try state.define("cases") { [unowned self] in try declareCases($0) }
        try state.define("expect") { [unowned self] arguments in
            try expect(try arguments.value(at: 0), try arguments.value(at: 1))
            return []
        }
        try state.define("given") { [unowned self] arguments in [try given(arguments.value(at: 0))] }
    }

    /// A test for each row of a table: a list is handed to the function as its arguments, any other row as it is.
    private func declareCases(_ arguments: LuaArguments) throws -> [LuaValue] {
        guard let title = arguments[0].stringValue, let rows = try arguments.value(at: 1).tableValue,
            let body = arguments[2].functionValue
        else { throw LuaHostError("cases: arguments are a name, a list of rows and a function") }
        for (index, row) in rows.array.enumerated() {
            let list = row.tableValue.flatMap { $0.array.isEmpty ? nil : $0.array }
            let label = row.tableValue?["name"].stringValue ?? list?.first?.stringValue
            let name = "\(title) (\(index + 1)\(label.map { ": \($0)" } ?? ""))"
            declared.append(Declared(name: name, body: body, arguments: list ?? [row], isTodo: false))
        }
        return []
    }

    /// - Throws: `LuaHostError` with the first difference; for a name that no decision has, as an error of the test.
    private func expect(_ value: LuaValue, _ expected: LuaValue) throws {
        if let complaint = shape.complaint(about: expected, of: value) { throw LuaHostError("expect: \(complaint)") }
        guard let difference = Expectation.difference(value, expected, failure: lastFailure) else { return }
        lastDifference = difference
        throw LuaHostError(difference)
    }

    private func given(_ value: LuaValue) throws -> LuaValue {
        lastFailure = nil
        guard let json = JSON(plain: value.isNil ? .table(LuaTable()) : value.withoutNone) else {
            throw LuaHostError("given: argument 1 must be a table of plain values")
        }
        let question = try question(json)
        let decision = policy.decide(question)
        lastFailure = decision.failure
        rows.note(decision, of: question, by: policy)
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

    /// Makes a library of its own for the test at hand.
    func openDesk(_ setting: LuaTable) throws -> PolicyTestStore {
        let loader = WatchedPolicies(limits: Self.limits, probes: probes, rows: rows, watched: run.policy)
        let desk = try PolicyTestStore(setting, policy: run.policy.bundle, loader: loader, state: state)
        self.desk = desk
        (values.zone, values.currency, values.calendar) = (desk.zone, desk.currency, desk.calendar)
        return desk
    }

    // MARK: - Running

    /// Runs the file's own statements. What is wrong with them is a test that failed.
    func declare() -> PolicyTestReport.Test? {
        do {
            let environment = try state.makeEnvironment()
            try state.call(try state.load(run.source, chunk: run.file, environment: environment))
        } catch {
            return outcome(of: "the test file", at: 1, error: error)
        }
        // What stands in no test concerns all that use it.
        let bodies = Set(declared.compactMap { $0.body.definedAt?.line })
        return misreadings.first { bodies.isDisjoint(with: $0.functions) }.map {
            PolicyTestReport.Test(
                name: "the test file", file: run.file, line: $0.line, status: .error, message: $0.message)
        }
    }

    func run(_ index: Int) -> PolicyTestReport.Test {
        let test = declared[index]
        let line = test.body.definedAt?.line ?? 1
        lastDifference = nil
        lastFailure = nil
        desk = nil
        (values.zone, values.currency, values.calendar) = (.utc, .eur, .alwaysOpen)
        if let misreading = misreadings.first(where: { $0.functions.contains(line) }) {
            return PolicyTestReport.Test(
                name: test.name, file: run.file, line: misreading.line, status: test.isTodo ? .todo : .error,
                message: misreading.message)
        }
        var limits = Self.limits
        limits.deadline = run.options.timeLimit
        do {
            try state.call(test.body, test.arguments, limits: limits)
            return PolicyTestReport.Test(
                name: test.name, file: run.file, line: line, status: test.isTodo ? .todo : .pass,
                message: test.isTodo ? PolicyTestReport.passesAlready : nil)
        } catch {
            let outcome = outcome(of: test.name, at: line, error: error)
            guard test.isTodo else { return outcome }
            return PolicyTestReport.Test(
                name: test.name, file: run.file, line: outcome.line, status: .todo, message: outcome.message)
        }
    }

    private func outcome(of name: String, at line: Int, error: any Error) -> PolicyTestReport.Test {
        guard let error = error as? LuaError else {
            return PolicyTestReport.Test(name: name, file: run.file, line: line, status: .error, message: "\(error)")
        }
        let isDifference = lastDifference.map { error.message.contains($0) } ?? false
        let status: PolicyTestReport.Status =
            switch error.code {
            case .instructionLimit, .timeLimit: .timeout
            default: isDifference ? .fail : .error
            }
        let place = error.chunk == run.file ? error.line ?? line : line
        return PolicyTestReport.Test(name: name, file: run.file, line: place, status: status, message: error.message)
    }
}

/// The rows of a policy that had a part in a decision.
final class RowRecord {
    private(set) var rows: Set<PolicyTableRow> = []

    func note(_ decision: Decision, of question: Case, by policy: LuaPolicy) {
        rows.formUnion(policy.rows(deciding: decision, of: question))
    }
}

extension LuaValue {
    /// With nothing in place of `none`, which takes a part of a case away.
    fileprivate var withoutNone: LuaValue {
        switch self {
        case .value(let small) where small.isNone: .nil
        case .table(let table): .table(LuaTable(entries: table.entries.map { ($0.key, $0.value.withoutNone) }))
        default: self
        }
    }
}
