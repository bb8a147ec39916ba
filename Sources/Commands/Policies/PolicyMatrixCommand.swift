import ArgumentParser
import Circulation
import Desk
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
            rest. Says which rows never match, with the rows before them, and which combinations no row covers. Where a \
            function decides, or what a combination does not say, a value 'depends'. Without FILE the policy in force is \
            shown. Combinations alike stand in one line; --csv and --json have them all. With --diff only what OTHER \
            changes is shown: 'before' is FILE, 'after' is OTHER.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The policy.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var file: String?

    @Option(
        help: ArgumentHelp("A file, or a version's SHA-256.", valueName: "OTHER"),
        completion: .file(extensions: ["lua"]))
    var diff: String?

    @Flag(help: "Answer in JSON.") var json = false

    @Flag(help: "Write a table for a spreadsheet, a line for each combination.")
    var csv = false

    @Option(
        help: ArgumentHelp("Also write a page with colours.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    func validate() throws {
        try FileEnding.checkPage(html)
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
            let matrix = PolicyMatrix(policy, dimensions: dimensions)
            if let other {
                let difference = MatrixDifference(from: matrix, to: PolicyMatrix(other, dimensions: dimensions))
                print(difference, workplace.console)
                if let html { try WholeFile.write(page: difference.html, to: html, workplace.console) }
            } else {
                print(matrix, workplace.console)
                if let html { try WholeFile.write(page: matrix.html, to: html, workplace.console) }
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
        let usesStore = try workplace.namesStore() || (file == nil && workplace.policyFile == nil)
        if usesStore {
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

    // MARK: - Output

    private func print(_ matrix: PolicyMatrix, _ console: Console) {
        if json {
            console.print(json: matrix.json)
        } else if csv {
            render(matrix.table, as: .csv, console)
        } else {
            render(matrix.summary, as: .table, console)
            let functions = matrix.points.map(\.rawValue).joined(separator: ", ")
            console.print("\n\(matrix.cells.count) combinations.")
            if !functions.isEmpty {
                console.print("The functions of the policy may decide otherwise: \(functions).")
            }
            for complaint in matrix.complaints { console.print(SafeText.line(complaint)) }
        }
    }

    private func print(_ difference: MatrixDifference, _ console: Console) {
        if json {
            console.print(json: difference.before.json(difference))
        } else if csv {
            render(difference.table, as: .csv, console)
        } else {
            if difference.count > 0 { render(difference.summary, as: .table, console) }
            console.print("\(difference.count) of \(difference.before.cells.count) combinations change.")
            if let note = difference.note { console.print(note) }
        }
    }

    private func render(_ table: ReportTable, as format: ReportFormat, _ console: Console) {
        let options = RenderOptions(
            usesColour: console.output.usesColour, width: console.output.isTerminal ? console.output.width : nil)
        console.write(format.render(ReportDocument(blocks: [.table(table)]), options: options))
    }
}
