import ArgumentParser
import Circulation
import Desk
import Prover
import Reports
import Scripting
import TextFormats
import Workbench

/// `moonshelf policy use FILE`
struct PolicyUseCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Check a policy, run its tests, and put it into force.",
        discussion: """
            What is checked, with the library's own categories, item types and branches, is what is tested and put into \
            force: each file is read once. Every process on the store uses it from its next decision on. If anything fails, nothing changes. No due \
            date moves; loans that were made keep the version that decided them, unless --retroactive lets this one \
            decide about their fines, loss and return: then it says how many loans and how much money that concerns, \
            and asks. A promise beside the tests (never, always, same) that a case breaks is a fault like a test that fails; \
            those that are neither proved nor refuted in 20 seconds are only counted, unless --require-proof is given. \
            Of a policy that a promise names (policy_file) only the SHA-256 is told; it does not come into force.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The policy.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var file: String

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Option(help: ArgumentHelp("When it comes into force; otherwise at once.", valueName: "DATE"))
    var from: String?

    @Flag(help: "Let it decide about open loans as well: fines, loss and return.")
    var retroactive = false

    @Flag(help: "With --retroactive: do not ask.")
    var yes = false

    @Flag(help: "Refuse a policy without tests.")
    var requireTests = false

    @Flag(help: "Refuse a policy with a promise that is not proved.")
    var requireProof = false

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if yes && !retroactive { throw ValidationError("--yes goes with --retroactive.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try GivenFile.require(file, "policy")
        let desk = try workplace.desk(.writing)
        let console = workplace.console
        let (settings, declared) = try desk.read { (try $0.settings.library(), try DeclaredValues(of: $0)) }
        // The files are read once, here: what is checked and tested is what comes into force.
        let check = PolicyCheck.check(
            file: file, from: workplace.sources, currency: settings.currency, declared: declared)
        if !check.isOK || !json && !check.findings.isEmpty { console.note(SafeText.lines(check.text)) }
        guard check.isOK, let policy = check.policy else {
            throw CommandFailure(
                .refused, code: "check_failed", message: "The policy has faults; nothing was changed.", file: file)
        }
        let bundle = policy.bundle
        let tested = try test(policy, workplace.sources, console)
        let promises = try prove(policy, declared, settings.currency, workplace.sources, console)
        let start = try from.map { try PolicyUseCommand.instant($0, in: settings.zone) }
        var effect: JSON?
        if retroactive { effect = try RetroactivePrompt(bundle, desk, settings).asked(console, yes: yes) }
        let outcome = try desk.write { session in
            let outcome = try session.policies.activate(bundle, from: start, note: note, retroactive: retroactive)
            if outcome.refusal == nil, let promises { try session.policies.keep(promises.kept, of: bundle.sha256) }
            return outcome
        }
        let activation = try outcome.orFailure(in: file)
        let done = Done(
            activation: activation, bundle: bundle, tested: tested, promises: promises, effect: effect, check: check)
        try tell(done, desk, console)
        return .done
    }

    /// What was done, for the output.
    private struct Done {
        var activation: PolicyActivation
        var bundle: PolicyBundle
        var tested: String
        /// What became of the promises beside the tests, if there are any.
        var promises: ProofReport?
        var effect: JSON?
        var check: PolicyCheck.Report
    }

    private func tell(_ done: Done, _ desk: Desk, _ console: Console) throws {
        let activation = done.activation
        let now = try desk.read { $0.now }
        if json {
            var object = PolicyVersions.json(activation, files: done.bundle.files.map(\.name))
            if let effect = done.effect { object["retroactive_effect"] = effect }
            if let promises = done.promises {
                object["promises"] = promises.counts
                if !promises.others.isEmpty { object["held_against"] = promises.othersJSON }
            }
            if !done.check.findings.isEmpty { object["findings"] = done.check.json["findings"] }
            console.print(json: .object(object))
            return
        }
        let begins = activation.effectiveFrom > now ? "To come into force" : "In force"
        let promises = done.promises.map { "\nPromises: \($0.summary)." } ?? ""
        console.print("\(done.tested)\(promises)\n\(begins): \(PolicyVersions.line(activation))")
        for other in done.promises?.others ?? [] {
            console.note(
                "note: it was held against \(other.file) as it is now; that file is not kept with the policy, nor looked at"
                    + " again until the next 'policy use' or 'policy prove'.")
        }
        guard activation.effectiveFrom <= now else { return }
        for later in try desk.read({ try $0.policies.upcoming() }) {
            console.note(
                "note: \(PolicyVersions.line(later)) follows; 'moonshelf policy cancel \(later.policy.prefix(8))' takes it"
                    + " back.")
        }
    }

    /// The number of passed tests, in words.
    private func test(_ policy: ParsedPolicy, _ files: SourceFiles, _ console: Console) throws -> String {
        guard let tests = try PolicyTests.beside(file, from: files) else {
            if requireTests {
                throw CommandFailure(
                    .refused, code: "no_tests", message: "The policy has no tests; nothing was changed.", file: file)
            }
            if !json { console.note("warning: there are no tests beside \(file).") }
            return "0 tests."
        }
        let report = try tests.run(policy)
        guard report.isOK else {
            console.note(SafeText.lines(report.text))
            throw CommandFailure(
                .refused, code: "tests_failed",
                message: "\(report.failed == 1 ? "A test" : "\(report.failed) tests") failed; nothing was changed.",
                file: tests.path)
        }
        if let effort = report.greatestEffort, effort.instructions >= PolicyTestRun.instructionsOfAnswer / 10 {
            throw CommandFailure(
                .refused, code: "too_much_work",
                message: "In a test this function did \(effort.instructions) steps; an answer is ended after"
                    + " \(PolicyTestRun.instructionsOfAnswer), and a tenth of that is too much for the desk."
                    + " Nothing was changed.",
                file: effort.file, line: effort.line)
        }
        let todo = report.todo > 0 ? ", \(report.todo) still to do" : ""
        return "\(report.passed) \(report.passed == 1 ? "test" : "tests") passed\(todo)."
    }

    /// How long proofs may take before a policy comes into force.
    private static let timeOfProof = Duration.seconds(20)

    /// What becomes of the promises beside the tests; nil without any, and where there is no solver.
    private func prove(
        _ policy: ParsedPolicy, _ declared: DeclaredValues, _ currency: Currency, _ files: SourceFiles,
        _ console: Console
    ) throws -> ProofReport? {
        guard let tests = try PolicyTests.beside(file, from: files), tests.declaresPromises else { return nil }
        var proof = PolicyProof(
            policy, tests: (tests.source, tests.path), folder: tests.folder, codes: declared.codesForProofs,
            currency: currency, time: Self.timeOfProof)
        proof.withBuiltIn = false
        let report: ProofReport
        do {
            report = try proof.report()
        } catch let error as ProofError where !requireProof {
            console.note("note: the promises beside the tests were not proved. \(error.words)")
            return nil
        } catch {
            throw PolicyProveCommand.failure(error)
        }
        guard report.isOK, !requireProof || report.count(.unknown) == 0 else {
            console.note(SafeText.lines(report.text))
            let which = report.isOK ? "not proved" : "broken by a case"
            throw CommandFailure(
                .refused, code: "not_proved", message: "A promise is \(which); nothing was changed.", file: tests.path)
        }
        return report.results.isEmpty ? nil : report
    }

    /// The beginning of a day in the library's zone, or an instant.
    static func instant(_ text: String, in zone: Zone, of option: String = "--from") throws -> Instant {
        if let date = try? CivilDate(parsing: text) { return zone.instant(of: date, .midnight) }
        if let instant = try? Instant(parsing: text, in: zone) { return instant }
        throw CommandFailure.usage("\(option): '\(text)' is not a date; expected 2026-12-24.")
    }
}
