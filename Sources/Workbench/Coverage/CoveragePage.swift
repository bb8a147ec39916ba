import Circulation
import Foundation
package import LuaSyntax
import Reports
import Scripting

/// The source of a policy as a page of HTML: what ran in tests, what did not, and each change that no test noticed.
///
/// One file without scripts; it follows the reader's light or dark colours.
package struct CoveragePage {
    private let name: String
    private let sources: [(name: String, text: SourceText)]
    private let report: PolicyTestReport

    /// - Parameters:
    ///   - name: of the policy, for the title.
    ///   - sources: its files, the policy's own first.
    package init(name: String, sources: [(name: String, text: SourceText)], report: PolicyTestReport) {
        self.name = name
        self.sources = sources
        self.report = report
    }

    package var html: String {
        let coverage = report.coverage
        let figures =
            [("Lines", coverage.lines), ("Branches", coverage.branches)]
            + (coverage.hasRows ? [("Rows", coverage.rows)] : [])
        return HTMLPage.page(
            title: "Tests of \(name)", style: CoveragePage.style,
            body: """
                <h1>Tests of \(HTMLPage.escaped(name))</h1>
                <p>\(report.passed) passed, \(report.failed) failed, \(report.todo) to do.\(mutants)</p>
                <table class="figures"><caption class="unseen">How much of the policy runs in tests</caption>
                <tr><td></td><th scope="col">covered</th><th scope="col">of</th><th scope="col">share</th></tr>
                \(figures.map(row).joined(separator: "\n"))
                </table>
                <p class="key"><span class="yes">runs in tests</span>
                <span class="part">a branch or row is left out</span> <span class="no">runs in no test</span></p>
                \(sources.map(section).joined(separator: "\n"))
                """)
    }

    private var mutants: String {
        guard let mutants = report.mutants else { return "" }
        return " \(mutants.total) changes were tried; \(mutants.survived.count) of them no test noticed."
    }

    private func row(_ name: String, _ count: PolicyCoverage.Count) -> String {
        "<tr><th scope=\"row\">\(name)</th><td>\(count.covered)</td><td>\(count.total)</td>"
            + "<td><meter min=\"0\" max=\"100\" value=\"\(count.percent)\"></meter> \(count.percent)%</td></tr>"
    }

    private func section(_ file: (name: String, text: SourceText)) -> String {
        let counts = report.coverage.lineCounts(of: file.name)
        var missing: [Int: [PolicyCoverage.Place]] = [:]
        for place in report.coverage.uncovered where place.file == file.name {
            missing[place.line, default: []].append(place)
        }
        let rows = Set(
            report.coverage.places.filter { $0.kind == .row && $0.file == file.name && $0.count > 0 }.map(\.line))
        var survivors: [Int: [Mutant]] = [:]
        for survivor in report.mutants?.survived ?? [] where survivor.mutant.file == file.name {
            survivors[survivor.mutant.line, default: []].append(survivor.mutant)
        }
        let lines = (1...max(1, file.text.lineCount)).compactMap { number -> String? in
            guard let text = file.text.line(number), number < file.text.lineCount || !text.isEmpty else { return nil }
            let isCovered = (counts[number] ?? 0) > 0 || rows.contains(number)
            return line(
                number, text, count: counts[number], isCovered: isCovered, missing[number] ?? [],
                survivors[number] ?? [])
        }
        return
            "<h2>\(HTMLPage.escaped(file.name))</h2>\n<table class=\"source\"><caption class=\"unseen\">\(HTMLPage.escaped(file.name))</caption>\n\(lines.joined(separator: "\n"))\n</table>"
    }

    private func line(
        _ number: Int, _ text: String, count: Int?, isCovered: Bool, _ missing: [PolicyCoverage.Place],
        _ survivors: [Mutant]
    ) -> String {
        let isUnrun = missing.contains { $0.kind == .line } || (!isCovered && missing.contains { $0.kind == .row })
        let style = isUnrun ? "no" : missing.isEmpty && survivors.isEmpty ? (isCovered ? "yes" : "") : "part"
        let notes =
            missing.filter { $0.kind != .line }.map(CoveragePage.words)
            + survivors.map { "\($0.words): no test fails (column \($0.column))" }
        let note = notes.map { "<div class=\"note\">\(HTMLPage.escaped($0))</div>" }.joined()
        let times = count.map { $0 > 0 ? "\($0)×" : "0×" } ?? ""
        return "<tr id=\"L\(number)\" class=\"\(style)\"><td>\(number)</td><td>\(times)</td>"
            + "<td><pre>\(HTMLPage.escaped(text.replacing("\t", with: "    ")))</pre>\(note)</td></tr>"
    }

    private static func words(_ place: PolicyCoverage.Place) -> String {
        if let row = place.row { return "\(row.table.rawValue) row \(row.row + 1) decides in no test" }
        return "the branch at column \(place.column) is taken in no test"
    }

    private static let style = """
        :root { --yes: #e2f4e4; --no: #fbdcd9; --part: #fdf1cd; }
        @media (prefers-color-scheme: dark) { :root { --yes: #1d3a22; --no: #4d211e; --part: #453a14; } }
        @media print { :root { --yes: #e2f4e4; --no: #fbdcd9; --part: #fdf1cd; } }
        main { max-width: 72rem; }
        h2 { border: 0; } th, td { border: 0; color: inherit; }
        .figures th { text-align: left; padding: .1rem 1.5rem .1rem 0; font-weight: 600; }
        .figures td { text-align: right; padding: .1rem 1.5rem .1rem 0; }
        .key span { padding: .1rem .6rem; margin-right: .5rem; border-radius: .3rem; }
        .source { width: 100%; font-size: .85rem; }
        .source td, .source td:last-child { padding: 0 .6rem; vertical-align: top; }
        .source td:nth-child(-n+2) { color: var(--soft); text-align: right; width: 1%; white-space: nowrap;
          user-select: none; font-variant-numeric: tabular-nums; }
        pre { margin: 0; font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
        .note { font-style: italic; padding-left: 2rem; }
        .yes { background-color: var(--yes); } .no { background-color: var(--no); } .part { background-color: var(--part); }
        """
}
