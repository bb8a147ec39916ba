import ArgumentParser
import Circulation
import Desk
import Prover
import Scripting
import TextFormats
import Workbench

/// What the commands that compare two policies have in common.
struct ComparisonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Look at this decision point alone; may be repeated.", valueName: "POINT"))
    var point: [DecisionPoint] = []

    @Option(help: ArgumentHelp("How long it may take.", valueName: "SECONDS"))
    var timeLimit: Double = 60

    func validate() throws {
        if !(0...86_400).contains(timeLimit) { throw ValidationError("--time-limit is 0 to 86400.") }
    }

    /// - Parameter names: files, or the beginnings of versions' SHA-256.
    func report(
        _ names: (String, String), by judgement: PolicyJudgement, in workplace: Workplace
    ) throws -> ComparisonReport {
        var compared = ComparedPolicies(try policy(names.0, workplace), try policy(names.1, workplace))
        compared.judgement = judgement
        compared.points = Set(point)
        compared.time = .milliseconds(Int64(timeLimit * 1_000))
        return try Self.report(compared, inStore: workplace.namesStore(), workplace)
    }

    /// - Parameter isOfStore: whether the codes of the cases are those of the store.
    static func report(
        _ policies: ComparedPolicies, inStore isOfStore: Bool, _ workplace: Workplace
    ) throws -> ComparisonReport {
        var compared = policies
        if isOfStore {
            (compared.codes, compared.currency) = try workplace.desk(.reading).read { session in
                (try DeclaredValues(of: session).codesForProofs, try session.settings.library().currency)
            }
        }
        let shown = ProgressLine(workplace.console)
        defer { workplace.console.endProgress() }
        do {
            return try compared.report { shown.show($0) }
        } catch {
            throw PolicyProveCommand.failure(error)
        }
    }

    private func policy(_ name: String, _ workplace: Workplace) throws -> ParsedPolicy {
        if try workplace.namesStore() {
            let found = try workplace.desk(.reading).read { try PolicyVersions(session: $0).find(name)?.bundle }
            if let found { return ParsedPolicy(found, fields: try workplace.knownFields()) }
        }
        return try workplace.policy(file: name)
    }
}

/// `moonshelf policy compare A B`
struct PolicyCompareCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Find all cases that two policies decide differently.",
        discussion: """
            At every decision point, functions included: regions such as "category child, 2 loans of dvd or more", each \
            with what changes and one small case that the desk itself decides both ways; or "equal for every case". What \
            cannot be found out is said with its line and why. A and B are files or, over a store, beginnings of versions' \
            SHA-256; over a store its own categories, item types and branches are those of the cases. Ends with 0 if \
            the two are equal for every case, otherwise with 1.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("A file, or a version's SHA-256.", valueName: "A"), completion: .file(extensions: ["lua"]))
    var before: String

    @Argument(
        help: ArgumentHelp("What it is compared with.", valueName: "B"), completion: .file(extensions: ["lua"]))
    var after: String

    @OptionGroup var comparison: ComparisonOptions

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let report = try comparison.report((before, after), by: .differs, in: workplace)
        workplace.console.print(report, json: json)
        return report.isEqual ? .done : .refused
    }
}

/// `moonshelf policy refines BASE BRANCH`
struct PolicyRefinesCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "refines", abstract: "Prove that a branch's policy only tightens the consortium's.",
        discussion: """
            It allows no more, lends no longer, and charges no less, for every case that there can be. What it loosens is \
            shown as regions, each with one small case that the desk itself decides so. BASE and BRANCH are files or, over \
            a store, beginnings of versions' SHA-256. Ends with 1 if anything is loosened, with --require-proof also if \
            anything is unknown.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The policy that must be kept to.", valueName: "BASE"),
        completion: .file(extensions: ["lua"]))
    var base: String

    @Argument(
        help: ArgumentHelp("The one that may be tighter.", valueName: "BRANCH"), completion: .file(extensions: ["lua"]))
    var branch: String

    @OptionGroup var comparison: ComparisonOptions

    @Flag(help: "End with 1 where anything is unknown as well.")
    var requireProof = false

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let report = try comparison.report((base, branch), by: .loosens, in: workplace)
        workplace.console.print(report, json: json)
        return report.regions > 0 || requireProof && report.unknown > 0 ? .refused : .done
    }
}

extension Console {
    fileprivate func print(_ report: ComparisonReport, json isJSON: Bool) {
        if isJSON { print(json: report.json) } else { print(SafeText.lines(report.text)) }
    }
}
