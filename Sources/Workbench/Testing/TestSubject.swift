import LuaRuntime
package import Prover
package import Scripting
import Synchronization

/// What is tested, with its tests: a policy, a plugin.
package protocol TestSubject: Sendable {
    /// The files that are tested, without those of the tests.
    var tested: ParsedPolicy { get }
    /// The text of the tests.
    var source: String { get }
    var options: PolicyTestOptions { get }
    /// What runs the tests.
    ///
    /// - Parameter changed: what is tested, changed or not.
    /// - Throws: where that cannot be loaded.
    func worker(on changed: ParsedPolicy) throws -> any TestWorker
    /// Whether a change is one that tests could notice.
    func isOfConcern(_ mutant: Mutant) -> Bool
    /// Tries cases for one that a change that no test noticed decides otherwise; nil: none was found.
    func verdict(on mutant: Mutant, _ changed: ParsedPolicy, trials: Int) -> SurvivorVerdict?
    /// Proves what no case that was tried tells of a change.
    ///
    /// - Parameter deadline: when it is to end.
    func proof(of mutant: Mutant, _ changed: ParsedPolicy, until deadline: ContinuousClock.Instant) -> SurvivorVerdict
}

/// What is found out about a change that no test notices.
package enum SurvivorVerdict: Sendable {
    /// It changes no decision, of no case that there can be.
    case equivalent
    /// It changes something: the test would notice it; where no test of a case does, it is said what changes.
    case survived(test: String?, because: String? = nil)
    /// Neither is known, and why.
    case unknown(Unsettled)
}

/// Runs the tests of one file in a state of its own. Used by one thread.
package protocol TestWorker: AnyObject {
    var names: [String] { get }
    var probes: PolicyProbes { get }
    /// What ran so far.
    var coverage: PolicyCoverage { get }
    /// Runs the file's own statements. What is wrong with them is a test that failed.
    func declare() -> PolicyTestReport.Test?
    func run(_ index: Int) -> PolicyTestReport.Test
}

extension TestSubject {
    /// Runs the tests that the options select, with what of the subject they covered. With several workers each runs the
    /// file's own statements for itself and then its share of the tests; the report is in the file's order.
    ///
    /// - Throws: where the subject cannot be loaded.
    package func run() throws -> PolicyTestReport {
        let first = try worker(on: tested)
        let problem = first.declare()
        let chosen = first.names.indices.filter { options.selects(first.names[$0]) }
        let workers = min(options.workers, max(1, chosen.count / 4))
        var report = PolicyTestReport(tests: problem.map { [$0] } ?? [])
        guard workers > 1, problem == nil else {
            report.tests += chosen.map(first.run)
            report.coverage = first.coverage
            report.greatestEffort = first.probes.greatestEffort
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
        let outcome = Mutex(TestShares(next: chosen[...]))
        try LuaThread.runAll(workers) { _ in
            guard let worker = try? self.worker(on: self.tested), worker.declare() == nil else { return }
            while let index = outcome.withLock({ $0.next.popFirst() }) {
                let test = worker.run(index)
                outcome.withLock { $0.tests[index] = test }
            }
            let (covered, effort) = (worker.coverage, worker.probes.greatestEffort)
            outcome.withLock {
                $0.coverage = $0.coverage?.merged(with: covered) ?? covered
                $0.effort = PolicyProbes.Effort.greater($0.effort, effort)
            }
        }
        return outcome.withLock { shares in
            (chosen.compactMap { shares.tests[$0] }, shares.coverage ?? PolicyCoverage(), shares.effort)
        }
    }
}

private struct TestShares {
    var next: ArraySlice<Int>
    var tests: [Int: PolicyTestReport.Test] = [:]
    var coverage: PolicyCoverage?
    var effort: PolicyProbes.Effort?
}
