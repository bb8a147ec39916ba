import Circulation
import Reports

extension PolicyMatrix {
    /// A page: for branches alike one grid of categories and item types, coloured by what is given; what never matches;
    /// all values.
    package var html: String {
        var parts = ["<h1>What \(HTMLPage.escaped(name)) gives</h1>"]
        let count = cells.count
        parts.append("<p>\(count) combinations of category, item type and branch.</p>")
        let complaints = complaints
        if !complaints.isEmpty {
            var items = complaints.prefix(MatrixPage.mostRows).map { "<li>\(HTMLPage.escaped($0))</li>" }
            let more = complaints.count - items.count
            if more > 0 { items.append("<li>\(more) more</li>") }
            parts.append("<h2>To look at</h2><ul>\n\(items.joined(separator: "\n"))\n</ul>")
        }
        parts += grids
        parts.append(MatrixPage.legend)
        let decisions = decisions
        if !decisions.rows.isEmpty {
            parts.append(
                "<h2>What functions decide</h2><div class=\"wide\">\(MatrixPage.table(decisions, "What functions decide"))</div>"
            )
        }
        parts.append("<h2>All values</h2><div class=\"wide\">\(MatrixPage.table(summary, "All values"))</div>")
        return HTMLPage.page(title: "What \(name) gives", style: PolicyPage.style, body: parts.joined(separator: "\n"))
    }

    // MARK: - Grids

    private var grids: [String] {
        let branches = dimensions.branches.count
        var places: [[Int32]: Int] = [:]
        var groups: [(names: [String], first: Int)] = []
        for branch in 0..<branches {
            let key = stride(from: branch, to: cells.count, by: branches).map { cells[$0] }
            if let place = places[key] {
                groups[place].names.append(dimensions.branches[branch][0])
            } else {
                places[key] = groups.count
                groups.append(([dimensions.branches[branch][0]], branch))
            }
        }
        let periods = periodPlaces
        let looks = outcomes.map { look(of: $0, periods) }
        let size = max(1, dimensions.categories.count * dimensions.itemTypes.count)
        let shown = groups.prefix(max(1, MatrixPage.mostCells / size))
        let rest = groups.count - shown.count
        return shown.map { group in
            let title = group.names.count == branches ? "All branches" : group.names.joined(separator: ", ")
            return "<h2>\(HTMLPage.escaped(title))</h2>" + grid(ofBranch: group.first, title, looks)
        } + (rest > 0 ? ["<p>\(rest) more tables, for other branches, are too large for a page.</p>"] : [])
    }

    private func grid(ofBranch branch: Int, _ title: String, _ looks: [String]) -> String {
        let head = dimensions.itemTypes.map { "<th scope=\"col\">\(HTMLPage.escaped($0[0]))</th>" }.joined()
        let types = dimensions.itemTypes.count
        let rows = dimensions.categories.indices.map { category in
            let cells = (0..<types).map {
                looks[Int(self.cells[(category * types + $0) * dimensions.branches.count + branch])]
            }
            return
                "<tr><th scope=\"row\">\(HTMLPage.escaped(dimensions.categories[category][0]))</th>\(cells.joined())</tr>"
        }
        return
            "<table><caption class=\"unseen\">\(HTMLPage.escaped(title))</caption><thead><tr><td></td>\(head)</tr></thead><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
    }

    /// A cell: colours distinguish loan periods, red means not lent, dashed means that more is asked.
    private func look(of outcome: MatrixOutcome, _ periods: [MatrixValue: Int]) -> String {
        let fields = outcome.fields.map { "\($0.name): \($0.value.words)" }
        let details = (fields + [outcome.functionWords()].compactMap { $0 }).joined(separator: "; ")
        let title = " title=\"\(HTMLPage.escaped(details))\""
        switch outcome.code {
        case "no_rule": return "<td style=\"background:\(MatrixPage.uncovered)\"\(title)>no rule</td>"
        case "not_lent", "limit": return "<td style=\"background:\(MatrixPage.refused)\"\(title)>not lent</td>"
        default: break
        }
        let loan = outcome["due_at"].flatMap { $0 == .value(nil) ? nil : $0 } ?? outcome["loan"] ?? .value(nil)
        var style = "background:\(Self.colour(periods[loan] ?? 0))"
        var words = [loan.words]
        words += outcome.refusals.map { "\($0.code) if \($0.condition.words)" }
        let isOpen = if case .choices = loan { true } else { !outcome.refusals.isEmpty || !outcome.functions.isEmpty }
        if isOpen { style += MatrixPage.doubtful }
        if let most = outcome["max"], most != .value(.unlimited) { words.append("at most \(most.words)") }
        if let most = outcome["max_within"], most != .value(nil) { words.append("at most \(most.words)") }
        words.append(Self.words(outcome["renewals"], "renewals"))
        words.append(Self.words(outcome["fine"], "fine"))
        return "<td style=\"\(style)\"\(title)>\(words.map(HTMLPage.escaped).joined(separator: "<br>"))</td>"
    }

    /// `renewals 2`, `no renewals`
    private static func words(_ value: MatrixValue?, _ name: String) -> String {
        switch value {
        case nil, .value(nil), .value(.integer(0)), .value(.some(.none)): "no \(name)"
        case .some(let value): "\(name) \(value.words)"
        }
    }

    private static func colour(_ place: Int) -> String {
        // The golden angle keeps neighbours apart.
        "hsl(\((place * 137 + 140) % 360),60%,var(--tint))"
    }

    /// Each loan period by its place among those that there are.
    private var periodPlaces: [MatrixValue: Int] {
        var places: [MatrixValue: Int] = [:]
        for outcome in outcomes {
            if let loan = outcome["loan"], places[loan] == nil { places[loan] = places.count }
        }
        return places
    }
}

extension MatrixDifference {
    /// A page of what changes.
    package var html: String {
        let title = "What changes from \(before.name) (\(before.file)) to \(after.name) (\(after.file))"
        let body = [
            "<h1>\(HTMLPage.escaped(title))</h1>",
            "<p>\(count) of \(cells.count) combinations of category, item type and branch get something else.</p>",
            "<h2>What is decided differently</h2>\n<pre>\(HTMLPage.escaped(decisions.text))</pre>",
            count == 0
                ? ""
                : MatrixPage.table(summary, title, marks: ["before": MatrixPage.refused, "after": MatrixPage.granted]),
        ]
        return HTMLPage.page(title: title, style: PolicyPage.style, body: body.joined(separator: "\n"))
    }
}

/// What the pages of matrices are made of.
enum MatrixPage {
    /// A page has so many rows of a table, and so many cells of grids.
    static let (mostRows, mostCells) = (2_000, 50_000)
    static let uncovered = "var(--uncovered)"
    static let refused = "var(--refused)"
    static let granted = "var(--granted)"
    static let doubtful = ";outline:2px dashed #a86500;outline-offset:-3px"

    static let legend = """
        <p class="legend soft">Each loan period has a colour of its own.
        <span style="background:\(refused)">not lent</span>
        <span style="background:\(uncovered)">no rule</span>
        <span style="padding:.1rem .5rem\(doubtful)">more is asked than the combination says</span></p>
        """

    /// - Parameter marks: the background of columns.
    static func table(_ table: ReportTable, _ title: String, marks: [String: String] = [:]) -> String {
        let head = table.columns.map { "<th scope=\"col\">\(HTMLPage.escaped($0.label))</th>" }.joined()
        let rows = table.rows.prefix(mostRows).map { row in
            let cells = zip(table.columns, row).map { column, value in
                let style = marks[column.name].map { " style=\"background:\($0)\"" } ?? ""
                return "<td\(style)>\(HTMLPage.escaped(value.words))</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        let more = table.rows.count - rows.count
        return
            "<table><caption class=\"unseen\">\(HTMLPage.escaped(title))</caption><thead><tr>\(head)</tr></thead><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
            + (more > 0 ? "<p>\(more) more rows</p>" : "")
    }
}

extension ReportValue {
    fileprivate var words: String {
        if case .text(let text) = self { return text }
        return ""
    }
}
