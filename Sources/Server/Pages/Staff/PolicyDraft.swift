import Circulation
import Desk
import Languages
import LuaSyntax
import Scripting
import TextFormats
import Workbench

/// A policy as it stands in the fields of a page, and what is known of it: findings by line, its tests, its proof.
struct PolicyDraft {
    /// How long a proof may take, so that the page comes before the server gives up.
    private static let timeOfProof = Duration.seconds(10)
    /// So many files and bytes may be edited.
    static let mostFiles = 20
    static let mostBytes = 200_000

    let files: [PolicyBundle.File]
    let tests: String

    /// What came of a check.
    struct Verdict {
        var findings: [[String: Any]] = []
        var counts = ""
        var tests: [[String: Any]] = []
        var testWords = ""
        var proof: [[String: Any]] = []
        var proofWords = ""
        /// Codes that it names and that the library does not have.
        var missing: [[String: Any]] = []
        /// The policy, if nothing speaks against putting it into force.
        var policy: ParsedPolicy?
    }

    /// The draft that a form has; nil where it has none.
    init?(_ form: PageForm) {
        var files: [PolicyBundle.File] = []
        for number in 0..<Self.mostFiles {
            guard let name = form.text("name-\(number)"), let source = form["source-\(number)"] else { break }
            files.append(PolicyBundle.File(name: name, source: Self.lines(source)))
        }
        if files.isEmpty { return nil }
        self.files = files
        tests = Self.lines(form["tests"] ?? "")
    }

    /// The draft that begins with a version.
    init(_ bundle: PolicyBundle, tests: String = "") {
        files = bundle.files
        self.tests = tests
    }

    /// Browsers end lines by CR and LF.
    private static func lines(_ text: String) -> String { text.replacing("\r\n", with: "\n") }

    /// Checks the draft for a library, runs its tests and, if asked, proves what it promises.
    ///
    /// - Throws: what the store throws.
    func verdict(withProof: Bool, _ call: PageCall) throws -> Verdict {
        let declared = try Self.declared(call)
        var verdict = Verdict()
        let policy: ParsedPolicy
        do {
            let parsed = try parsed()
            verdict.missing = PolicyStart.missing(UndeclaredCodes(in: parsed, declared: declared))
            let report = PolicyCheck.check(parsed, currency: call.library.currency, declared: declared)
            verdict.findings = report.findings.map(Self.shown)
            guard report.isOK, let checked = report.policy else {
                verdict.counts = say("The policy has errors.")
                return verdict
            }
            policy = checked
        } catch {
            verdict.findings = [Self.shown(error)]
            verdict.counts = say("The policy cannot be read.")
            return verdict
        }
        let passes = tests.trimmingSpaces().isEmpty || run(policy, &verdict)
        let holds = !withProof || prove(policy, declared, call.library.currency, &verdict)
        if passes && holds { verdict.policy = policy }
        verdict.counts = Self.summary(passes: passes, holds: holds, hasWarnings: !verdict.findings.isEmpty)
        return verdict
    }

    /// Whether a policy without faults can be used, and why not.
    private static func summary(passes: Bool, holds: Bool, hasWarnings: Bool) -> String {
        switch (passes, holds) {
        case (false, true): say("It cannot be used: its tests do not pass.")
        case (true, false): say("It cannot be used: it does not keep what it promises.")
        case (false, false): say("It cannot be used: its tests do not pass, and it does not keep what it promises.")
        case (true, true): hasWarnings ? say("The policy can be used, but check the warnings.") : say("It can be used.")
        }
    }

    /// Codes that the draft names and that the library does not have; none where it cannot be read.
    ///
    /// - Throws: what the store throws.
    func missing(_ call: PageCall) throws -> [[String: Any]] {
        guard let parsed = try? parsed() else { return [] }
        return PolicyStart.missing(UndeclaredCodes(in: parsed, declared: try Self.declared(call)))
    }

    private func parsed() throws(PolicyFailure) -> ParsedPolicy {
        try ParsedPolicy(name: files[0].name, source: files[0].source) { name in
            files.first { $0.name == name }?.source
        }
    }

    private static func declared(_ call: PageCall) throws -> DeclaredValues {
        try call.context.look { session in
            DeclaredValues(
                categories: try session.settings.categories(), itemTypes: try session.settings.itemTypes(),
                branches: try session.settings.branches(), fields: try session.settings.customFields())
        }
    }

    private var testFile: String { files[0].name.replacing(".lua", with: "") + "_test.lua" }

    private func run(_ policy: ParsedPolicy, _ verdict: inout Verdict) -> Bool {
        do {
            let report = try PolicyTestRun.run(policy, tests: tests, file: testFile)
            let passed = PageWords.count(Int64(report.passed), "test passes", "tests pass")
            verdict.testWords = report.failed > 0 ? say("\(passed), \(report.failed) fail.") : "\(passed)."
            verdict.tests = report.tests.filter { $0.status != .pass }.map { test in
                [
                    "name": PageWords.safe(test.name), "line": test.line,
                    "message": PageWords.safe(test.message ?? test.status.rawValue),
                ]
            }
            return report.isOK
        } catch {
            verdict.testWords = say("The tests cannot be run: \(PageWords.safe("\(error)"))")
            return false
        }
    }

    private func prove(
        _ policy: ParsedPolicy, _ declared: DeclaredValues, _ currency: Currency, _ verdict: inout Verdict
    ) -> Bool {
        let proof = PolicyProof(
            policy, tests: tests.trimmingSpaces().isEmpty ? nil : (tests, testFile), codes: declared.codesForProofs,
            currency: currency, time: Self.timeOfProof)
        do {
            let report = try proof.report()
            verdict.proofWords = say("Promises: \(report.summary).")
            verdict.proof = report.results.filter { $0.status != .proved }.map { result -> [String: Any] in
                var fields: [String: Any] = [
                    "name": PageWords.safe(result.name), "point": result.point.rawValue,
                    "status": result.status.rawValue, "isRefuted": result.status == .refuted,
                ]
                fields["test"] = result.test.flatMap { PageWords.safe(.string($0)) }
                return fields
            }
            return report.isOK
        } catch {
            verdict.proofWords = say("Nothing could be proved: \(PageWords.safe("\(error)"))")
            return true
        }
    }

    static func shown(_ finding: Finding) -> [String: Any] {
        var fields: [String: Any] = [
            "file": PageWords.safe(finding.file), "line": finding.position.line,
            "isError": finding.severity == .error, "message": PageWords.safe(finding.message),
        ]
        // An empty text would count as one.
        fields["suggestion"] = finding.suggestion.flatMap { PageWords.safe(.string($0)) }
        return fields
    }

    private static func shown(_ failure: PolicyFailure) -> [String: Any] {
        [
            "file": PageWords.safe(failure.file ?? ""), "line": failure.line ?? 1, "isError": true,
            "message": PageWords.safe(failure.message),
        ]
    }
}
