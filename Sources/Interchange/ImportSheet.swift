package import Circulation
import Desk
package import TextFormats

/// The report of an import that is read, checked and signed.
package struct ImportSheet {
    package var report: ImportReport
    package var library: String
    package var paths: [String]
    package var isTrial: Bool
    /// What was chosen for the loans, in words.
    package var choices: [String]

    package init(_ report: ImportReport, library: String, paths: [String], isTrial: Bool, choices: [String]) {
        self.report = report
        self.library = library
        self.paths = paths
        self.isTrial = isTrial
        self.choices = choices
    }

    /// One line for each total that a record of the files can change: before, after, and what the records say.
    struct Check {
        var name: String
        var before: Int64
        var after: Int64
        /// How many records were added; nil where other records add such things as well.
        var told: Int64?

        var difference: Int64 { after - before }
        var agrees: Bool { told.map { $0 == difference } ?? true }
    }

    var checks: [Check] {
        guard let (before, after) = report.totals.map({ ($0.before, $0.after) }) else { return [] }
        func added(_ kind: String) -> Int64 { report.kinds.counts[kind]?.added ?? 0 }
        return [
            Check(name: "titles", before: before.titles, after: after.titles),
            Check(name: "copies", before: before.copies, after: after.copies),
            Check(name: "patrons", before: before.patrons, after: after.patrons, told: added("patrons")),
            Check(name: "loans", before: before.loans, after: after.loans, told: added("loans")),
            Check(
                name: "open loans", before: before.openLoans, after: after.openLoans, told: report.arrivals.open),
        ]
    }

    /// Whether the tables hold as much more as the records say.
    package var agrees: Bool { checks.allSatisfy(\.agrees) }

    /// For programs.
    package var json: JSON {
        var object = report.json.objectValue ?? [:]
        object["library"] = .string(library)
        object["paths"] = .array(paths.map { .string($0) })
        object["is_trial"] = .bool(isTrial)
        object["choices"] = .array(choices.map { .string($0) })
        if let totals = report.totals {
            object["before"] = totals.before.json
            object["after"] = totals.after.json
            object["agrees"] = .bool(agrees)
        }
        return .object(object)
    }

    /// For people.
    package var document: ReportDocument {
        var document = ReportDocument(title: isTrial ? "What would be moved in" : "What was moved in")
        document.parameters = [ReportParameter(name: "library", value: .text(library))]
        document.parameters += paths.map { ReportParameter(name: "file", value: .text($0)) }
        document.blocks = [.text(summary)]
        document.blocks += kindBlocks + totalBlocks + loanBlocks + choiceBlocks + problemBlocks + signature
        return document
    }

    private var summary: String {
        let kept = isTrial ? " It was tried only: nothing of it is kept." : ""
        return "\(report.read) records read, \(report.added) added, \(report.updated) updated, "
            + "\(report.unchanged) unchanged, \(report.repaired) repaired, \(report.rejected) rejected.\(kept)"
    }

    private var kindBlocks: [ReportBlock] {
        guard !report.kinds.sorted.isEmpty else { return [] }
        let rows = report.kinds.sorted.map { kind, count in
            [
                ReportValue.text(kind.replacing("_", with: " ")), .integer(count.added), .integer(count.updated),
                .integer(count.unchanged),
            ]
        }
        let columns = [ReportColumn(name: "records")] + Self.numbers("added", "updated", "unchanged")
        return [.section("What came in"), .table(ReportTable(title: "By kind", columns: columns, rows: rows))]
    }

    private var totalBlocks: [ReportBlock] {
        guard let totals = report.totals else { return [] }
        let rows = checks.map { check in
            [
                ReportValue.text(check.name), .integer(check.before), .integer(check.after),
                .integer(check.difference), check.told.map { .integer($0) } ?? .none,
                .text(check.told == nil ? "" : check.agrees ? "agrees" : "DIFFERS"),
            ]
        }
        let columns =
            [ReportColumn(name: "in the store")] + Self.numbers("before", "after", "more", "by the records")
            + [ReportColumn(name: "check")]
        var blocks: [ReportBlock] = [
            .section("What is there now"),
            .table(ReportTable(title: "Counted in the store", columns: columns, rows: rows)),
            .metric(
                ReportMetric(
                    name: "Owed by patrons", value: .text(totals.after.owed.description), unit: nil,
                    note: "\(totals.after.debtors) patrons owe something")),
        ]
        if !agrees {
            blocks.append(
                .text("Where the check differs, others have worked at the desk meanwhile, or something is wrong."))
        }
        for (title, counts) in [
            ("Copies by branch", totals.after.copiesByBranch), ("Copies by item type", totals.after.copiesByItemType),
            ("Patrons by category", totals.after.patronsByCategory),
        ] { blocks += Self.table(title, counts) }
        return blocks
    }

    private var loanBlocks: [ReportBlock] {
        let loans = report.arrivals
        guard loans.loans > 0 else { return [] }
        var rows: [(String, Int64)] = [
            ("open", loans.open), ("of these past their due time", loans.overdue),
            ("of these decided by a policy of this library", loans.decided),
            ("of these with the policy's due time", loans.dueByPolicy), ("past", loans.past),
        ]
        for missing in ArrivalReport.Missing.allCases {
            if let count = loans.lacking[missing] { rows.append(("not returned, \(missing.words)", count)) }
        }
        var blocks: [ReportBlock] = [
            .section("Loans"),
            .table(
                ReportTable(
                    title: "What became of them", columns: [ReportColumn(name: "loans")] + Self.numbers("number"),
                    rows: rows.filter { $0.1 > 0 }.map { [.text($0.0), .integer($0.1)] })),
        ]
        blocks += Self.table("Loans by branch", loans.byBranch)
        blocks += Self.table("Loans by category", loans.byCategory)
        blocks += Self.table("Loans by item type", loans.byItemType)
        if !loans.refused.isEmpty {
            blocks += Self.table("Loans that the policy would have refused, by reason", loans.refused)
            blocks.append(.text(loans.examples.map(\.words).joined(separator: "\n")))
        }
        return blocks
    }

    private var choiceBlocks: [ReportBlock] {
        choices.isEmpty ? [] : [.section("What was decided, to be checked"), .text(choices.joined(separator: "\n"))]
    }

    private var problemBlocks: [ReportBlock] {
        guard !report.problems.isEmpty else { return [] }
        var kinds: [String: (severity: ImportProblem.Severity, count: Int64, example: String)] = [:]
        for problem in report.problems {
            let known = kinds[problem.code]
            kinds[problem.code] = (problem.severity, (known?.count ?? 0) + 1, known?.example ?? problem.description)
        }
        let rows = kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { code, kind in
            [
                ReportValue.text(code), .text(kind.severity == .error ? "rejected" : "note"), .integer(kind.count),
                .text(kind.example),
            ]
        }
        var blocks: [ReportBlock] = [
            .section("Problems"),
            .table(
                ReportTable(
                    title: "By kind",
                    columns: [
                        ReportColumn(name: "kind"), ReportColumn(name: "severity"),
                        ReportColumn(name: "number", type: .integer), ReportColumn(name: "the first"),
                    ], rows: rows)),
        ]
        if report.omittedProblems > 0 {
            blocks.append(.text("\(report.omittedProblems) more were found after these and are not in the table."))
        }
        return blocks
    }

    private var signature: [ReportBlock] {
        [
            .section("Checked"),
            .text("Date: ______________________"), .text("Name and signature: ____________________________________"),
        ]
    }

    private static func numbers(_ names: String...) -> [ReportColumn] {
        names.map { ReportColumn(name: $0, type: .integer) }
    }

    private static func table(_ title: String, _ counts: [String: Int64]) -> [ReportBlock] {
        guard !counts.isEmpty else { return [] }
        let rows = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [
            .table(
                ReportTable(
                    title: title, columns: [ReportColumn(name: "code")] + numbers("number"),
                    rows: rows.map { [.text($0.key), .integer($0.value)] }))
        ]
    }
}

extension ArrivalReport.Missing {
    fileprivate var words: String {
        switch self {
        case .patron: "without a known patron: kept for statistics"
        case .due: "without a due time: kept for statistics"
        case .copy: "without a copy at hand: kept for statistics"
        }
    }
}
