import Circulation
import Languages

/// A table of a report as HTML, its values as people write them and figures at the right.
struct HTMLTable {
    private let table: ReportTable
    private let zone: Zone?
    private let isSortable: Bool
    private let address: HTMLReport.Address?
    /// What it is called where it has no title.
    private let heading: String

    /// - Parameters:
    ///   - heading: what it is called where it has no title: what the reader sees above it.
    ///   - isSortable: for the reader, see ``SortingScript``; a table of one row never is.
    ///   - address: where a page about a record is; nil: no cell leads anywhere.
    init(
        _ table: ReportTable, under heading: String, zone: Zone?, isSortable: Bool = true,
        address: HTMLReport.Address? = nil
    ) {
        self.table = table
        self.heading = heading
        self.zone = zone
        self.address = address
        self.isSortable = isSortable && table.rows.count > 1
    }

    /// The table in a frame that scrolls sideways where it is too wide, by keyboard as well.
    var html: String {
        guard !table.columns.isEmpty else { return titleAlone }
        let name = HTMLPage.escaped(title ?? heading)
        return """
            <div class="wide\(table.columns.count > HTMLTable.mostUpright ? " \(HTMLPage.broad)" : "")" role="group" aria-label="\(name)" tabindex="0"><table\(isSortable ? " class=\"sortable\"" : "")>
            \(HTMLTable.caption(title ?? heading, isSeen: title != nil))<thead><tr>\(table.columns.map(head).joined())</tr></thead>
            <tbody>
            \(rows)
            </tbody>\(foot)</table></div>
            """
    }

    /// More columns than this are printed across the page.
    private static let mostUpright = 6

    private var titleAlone: String { table.title.map { "<p><strong>\(HTMLPage.escaped($0))</strong></p>" } ?? "" }

    private var title: String? { table.title.flatMap { $0.isEmpty ? nil : $0 } }

    /// What a table is, for those as well who do not see what stands above it.
    ///
    /// - Parameter isSeen: false where the same words are to be seen already.
    static func caption(_ words: String, isSeen: Bool) -> String {
        "<caption\(isSeen ? "" : " class=\"unseen\"")>\(HTMLPage.escaped(words))</caption>"
    }

    private func head(_ column: ReportColumn) -> String {
        let sort = isSortable ? " data-sort=\"\(column.type.isFigure ? "n" : "t")\"" : ""
        let mark = column.type.isFigure ? " class=\"figure\"" : ""
        return "<th scope=\"col\"\(sort)\(mark)>\(HTMLPage.escaped(column.label))</th>"
    }

    private var rows: String {
        if table.rows.isEmpty {
            return
                "<tr><td class=\"soft\" colspan=\"\(table.columns.count)\">\(HTMLPage.escaped(say("(no rows)")))</td></tr>"
        }
        let formats = table.formats(zone: zone, style: .page)
        return table.rows.map { row in
            "<tr>" + zip(formats, row).map(cell).joined() + "</tr>"
        }.joined(separator: "\n")
    }

    private var foot: String {
        guard let total = table.total else { return "" }
        let cells = zip(table.formats(zone: zone, style: .page), total).map(cell)
        return "<tfoot><tr>\(cells.joined())</tr></tfoot>"
    }

    private func cell(_ format: ValueFormat, _ value: ReportValue) -> String {
        let text = format.text(value)
        let key =
            isSortable ? format.key(value).flatMap { $0 == text ? nil : " data-v=\"\(HTMLPage.escaped($0))\"" } : nil
        let mark = format.type.isFigure ? " class=\"figure\"" : format.isWhole ? " class=\"whole\"" : ""
        return "<td\(mark)\(key ?? "")>\(content(value, text))</td>"
    }

    private func content(_ value: ReportValue, _ text: String) -> String {
        guard case .link(let link) = value, let path = address?(link) else {
            return HTMLTable.breakable(HTMLTable.linked(text))
        }
        return "<a href=\"\(HTMLPage.escaped(path))\">\(HTMLTable.breakable(HTMLPage.escaped(text)))</a>"
    }

    /// Words longer than any column should be may break behind a comma or a sign of an address.
    private static func breakable(_ html: String) -> String {
        guard !html.hasPrefix("<a "), html.split(separator: " ").contains(where: { $0.utf8.count > longestWord }) else {
            return html
        }
        return html.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard word.utf8.count > longestWord else { return String(word) }
            return word.reduce(into: "") { broken, character in
                broken.append(character)
                if ",/?".contains(character) { broken += "<wbr>" }
            }
        }.joined(separator: " ")
    }

    private static let longestWord = 40

    /// Text, as a link where it is nothing but an address of the web.
    static func linked(_ text: String) -> String {
        let escaped = HTMLPage.escaped(text)
        let lowercase = text.lowercased()
        guard lowercase.hasPrefix("https://") || lowercase.hasPrefix("http://"), text.utf8.count > 10,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E })
        else { return escaped }
        return "<a href=\"\(escaped)\" rel=\"noopener noreferrer\">\(escaped)</a>"
    }
}
