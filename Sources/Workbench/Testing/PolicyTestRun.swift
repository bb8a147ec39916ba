import Circulation
import Prover
package import Scripting

/// Runs the tests of a policy: the file `x_test.lua` beside `x.lua`.
///
/// ```lua
/// test("staff keep books for eight weeks", function()
///     expect(given { patron = { category = "staff" } }, { answer = "allow", due = date "2026-03-12" })
/// end)
/// ```
/// Tests and decisions run under instruction budgets, so that a run is the same on every machine.
package struct PolicyTestRun: Sendable {
    /// The budget of one answer of the policy, in virtual machine instructions and work of library functions.
    package static let instructionsOfAnswer: Int64 = 20_000_000

    package private(set) var policy: ParsedPolicy
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
    private func asking(_ policy: ParsedPolicy) -> PolicyTestRun {
        var run = self
        run.policy = policy
        return run
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
}

extension PolicyTestRun: TestSubject {
    package var tested: ParsedPolicy { policy }

    /// - Throws: ``PolicyProblems`` if the policy cannot be loaded.
    package func worker(on changed: ParsedPolicy) throws -> any TestWorker { try PolicyTestWorker(asking(changed)) }

    package func isOfConcern(_ mutant: Mutant) -> Bool { true }

    package func verdict(on mutant: Mutant, _ changed: ParsedPolicy, trials: Int) -> SurvivorVerdict? {
        guard let found = PolicyComparison(policy, changed).difference(trials: trials, near: mutant) else { return nil }
        return .survived(test: found.test, because: found.test == nil ? "it decides a case otherwise" : nil)
    }

    package func proof(
        of mutant: Mutant, _ changed: ParsedPolicy, until deadline: ContinuousClock.Instant
    ) -> SurvivorVerdict {
        func unknown(_ why: String) -> SurvivorVerdict {
            .unknown(Unsettled(file: mutant.file, line: mutant.line, message: why))
        }
        do {
            return try MutantProof(SamenessProof(policy, changed), mutant).verdict(until: deadline)
        } catch let error as ProofError {
            return unknown(error.words)
        } catch let unsettled as Unsettled {
            return .unknown(unsettled)
        } catch {
            return unknown("\(error)")
        }
    }
}
