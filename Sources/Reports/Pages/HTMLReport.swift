package import Circulation
import Languages
import TextFormats

/// A report as one HTML page with its charts drawn in it.
///
/// All text of it is escaped, it names no address that is loaded, and it can be read without its script.
package struct HTMLReport {
    private let document: ReportDocument
    private let ways: [Way]
    private let logo: Logo?
    private let address: Address?

    /// The page about a record: its path on the server, or its whole address; nil: there is none for the reader.
    package typealias Address = @Sendable (ReportLink) -> String?

    /// The library's sign, which stands in the page itself.
    package struct Logo: Hashable, Sendable {
        fileprivate let source: String

        /// - Parameters:
        ///   - bytes: the picture.
        ///   - type: its media type: `image/svg+xml`
        package init(_ bytes: [UInt8], type: String) {
            source = "data:\(type);base64,\(Base64Text.of(bytes))"
        }
    }

    /// A link above the report, to where its reader came from.
    package struct Way: Hashable, Sendable {
        let path: String
        let words: String

        /// - Parameter path: of the server that shows the page.
        package init(_ path: String, _ words: String) {
            self.path = path
            self.words = words
        }
    }

    /// - Parameters:
    ///   - ways: links above the report.
    ///   - logo: stands before the library's name; nil: the name alone.
    ///   - address: where the pages about records are; nil: their names are texts.
    package init(_ document: ReportDocument, ways: [Way] = [], logo: Logo? = nil, address: Address? = nil) {
        self.document = document
        self.ways = ways
        self.logo = logo
        self.address = address
    }

    package func render() -> String {
        let isSortable =
            document.tables.contains { $0.rows.count > 1 } || document.charts.contains { $0.labels.count > 1 }
        let parts = [back, library, "<h1>\(HTMLPage.escaped(shownTitle))</h1>", parameters] + blocks + [footer]
        return HTMLPage.page(
            title: shownTitle, style: HTMLReport.style + (ways.isEmpty ? "" : HTMLReport.styleOfWays),
            sortsTables: isSortable, language: document.language, showsPicture: logo != nil,
            body: parts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    private var shownTitle: String { document.title.isEmpty ? say("Report") : document.title }

    /// The blocks alone, for a page that has a heading of its own.
    package var fragment: String { blocks.joined(separator: "\n") }

    private var back: String {
        guard !ways.isEmpty else { return "" }
        let links = ways.map { way in "<a href=\"\(HTMLPage.escaped(way.path))\">\(HTMLPage.escaped(way.words))</a>" }
        return
            "<nav class=\"back\" aria-label=\"\(HTMLPage.escaped(say("Back to reports")))\">\(links.joined(separator: " · "))</nav>"
    }

    /// Whose report it is, above the title.
    private var library: String {
        let sign = logo.map { "<img src=\"\($0.source)\" alt=\"\">" } ?? ""
        return document.library.map { "<p class=\"library\">\(sign)\(HTMLPage.escaped($0))</p>" } ?? ""
    }

    private var parameters: String {
        let shown = document.parameters.filter { $0.value != .none }
        guard !shown.isEmpty else { return "" }
        let entries = shown.map { parameter in
            let name = HTMLPage.escaped(Language.spoken.word(parameter.name))
            let value = parameter.words ?? single(parameter.value)
            return "<div><dt>\(name)</dt><dd>\(HTMLPage.escaped(value))</dd></div>"
        }
        return "<dl class=\"parameters\">\(entries.joined())</dl>"
    }

    private var footer: String {
        guard let madeAt = document.madeAt else { return "" }
        let zone = document.zone ?? .utc
        let moment = ValueFormat(.instant, values: [], zone: zone, style: .page).text(.instant(madeAt))
        let asOf = say("As of \(moment) (\(zone.identifier))")
        let words = document.madeBy.map { say("\(asOf), made by \($0)") } ?? asOf
        return "<footer>\(HTMLPage.escaped(words))</footer>"
    }

    /// A value that stands alone, as people write it.
    private func single(_ value: ReportValue) -> String {
        if case .text(let text) = value, let span = span(text) { return span }
        return ValueFormat.single(value, zone: document.zone, style: .page)
    }

    /// `2026-01-01..2026-12-31` as people write it; either end may be open. Nil for any other text.
    private func span(_ text: String) -> String? {
        guard let dots = text.firstRange(of: "..") else { return nil }
        let ends = [text[..<dots.lowerBound], text[dots.upperBound...]]
        let dates = ends.map { try? CivilDate(parsing: String($0)) }
        guard zip(ends, dates).allSatisfy({ $0.isEmpty || $1 != nil }) else { return nil }
        switch (dates[0], dates[1]) {
        case (let from?, let to?):
            return from == to ? single(.date(from)) : say("\(single(.date(from))) to \(single(.date(to)))")
        case (let from?, nil): return say("from \(single(.date(from))) onwards")
        case (nil, let to?): return say("until \(single(.date(to)))")
        case (nil, nil): return nil
        }
    }

    // MARK: - Blocks

    /// Figures one after another stand side by side, printed lines one below the other.
    private var blocks: [String] {
        var parts: [String] = []
        var tiles: [String] = []
        var printed: [String] = []
        var charts = 0
        // Of a table without a title.
        var heading = shownTitle
        func close() {
            if !tiles.isEmpty { parts.append("<dl class=\"tiles\">\n\(tiles.joined(separator: "\n"))\n</dl>") }
            if !printed.isEmpty { parts.append("<pre>\(printed.joined(separator: "\n"))</pre>") }
            tiles = []
            printed = []
        }
        for block in document.blocks {
            switch block {
            case .metric(let metric):
                if !printed.isEmpty { close() }
                tiles.append(tile(metric))
            case .printed(let line):
                if !tiles.isEmpty { close() }
                printed.append(
                    SafeText.lines(line).split(separator: "\n", omittingEmptySubsequences: false)
                        .map { HTMLPage.escaped(String($0)) }.joined(separator: "\n"))
            case .section(let title):
                close()
                heading = title.isEmpty ? shownTitle : title
                parts.append("<h2>\(HTMLPage.escaped(title))</h2>")
            case .text(let text):
                close()
                parts.append(paragraph(text))
            case .table(let table):
                close()
                parts.append(HTMLTable(table, under: heading, zone: document.zone, address: address).html)
            case .chart(let chart):
                close()
                charts += 1
                parts.append(ChartFigure(chart, number: charts).html)
            }
        }
        close()
        return parts.isEmpty ? ["<p class=\"soft\">\(HTMLPage.escaped(say("There is nothing to report.")))</p>"] : parts
    }

    private func tile(_ metric: ReportMetric) -> String {
        let unit = metric.unit.map { " <span>\(HTMLPage.escaped($0))</span>" } ?? ""
        let note = metric.note.map { "<dd class=\"note\">\(HTMLPage.escaped($0))</dd>" } ?? ""
        return
            "<div><dt>\(HTMLPage.escaped(metric.name))</dt><dd>\(HTMLPage.escaped(single(metric.value)))\(unit)</dd>\(note)</div>"
    }

    /// Lines that are indented are the points of the one before them.
    private func paragraph(_ text: String) -> String {
        var html = ""
        var isListOpen = false
        for line in text.split(whereSeparator: \.isNewline) {
            let isPoint = line.hasPrefix("  ")
            if isPoint != isListOpen { html += isPoint ? "<ul>" : "</ul>" }
            isListOpen = isPoint
            let words = HTMLTable.linked(String(isPoint ? line.dropFirst(2) : line))
            html += isPoint ? "<li>\(words)</li>" : "<p>\(words)</p>"
        }
        return html + (isListOpen ? "</ul>" : "")
    }

    private static let styleOfWays = "\n.back { margin: 0 0 1.2rem; } @media print { .back { display: none; } }"

    private static let style = """
        .library { color: var(--soft); font-weight: 600; margin: 0 0 .2rem; }
        .library img { height: 2rem; max-width: 12rem; vertical-align: middle; margin-right: .6rem; }
        .parameters { margin: 0 0 1.2rem; color: var(--soft); } .parameters div { display: inline-block; margin-right: 1.4rem; }
        .parameters dt, .parameters dd { display: inline; margin: 0; } .parameters dd { color: var(--ink); margin-left: .4rem; }
        .tiles { display: flex; flex-wrap: wrap; margin: 1rem 0 .6rem; }
        .tiles > div { background-color: var(--tile); border: 1px solid; border-color: var(--line); border-radius: .5rem;
          padding: .6rem .9rem; margin: 0 .8rem .8rem 0; flex: 0 1 auto; min-width: 9rem; max-width: 100%; }
        .tiles dt { color: var(--soft); font-size: .9rem; }
        .tiles dd { margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
        .tiles dd span { font-size: .95rem; font-weight: 400; color: var(--soft); }
        .tiles .note { font-size: .85rem; font-weight: 400; color: var(--soft); max-width: 20rem; }
        pre { background-color: var(--tile); padding: .6rem .8rem; border-radius: .4rem; overflow-x: auto;
          font: .85rem/1.5 ui-monospace, monospace; white-space: pre-wrap; }
        th button { all: unset; cursor: pointer; color: inherit; font: inherit; }
        th button::after { content: "\\2195"; opacity: .35; margin-left: .3rem; }
        th[aria-sort="ascending"] button::after { content: "\\2191"; opacity: 1; }
        th[aria-sort="descending"] button::after { content: "\\2193"; opacity: 1; }
        tbody tr:hover { background-color: var(--tile); }
        footer { margin-top: 2.5rem; color: var(--soft); font-size: .85rem; }
        @media print { th button::after { content: none; } footer { margin-top: 1rem; } figure { margin: .6rem 0 .8rem; }
          .tiles { margin: .6rem 0 .2rem; } }
        """
}
