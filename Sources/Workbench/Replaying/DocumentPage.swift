import Circulation

/// A report document as one HTML page with its charts drawn in it. All text of it is escaped; it runs no script and names no
/// address.
struct DocumentPage {
    private let document: ReportDocument

    init(_ document: ReportDocument) {
        self.document = document
    }

    var html: String {
        HTMLPage.page(
            title: document.title, style: Self.style,
            body: """
                <main>
                <h1>\(HTMLPage.escaped(document.title))</h1>
                \(parameters)
                \(document.blocks.map(block).joined(separator: "\n"))
                </main>
                """)
    }

    private var parameters: String {
        let shown = document.parameters.filter { $0.value != .none }
        guard !shown.isEmpty else { return "" }
        let entries = shown.map {
            "<div><dt>\(HTMLPage.escaped($0.name))</dt><dd>\(HTMLPage.escaped($0.value.text))</dd></div>"
        }
        return "<dl>\(entries.joined())</dl>"
    }

    private func block(_ block: ReportBlock) -> String {
        switch block {
        case .section(let title): "<h2>\(HTMLPage.escaped(title))</h2>"
        case .text(let text), .printed(let text): paragraph(text)
        case .metric(let metric):
            "<p>\(HTMLPage.escaped(metric.name)): <strong>\(HTMLPage.escaped(metric.value.text))</strong></p>"
        case .table(let table): self.table(table)
        case .chart(let chart): BarDrawing(chart).figure
        }
    }

    /// Lines that are indented are the points of the one before them.
    private func paragraph(_ text: String) -> String {
        var html = ""
        var isListOpen = false
        for line in text.split(separator: "\n") {
            let isPoint = line.hasPrefix("  ")
            if isPoint != isListOpen { html += isPoint ? "<ul>" : "</ul>" }
            isListOpen = isPoint
            html +=
                isPoint
                ? "<li>\(HTMLPage.escaped(String(line.dropFirst(2))))</li>" : "<p>\(HTMLPage.escaped(String(line)))</p>"
        }
        return html + (isListOpen ? "</ul>" : "")
    }

    private func table(_ table: ReportTable) -> String {
        func cell(_ name: String, _ column: ReportColumn, _ text: String, _ more: String = "") -> String {
            let mark = column.type.isFigure ? " class=\"figure\"" : ""
            return "<\(name)\(more)\(mark)>\(HTMLPage.escaped(text))</\(name)>"
        }
        let head = table.columns.map { cell("th", $0, $0.label, " scope=\"col\"") }.joined()
        let rows = table.rows.map { row in
            "<tr>" + zip(table.columns, row).map { cell("td", $0, $1.text) }.joined() + "</tr>"
        }
        let caption = table.title.map { "<caption>\(HTMLPage.escaped($0))</caption>" } ?? ""
        return "<div class=\"wide\"><table>\(caption)<thead><tr>\(head)</tr></thead>"
            + "<tbody>\(rows.joined(separator: "\n"))</tbody></table></div>"
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1b1f23; --soft: #5b6570; --line: #d5dae0; --paper: #fff;
          --a: #b3402a; --b: #2b6cb0; --c: #b7791f; --d: #6b7280; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa5b1; --line: #39424c; --paper: #15191d;
          --a: #e0755f; --b: #6ba5e0; --c: #e0b25a; --d: #9ca3af; } }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
        h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
        p { margin: .3rem 0; } ul { margin: .2rem 0 .6rem; padding-left: 1.4rem; }
        dl { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; margin: 0 0 1.2rem; color: var(--soft); }
        dl div { display: flex; gap: .4rem; } dd { margin: 0; color: var(--ink); }
        .wide { overflow-x: auto; margin: .8rem 0 1.4rem; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        caption, figcaption { text-align: left; font-weight: 600; padding: .2rem 0 .4rem; }
        th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line);
          vertical-align: top; }
        th { color: var(--soft); font-weight: 600; } .figure { text-align: right; }
        figure { margin: 1rem 0 1.6rem; } svg { width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 11px; }
        .grid { stroke: var(--line); stroke-width: 1; }
        .s0 { fill: var(--a); } .s1 { fill: var(--b); } .s2 { fill: var(--c); } .s3 { fill: var(--d); }
        .legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; color: var(--soft); font-size: .9rem; }
        .legend svg { width: 10px; height: 10px; margin-right: .35rem; }
        """
}
