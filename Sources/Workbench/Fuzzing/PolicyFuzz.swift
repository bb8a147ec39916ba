import Circulation
import LuaRuntime
import LuaSyntax
package import Scripting
import Synchronization
import TextFormats

/// Asks a policy random cases and holds its answers against what holds for every policy.
///
/// Cases come from the types of their fields and from the policy's own values. Those that run statements or branches
/// that none ran before are kept and varied. What is found is made small; each fault at a line is reported once.
package struct PolicyFuzz: Sendable {
    package let policy: ParsedPolicy
    package var seed: UInt64
    /// Elapsed time after which the search ends.
    package var time: Duration
    /// The most cases of each worker; nil: as many as there is time for.
    package var maximumCases: Int?
    package var workers: Int

    package init(
        _ policy: ParsedPolicy, seed: UInt64, time: Duration = .seconds(20), maximumCases: Int? = nil, workers: Int = 1
    ) {
        self.policy = policy
        self.seed = seed
        self.time = time
        self.maximumCases = maximumCases
        self.workers = max(1, workers)
    }

    /// - Parameter progress: called from any thread with the number of cases asked and of findings.
    /// - Throws: ``PolicyProblems`` if the policy cannot be loaded.
    package func report(progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }) throws -> FuzzReport {
        _ = try FuzzSubject(policy)
        let start = ContinuousClock.now
        var empty = FuzzReport(seed: seed)
        for file in policy.bundle.files { empty.sources[file.name] = SourceText(file.source) }
        let result = Mutex(empty)
        try LuaThread.runAll(workers) { worker in
            guard let search = try? FuzzSearch(policy, seed: seed &+ UInt64(worker) &* 0x1_0000_0001) else { return }
            while search.cases < maximumCases ?? .max, start.duration(to: .now) < time {
                search.step()
                if search.cases % 256 == 0 { progress(search.cases * workers, search.findings.count) }
            }
            let (coverage, findings, cases) = (search.coverage, search.findings, search.cases)
            result.withLock { $0.add(findings, cases: cases, coverage) }
        }
        return result.withLock { $0 }
    }
}

extension FuzzReport {
    /// What another worker found; of one fault at one line the smallest case.
    fileprivate mutating func add(_ more: [FuzzFinding], cases: Int, _ coverage: PolicyCoverage) {
        for finding in more {
            let index = findings.firstIndex {
                ($0.code, $0.file, $0.line) == (finding.code, finding.file, finding.line)
            }
            guard let index else {
                findings.append(finding)
                continue
            }
            if finding.test.utf8.count < findings[index].test.utf8.count { findings[index] = finding }
        }
        findings.sort { ($0.file, $0.line, $0.code.rawValue) < ($1.file, $1.line, $1.code.rawValue) }
        self.cases += cases
        self.coverage = self.coverage.merged(with: coverage)
    }
}

/// One worker's search.
private final class FuzzSearch {
    private(set) var findings: [FuzzFinding] = []
    private(set) var cases = 0
    private let subject: FuzzSubject
    private var maker: CaseMaker
    /// Cases that ran what none before them ran.
    private var kept: [JSONObject] = []
    private var reached: Set<Int> = []
    private var recent: [Case] = []

    private static let mostKept = 500

    init(_ policy: ParsedPolicy, seed: UInt64) throws {
        subject = try FuzzSubject(policy)
        let vocabulary = CaseVocabulary(policy, tables: subject.policy.tables)
        maker = CaseMaker(vocabulary, seed: seed)
    }

    var coverage: PolicyCoverage { subject.coverage }

    func step() {
        let old = maker.random.chance(0.4) ? maker.random.pick(kept) : nil
        let object = old.map { maker.variation(of: $0) } ?? maker.make()
        guard let question = try? Case(json: .object(object)) else { return }
        cases += 1
        let judge = FuzzJudge(subject: subject, reads: maker.vocabulary.reads)
        if let complaint = judge.complaint(about: object, question, others: recent) { add(complaint, object) }
        keep(object, question)
    }

    private func keep(_ object: JSONObject, _ question: Case) {
        let now = subject.probes.counts.indices.filter { subject.probes.counts[$0] > 0 && !reached.contains($0) }
        if !now.isEmpty, kept.count < Self.mostKept {
            reached.formUnion(now)
            kept.append(object)
        }
        if recent.count == 3 { recent.removeFirst() }
        recent.append(question)
    }

    private func add(_ complaint: FuzzJudge.Complaint, _ object: JSONObject) {
        func isKnown(_ finding: FuzzFinding) -> Bool {
            (finding.code, finding.file, finding.line) == (complaint.code, complaint.file, complaint.line)
        }
        guard !findings.contains(where: isKnown) else { return }
        let (before, reads) = (recent, maker.vocabulary.reads)
        func same(_ object: JSONObject) -> FuzzJudge.Complaint? {
            // A state that an answer changed has no second first time.
            guard let subject = complaint.code == .unstable ? subject.fresh() : subject,
                let question = try? Case(json: .object(object))
            else { return nil }
            let found = FuzzJudge(subject: subject, reads: reads).complaint(about: object, question, others: before)
            guard let found, found.code == complaint.code, found.line == complaint.line, found.file == complaint.file
            else { return nil }
            return found
        }
        let tries = complaint.code == .unstable ? 80 : 400
        let small = CaseShrinker.shrunk(object, tries: tries) { same($0) != nil }
        let final = same(small) ?? complaint
        findings.append(
            FuzzFinding(
                code: final.code,
                point: small["point"]?.stringValue.flatMap(DecisionPoint.init(rawValue:)) ?? .checkout,
                file: final.file, line: final.line, message: final.message, question: small,
                test: FuzzTest.text(final, small), ran: subject.linesThatRan(for: small)))
    }
}
