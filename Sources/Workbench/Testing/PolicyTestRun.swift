import Circulation
import LuaRuntime
package import Scripting
import Synchronization

/// Runs the tests of a policy: the file `x_test.lua` beside `x.lua`.
///
/// ```lua
/// test("staff keep books for eight weeks", function()
///     expect(given { patron = { category = "staff" } }, { answer = "allow", due = date "2026-03-12" })
/// end)
/// ```
/// Tests and decisions run under instruction budgets, so that a run is the same on every machine. With several workers
/// each runs the file's own statements for itself and then its share of the tests; the report is in the file's order.
package struct PolicyTestRun: Sendable {
    /// The budget of one answer of the policy, in virtual machine instructions and work of library functions.
    package static let instructionsOfAnswer: Int64 = 20_000_000

    package let policy: ParsedPolicy
    package let source: String
    package let file: String
    package var options: PolicyTestOptions
    /// What the tests run; nil where they ask the policy alone.
    package private(set) var script: ScriptSource?
    /// Where `require` of the tests finds files; nil: they may require nothing.
    package private(set) var folder: ScriptFolder?

    /// - Parameters:
    ///   - policy: the policy, as it was checked.
    ///   - source: the test file's text.
    ///   - file: its name, for reports.
    ///   - folder: where `require` of the tests finds files.
    package init(
        _ policy: ParsedPolicy, tests source: String, file: String, options: PolicyTestOptions = .init(),
        folder: ScriptFolder? = nil
    ) {
        self.policy = policy
        self.source = source
        self.file = file
        self.options = options
        self.folder = folder
    }

    /// Tests of a script, at desks with a policy that lends everything for two weeks.
    package init(script: ScriptSource, tests source: String, file: String, options: PolicyTestOptions = .init()) throws
    {
        let policy = "return policy { api = 1, name = \"plain\", rules = { { loan = days(14), renewals = 2 } } }"
        self.init(
            try ParsedPolicy(name: "plain.lua", source: policy), tests: source, file: file, options: options,
            folder: script.folder)
        self.script = script
    }

    /// The same tests asking another policy.
    func asking(_ policy: ParsedPolicy) -> PolicyTestRun {
        PolicyTestRun(policy, tests: source, file: file, options: options, folder: folder)
    }

    /// Runs all tests of a file.
    ///
    /// - Throws: ``PolicyProblems`` if the policy cannot be loaded. A test file that cannot be read is a test that
    ///   failed.
    package static func run(
        _ policy: ParsedPolicy, tests source: String, file: String, options: PolicyTestOptions = .init(),
        folder: ScriptFolder? = nil
    ) throws -> PolicyTestReport {
        try PolicyTestRun(policy, tests: source, file: file, options: options, folder: folder).run()
    }

    /// Runs the tests that the options select, with what of the policy they covered.
    ///
    /// - Throws: ``PolicyProblems`` if the policy cannot be loaded.
    package func run() throws -> PolicyTestReport {
        let first = try PolicyTestWorker(self)
        let problem = first.declare()
        let chosen = first.names.indices.filter { options.selects(first.names[$0]) }
        let workers = min(options.workers, max(1, chosen.count / 4))
        var report = PolicyTestReport(tests: problem.map { [$0] } ?? [])
        guard workers > 1, problem == nil else {
            report.tests += chosen.map(first.run)
            report.coverage = first.coverage
            report.greatestEffort = first.greatestEffort
            return report
        }
        let shares = try shared(chosen, among: workers)
        report.tests += shares.tests
        report.coverage = shares.coverage
        report.greatestEffort = shares.effort
        return report
    }

    private func shared(
        _ chosen: [Int], among workers: Int
    ) throws -> (tests: [PolicyTestReport.Test], coverage: PolicyCoverage, effort: PolicyProbes.Effort?) {
        let outcome = Mutex(Shares(next: chosen[...]))
        try LuaThread.runAll(workers) { _ in
            guard let worker = try? PolicyTestWorker(self), worker.declare() == nil else { return }
            while let index = outcome.withLock({ $0.next.popFirst() }) {
                let test = worker.run(index)
                outcome.withLock { $0.tests[index] = test }
            }
            let (covered, effort) = (worker.coverage, worker.greatestEffort)
            outcome.withLock {
                $0.coverage = $0.coverage?.merged(with: covered) ?? covered
                $0.effort = PolicyProbes.Effort.greater($0.effort, effort)
            }
        }
        return outcome.withLock { shares in
            (chosen.compactMap { shares.tests[$0] }, shares.coverage ?? PolicyCoverage(), shares.effort)
        }
    }

    private struct Shares {
        var next: ArraySlice<Int>
        var tests: [Int: PolicyTestReport.Test] = [:]
        var coverage: PolicyCoverage?
        var effort: PolicyProbes.Effort?
    }
}
