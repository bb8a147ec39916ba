import ArgumentParser
import Circulation
import Desk
import Languages
import Scripting
import Storage
import TextFormats

/// `moonshelf report`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Build simple reports, and list what they can count.",
        subcommands: [ReportBuildCommand.self, ReportMeasuresCommand.self])
}

/// `moonshelf report build`
struct ReportBuildCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Write a simple report as a script: what is counted, by what and when.",
        discussion: """
            'moonshelf report measures' lists what can be counted and by what it can be split. The script goes to standard \
            output or into a new file, in the language of 'moonshelf.toml'; 'moonshelf run' runs it.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(
        help: ArgumentHelp("What is counted.", valueName: "MEASURE"),
        completion: .list(FigureMeasure.all.map(\.name)))
    var measure = FigureMeasure.all[0].name
    @Option(
        help: ArgumentHelp(
            "By what it is split: once for rows, a second time for columns.", valueName: "DIMENSION"),
        completion: .list(FigureDimension.allCases.map(\.rawValue)))
    var by: [String] = []
    @Option(
        help: ArgumentHelp(
            "Which days count: last_month, 2026, 2026-12 or 2026-09-01..2026-12-31 (default: last_12_months).",
            valueName: "SPAN"))
    var span: String?
    @Option(help: ArgumentHelp("Only this branch and those below it.", valueName: "CODE")) var branch: String?
    @Option(help: ArgumentHelp("Only patrons of this category and of those below it.", valueName: "CODE")) var category:
        String?
    @Option(help: ArgumentHelp("Only this item type and those below it.", valueName: "CODE")) var itemType: String?
    @Option(
        help: ArgumentHelp("bar, line, area, pie or none.", valueName: "CHART"),
        completion: .list(ReportChoice.Chart.allCases.map(\.rawValue)))
    var chart = ReportChoice.Chart.bar.rawValue
    @Option(help: ArgumentHelp("Write the script into a file.", valueName: "FILE"), completion: .file())
    var output: String?
    @Flag(help: "Answer in JSON: the usual name, the title and the script.") var json = false

    func validate() throws {
        if by.count > 2 { throw ValidationError("--by is given twice at most: for rows and for columns.") }
        if json, output != nil { throw ValidationError("Give --json or --output, not both.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        var fields = ["measure": measure, "chart": chart]
        fields["rows"] = by.first
        fields["columns"] = by.count > 1 ? by[1] : nil
        fields["span"] = span
        (fields["branch"], fields["category"], fields["item_type"]) = (branch, category, itemType)
        let choice = try choice(fields, workplace)
        let script = ReportScript(choice, in: try workplace.appearanceSettings().languages.standard)
        if json {
            workplace.console.print(
                json: ["name": .string(choice.name), "title": .string(script.title), "script": .string(script.text)])
        } else if let output {
            try WholeFile.write(script.text, to: output, isPublic: true)
        } else {
            workplace.console.write(script.text)
        }
        return .done
    }

    /// Codes are looked up where there is a store.
    private func choice(_ fields: [String: String], _ workplace: Workplace) throws -> ReportChoice {
        let known = try workplace.known { session -> [FigureDimension: [String]] in
            [
                .branch: try session.settings.branches().map(\.code),
                .category: try session.settings.categories().map(\.code),
                .itemType: try session.settings.itemTypes().map(\.code),
            ]
        }
        let zone = try workplace.known { try $0.settings.library().zone } ?? .utc
        do {
            return try ReportChoice(fields, today: zone.date(of: try workplace.clock().now())) { dimension, code in
                known?[dimension]?.contains(code) ?? true
            }
        } catch let error as ReportChoiceError {
            throw CommandFailure.usage(error.message)
        }
    }
}

/// `moonshelf report measures`
struct ReportMeasuresCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "measures", abstract: "List what simple reports count, and by what each can be split.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions
    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        if json {
            workplace.console.print(json: .array(FigureMeasure.all.map(Self.json)))
            return .done
        }
        for measure in FigureMeasure.all {
            workplace.console.print("\(measure.name): \(measure.summary)")
            let words = measure.dimensions.map { $0.isForColumns ? $0.rawValue : "\($0.rawValue) (rows)" }
            workplace.console.print("  by \(words.joined(separator: ", "))")
        }
        return .done
    }

    private static func json(_ measure: FigureMeasure) -> JSON {
        func names(_ dimensions: [FigureDimension]) -> JSON { .array(dimensions.map { .string($0.rawValue) }) }
        return [
            "name": .string(measure.name), "summary": .string(measure.summary), "has_span": .bool(measure.isOfTime),
            "is_amount": .bool(measure.isAmount), "rows": names(measure.dimensions),
            "columns": names(measure.dimensions.filter(\.isForColumns)), "limits": names(measure.filters),
        ]
    }
}
