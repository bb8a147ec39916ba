import Circulation
import LuaRuntime
import LuaSyntax
import Prover
import Scripting
import Synchronization

/// Makes each small change to a policy or a plugin and runs its tests against it: a change that no test notices is a rule that no
/// test holds in place.
package struct MutationRun: Sendable {
    private let run: any TestSubject
    /// How many cases are tried to tell a change that nothing tests from one that changes nothing.
    private let trials: Int
    /// How long the proofs of all changes together may take, and that of one.
    private let proofTime: Duration
    private static let timeOfOne = Duration.seconds(10)

    /// - Parameters:
    ///   - run: the tests; those that are to do take no part, and of those that fail it is said which change would make
    ///     them pass.
    ///   - proofTime: how long the proofs may take of changes for which no case is found that they decide otherwise.
    package init(_ run: any TestSubject, trials: Int = 2_000, proofTime: Duration = .seconds(60)) {
        self.run = run
        self.trials = trials
        self.proofTime = proofTime
    }

    /// - Parameter progress: called from any thread with the number of mutations tried and their total.
    /// - Throws: where what is tested cannot be loaded.
    package func report(progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }) throws -> MutationReport {
        let chunks = run.tested.chunks
        var mutants = chunks.flatMap { MutantFinder.mutants(of: $0) }.filter(run.isOfConcern)
        let sources = Dictionary(chunks.map { ($0.name, $0.source) }) { first, _ in first }
        let baseline = try MutationBaseline(run)
        // What a hand slips is looked for where something is wrong, and counts for nothing else.
        let words = baseline.failing.isEmpty ? [] : TypoWords.words(in: chunks, tests: run.source)
        let slips =
            baseline.failing.isEmpty
            ? [] : chunks.flatMap { MutantFinder.slips(of: $0, words: words) }.filter(run.isOfConcern)
        let firstTypo = mutants.count
        mutants += slips
        let outcomes = Mutex<[Int: Outcome]>([:])
        let next = Mutex(mutants.indices)
        let total = mutants.count
        let shared = mutants
        try LuaThread.runAll(max(1, run.options.workers)) { _ in
            while let index = next.withLock({ $0.popFirst() }) {
                let outcome =
                    index < firstTypo
                    ? self.outcome(of: shared[index], baseline) : self.outcome(ofTypo: shared[index], baseline)
                outcomes.withLock { $0[index] = outcome }
                progress(index + 1, total)
            }
        }
        var found = outcomes.withLock { $0 }
        let deadline = ContinuousClock.now + proofTime
        for (index, mutant) in mutants.enumerated() {
            if case .open? = found[index] { found[index] = proof(of: mutant, until: deadline) }
        }
        var report = MutationReport(sources: sources)
        report.testsFail = !baseline.failing.isEmpty
        for (index, mutant) in mutants.enumerated() {
            switch found[index] {
            case .noticed?: report.total += 1
            case .survived(let test, let because)?:
                report.total += 1
                report.survived.append(.init(mutant: mutant, test: test, because: because))
            case .repairs?:
                report.total += 1
                report.survived.append(.init(mutant: mutant, test: nil, repairs: true))
            case .equivalent?: report.equivalent.append(mutant)
            case .unknown(let why)?: report.unknown.append(.init(mutant: mutant, because: why))
            case .unfit?, .open?, nil: break
            }
        }
        // What mends the policy comes first.
        report.survived = report.survived.filter(\.repairs) + report.survived.filter { !$0.repairs }
        return report
    }

    private enum Outcome: Sendable {
        case noticed, equivalent, repairs
        /// A slip that is not what went wrong.
        case unfit
        /// No test noticed it, and no case that was tried tells it.
        case open
        case survived(test: String?, because: String?)
        case unknown(Unsettled)

        init(_ verdict: SurvivorVerdict) {
            switch verdict {
            case .equivalent: self = .equivalent
            case .survived(let test, let because): self = .survived(test: test, because: because)
            case .unknown(let why): self = .unknown(why)
            }
        }
    }

    private func proof(of mutant: Mutant, until deadline: ContinuousClock.Instant) -> Outcome {
        let own = min(deadline, ContinuousClock.now + Self.timeOfOne)
        return Outcome(run.proof(of: mutant, mutant.applied(to: run.tested), until: own))
    }

    /// The tests that fail come first: most slips mend none of them.
    private func outcome(ofTypo mutant: Mutant, _ baseline: MutationBaseline) -> Outcome {
        let changed = mutant.applied(to: run.tested)
        guard let worker = try? run.worker(on: changed), worker.declare() == nil,
            (baseline.failing + baseline.tests(reaching: mutant)).allSatisfy({ worker.run($0).status == .pass })
        else { return .unfit }
        return .repairs
    }

    private func outcome(of mutant: Mutant, _ baseline: MutationBaseline) -> Outcome {
        let changed = mutant.applied(to: run.tested)
        // A mutation that makes the policy unreadable needs no test: `policy use` refuses it.
        guard let worker = try? run.worker(on: changed) else { return .noticed }
        let tests = baseline.tests(reaching: mutant)
        let isDeclared = (tests.isEmpty && baseline.failing.isEmpty) || worker.declare() == nil
        guard isDeclared, tests.allSatisfy({ worker.run($0).status == .pass }) else { return .noticed }
        if !baseline.failing.isEmpty, baseline.failing.allSatisfy({ worker.run($0).status == .pass }) {
            return .repairs
        }
        return run.verdict(on: mutant, changed, trials: trials).map(Outcome.init) ?? .open
    }
}

/// Which tests run which parts of the policy as it is.
private struct MutationBaseline: Sendable {
    private let passing: [Int]
    /// The tests that should pass and do not.
    let failing: [Int]
    private let sites: [PolicyProbes.Site]
    /// The statements that run when the policy is loaded: what stands in them concerns every test.
    private let loading: Set<Int>
    private let reached: [Int: Set<Int>]

    init(_ run: any TestSubject) throws {
        let worker = try run.worker(on: run.tested)
        sites = worker.probes.sites
        loading = Set(worker.probes.counts.indices.filter { worker.probes.counts[$0] > 0 })
        var passing: [Int] = []
        var failing: [Int] = []
        var reached: [Int: Set<Int>] = [:]
        if worker.declare() == nil {
            for index in worker.names.indices {
                let before = worker.probes.counts
                let status = worker.run(index).status
                if status != .pass, status != .todo { failing.append(index) }
                guard status == .pass else { continue }
                passing.append(index)
                let after = worker.probes.counts
                reached[index] = Set(after.indices.filter { after[$0] > before[$0] })
            }
        }
        self.passing = passing
        self.failing = failing
        self.reached = reached
    }

    /// The tests that run the innermost statement around the change.
    func tests(reaching mutant: Mutant) -> [Int] {
        let around = sites.indices.filter { index in
            let site = sites[index]
            return site.kind == .line && site.file == mutant.file && site.range.start <= mutant.range.start
                && mutant.range.end.offset <= site.range.end.offset
        }
        guard let inner = around.max(by: { sites[$0].range.start < sites[$1].range.start }), !loading.contains(inner)
        else { return passing }
        return passing.filter { reached[$0]?.contains(inner) ?? false }
    }
}
