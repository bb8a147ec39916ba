import ArgumentParser
import Circulation
import Desk
import Prover
import Reports
import Scripting
import TextFormats
import Workbench

/// `moonshelf policy matrix`
struct PolicyMatrixCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "matrix", abstract: "Show what every combination of category, item type and branch gets.",
        discussion: """
            The combinations are the store's, if one is named; otherwise the policy's own values and 'other' for all the \
            rest. Says which rows never match, with the rows before them, and which combinations no row covers. Where more \
            is asked than a combination says, each outcome has its condition, also those of functions ("`patron.fees_owed` \
            >= 10.00 EUR: refused, fees_owed"); what cannot be found out of a function is said with its line and why. \
            Without FILE the policy in force is shown. Combinations alike stand in one line; --csv and --json have them \
            all. With --diff only what OTHER changes is shown: 'before' is FILE, 'after' is OTHER; then, for all cases and \
            decision points, what the two decide differently, as 'policy compare' shows it.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The policy.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var file: String?

    @Option(
        help: ArgumentHelp("A file, or a version's SHA-256.", valueName: "OTHER"),
        completion: .file(extensions: ["lua"]))
    var diff: String?

    @Option(help: ArgumentHelp("How long it may take to follow the functions.", valueName: "SECONDS"))
    var timeLimit: Double = 20

    @Flag(help: "Answer in JSON.") var json = false

    @Flag(help: "Write a table for a spreadsheet, a line for each combination.")
    var csv = false

    @Option(
        help: ArgumentHelp("Also write a page with colours.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    func validate() throws {
        try FileEnding.checkPage(html)
        if !(0...86_400).contains(timeLimit) { throw ValidationError("--time-limit is 0 to 86400.") }
        if json && csv { throw ValidationError("Give --json or --csv, not both.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        do {
            let currency = try workplace.knownCurrency()
            let policy = try LuaPolicy(parsed(in: workplace), currency: currency, limits: Self.limits)
            let other = try diff.map {
                try LuaPolicy(self.other($0, workplace), currency: currency, limits: Self.limits)
            }
            let tables = [policy.tables.source] + (other.map { [$0.tables.source] } ?? [])
            let dimensions = try dimensions(namedBy: tables, workplace)
            let usesStore = try usesStore(workplace)
            let codes =
                try usesStore
                ? workplace.desk(.reading).read { try DeclaredValues(of: $0).codesForProofs } : ProofDomain.Codes()
            func functions(of policy: LuaPolicy) -> MatrixFunctions {
                MatrixFunctions(
                    policy, codes: codes, currency: currency, time: .milliseconds(Int64(timeLimit * 1_000)))
            }
            let found = functions(of: policy)
            var shown = PolicyMatrix(policy, dimensions: dimensions, found)
            if let other {
                var compared = ComparedPolicies(policy.parsed, other.parsed)
                (compared.time, compared.currency) = (.milliseconds(Int64(timeLimit * 1_000)), currency)
                let decisions = try ComparisonOptions.report(compared, inStore: usesStore, workplace)
                let changed = PolicyMatrix(other, dimensions: shown.dimensions, functions(of: other))
                if changed.dimensions != shown.dimensions {
                    shown = PolicyMatrix(policy, dimensions: changed.dimensions, found)
                }
                let difference = MatrixDifference(from: shown, to: changed, decisions)
                print(difference, workplace.console)
                if let html { try WholeFile.write(page: difference.html, to: html, workplace.console) }
            } else {
                print(shown, workplace.console)
                if let html { try WholeFile.write(page: shown.html, to: html, workplace.console) }
            }
            return .done
        } catch let problems as PolicyProblems {
            throw problems.failure
        }
    }

    private static let limits = LuaPolicy.limitsForChecking

    private func parsed(in workplace: Workplace) throws -> ParsedPolicy {
        if let path = file ?? workplace.policyFile { return try workplace.policy(file: path) }
        return try workplace.desk(.reading).read { session in
            guard let found = try PolicyVersions(session: session).find(nil) else {
                throw CommandFailure(.refused, code: "no_policy", message: PolicyVersions.none)
            }
            return ParsedPolicy(found.bundle, fields: try session.settings.customFields())
        }
    }

    private func other(_ name: String, _ workplace: Workplace) throws -> ParsedPolicy {
        if try workplace.namesStore() || file == nil {
            let found = try workplace.desk(.reading).read { try PolicyVersions(session: $0).find(name)?.bundle }
            if let found { return ParsedPolicy(found, fields: try workplace.knownFields()) }
        }
        return try workplace.policy(file: name)
    }

    private func dimensions(namedBy tables: [PolicyTables], _ workplace: Workplace) throws -> MatrixDimensions {
        var dimensions = MatrixDimensions(namedBy: tables)
        if try usesStore(workplace) {
            dimensions = try workplace.desk(.reading).read { session in
                MatrixDimensions(
                    categories: try session.settings.categories(), itemTypes: try session.settings.itemTypes(),
                    branches: try session.settings.branches())
            }
        }
        guard let count = dimensions.count, count <= PolicyMatrix.mostCombinations else {
            throw CommandFailure.usage("More than \(PolicyMatrix.mostCombinations) combinations are not shown.")
        }
        guard count > 0 else {
            throw CommandFailure(
                .refused, code: "no_combinations",
                message: "The store declares no categories, no item types or no branches; without --store the"
                    + " policy's own values are used.")
        }
        return dimensions
    }

    private func usesStore(_ workplace: Workplace) throws -> Bool {
        try workplace.namesStore() || (file == nil && workplace.policyFile == nil)
    }

    // MARK: - Output

    private func print(_ matrix: PolicyMatrix, _ console: Console) {
        if json {
            console.print(json: matrix.json)
        } else if csv {
            render(matrix.table, as: .csv, console)
        } else {
            renderForReading(matrix.summary, console)
            console.print("\n\(matrix.cells.count) combinations.")
            let decisions = matrix.decisions
            if !decisions.rows.isEmpty {
                console.print("\nWhat functions decide:")
                renderForReading(decisions, console)
            }
            let complaints = matrix.complaints
            for complaint in complaints.prefix(Self.mostLines) { console.print(SafeText.line(complaint)) }
            if complaints.count > Self.mostLines {
                let more = complaints.count - Self.mostLines
                console.print("\(more) more rows and combinations to look at; --json has all.")
            }
        }
    }

    private func print(_ difference: MatrixDifference, _ console: Console) {
        if json {
            console.print(json: difference.before.json(difference))
        } else if csv {
            render(difference.table, as: .csv, console)
        } else {
            if difference.count > 0 { renderForReading(difference.summary, console) }
            console.print("\(difference.count) of \(difference.before.cells.count) combinations change.")
            console.print("\nDecisions:\n" + SafeText.lines(difference.decisions.text))
        }
    }

    /// People read so many lines of a table.
    private static let mostLines = 500

    private func renderForReading(_ table: ReportTable, _ console: Console) {
        render(table.first(Self.mostLines), as: .table, console)
        let more = table.rows.count - Self.mostLines
        if more > 0 { console.print("\(more) more lines; --csv and --json have all.") }
    }

    private func render(_ table: ReportTable, as format: ReportFormat, _ console: Console) {
        let options = RenderOptions(
            usesColour: console.output.usesColour, width: console.output.isTerminal ? console.output.width : nil)
        console.write(format.render(ReportDocument(blocks: [.table(table)]), options: options))
    }
}
