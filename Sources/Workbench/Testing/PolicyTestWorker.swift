import Circulation
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

/// One Lua state with the words of tests, and the policy that they ask. Used by one thread.
final class PolicyTestWorker: TestWorker {
    /// For a decision, and in Lua for a whole test.
    static let limits = LuaLimits(memory: 64 << 20, instructions: PolicyTestRun.instructionsOfAnswer)

    let run: PolicyTestRun
    let state: LuaState
    private(set) var desk: PolicyTestStore?
    private let policy: LuaPolicy
    let probes: PolicyProbes
    private let records: LibraryCase
    private let rows = RowRecord()
    private let values = LuaValueContext()
    private let tests: DeclaredTests
    /// Why the decision that was asked for last is none.
    private var lastFailure: PolicyFailure?
    private let shape: DecisionShape
    private let misreadings: [DecisionReads.Misreading]

    /// - Throws: ``PolicyProblems`` if the policy cannot be loaded.
    init(_ run: PolicyTestRun) throws {
        self.run = run
        probes = PolicyProbes(run.policy)
        records = LibraryCase(run.policy.fields)
        policy = try LuaPolicy(run.policy, limits: Self.limits, probes: probes)
        shape = DecisionShape(freeFields: policy.tables.source.rules.flatMap(\.fields.keys))
        misreadings = DecisionReads.misreadings(in: run.source, file: run.file, names: shape.names)
        state = try LuaState(profile: .policy, limits: Self.limits)
        var limits = Self.limits
        limits.deadline = run.options.timeLimit
        tests = try DeclaredTests(of: run.file, in: state, limits: limits, records: records)
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
    var names: [String] { tests.names }

    /// What of the policy ran so far.
    var coverage: PolicyCoverage { PolicyCoverage(probes, tables: policy.tables, rows: rows.rows) }

    // MARK: - Words

    private func define() throws {
        tests.difference = { [unowned self] value, expected in
            if let complaint = shape.complaint(about: expected, of: value) {
                throw LuaHostError("expect: \(complaint)")
            }
            return Expectation.difference(value, expected, failure: lastFailure)
        }
        try state.define("given") { [unowned self] arguments in [try given(arguments.value(at: 0))] }
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
            return try Case(json: json, records)
        } catch {
            throw LuaHostError("given: \(error.message)")
        }
    }

    /// Makes a library of its own for the test at hand.
    func openDesk(_ setting: LuaTable) throws -> PolicyTestStore {
        let loader = WatchedPolicies(limits: Self.limits, probes: probes, rows: rows, watched: run.policy)
        let desk = try PolicyTestStore(
            setting, policy: run.policy.bundle, loader: loader, state: state, plugin: .declaring(run.policy.fields))
        self.desk = desk
        (values.zone, values.currency, values.calendar) = (desk.zone, desk.currency, desk.calendar)
        return desk
    }

    // MARK: - Running

    func declare() -> PolicyTestReport.Test? {
        if let problem = tests.declare(run.source) { return problem }
        // What stands in no test concerns all that use it.
        let bodies = Set(tests.lines)
        return misreadings.first { bodies.isDisjoint(with: $0.functions) }.map {
            PolicyTestReport.Test(
                name: "the test file", file: run.file, line: $0.line, status: .error, message: $0.message)
        }
    }

    func run(_ index: Int) -> PolicyTestReport.Test {
        lastFailure = nil
        desk = nil
        (values.zone, values.currency, values.calendar) = (.utc, .eur, .alwaysOpen)
        if let misreading = misreadings.first(where: { $0.functions.contains(tests.lines[index]) }) {
            return tests.refused(index, at: misreading.line, misreading.message)
        }
        return tests.run(index)
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
