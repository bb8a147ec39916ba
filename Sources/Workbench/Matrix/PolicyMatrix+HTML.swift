import Circulation

extension PolicyMatrix {
    /// A page: for branches alike one grid of categories and item types, coloured by what is given; what never matches; all
    /// values.
    package var html: String {
        var parts = ["<h1>What \(HTMLPage.escaped(name)) gives</h1>"]
        let count = cells.count
        let functions = points.map(\.rawValue).joined(separator: ", ")
        parts.append("<p>\(count) combinations of category, item type and branch.</p>")
        if !points.isEmpty {
            parts.append("<p>The functions of the policy may decide otherwise: \(HTMLPage.escaped(functions)).</p>")
        }
        if !complaints.isEmpty {
            let items = complaints.map { "<li>\(HTMLPage.escaped($0))</li>" }
            parts.append("<h2>To look at</h2><ul>\n\(items.joined(separator: "\n"))\n</ul>")
        }
        parts += grids
        parts.append("<h2>All values</h2>" + MatrixPage.table(summary))
        return HTMLPage.page(title: "What \(name) gives", body: parts.joined(separator: "\n"))
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
        return groups.map { group in
            let title = group.names.count == branches ? "All branches" : group.names.joined(separator: ", ")
            return "<h2>\(HTMLPage.escaped(title))</h2>" + grid(ofBranch: group.first)
        }
    }

    private func grid(ofBranch branch: Int) -> String {
        let head = dimensions.itemTypes.map { "<th>\(HTMLPage.escaped($0[0]))</th>" }.joined()
        let looks = outcomes.map(look)
        let types = dimensions.itemTypes.count
        let rows = dimensions.categories.indices.map { category in
            let cells = (0..<types).map {
                looks[Int(self.cells[(category * types + $0) * dimensions.branches.count + branch])]
            }
            return "<tr><th>\(HTMLPage.escaped(dimensions.categories[category][0]))</th>\(cells.joined())</tr>"
        }
        return
            "<table><thead><tr><th></th>\(head)</tr></thead><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
    }

    /// A cell: the colour tells loan periods apart, what is not lent is red, what depends is dashed.
    private func look(of outcome: MatrixOutcome) -> String {
        let details = outcome.fields.map { "\($0.name): \($0.value.words)" }.joined(separator: "; ")
        let title = " title=\"\(HTMLPage.escaped(details))\""
        switch outcome.code {
        case "no_rule": return "<td style=\"background:#f7c6c2\"\(title)>no rule</td>"
        case "not_lent", "limit": return "<td style=\"background:#fde3e1\"\(title)>not lent</td>"
        default: break
        }
        let loan = outcome["due_at"].flatMap { $0 == .value(nil) ? nil : $0 } ?? outcome["loan"] ?? .value(nil)
        var style = "background:\(colour(of: loan))"
        if case .depends = loan { style += ";outline:2px dashed #a86500;outline-offset:-3px" }
        var words = [loan.words]
        if let most = outcome["max"], most != .value(.unlimited) { words.append("at most \(most.words)") }
        if let renewals = outcome["renewals"] { words.append("renewals \(renewals.words)") }
        if let fine = outcome["fine"] { words.append("fine \(fine.words)") }
        return "<td style=\"\(style)\"\(title)>\(words.map(HTMLPage.escaped).joined(separator: "<br>"))</td>"
    }

    private func colour(of loan: MatrixValue) -> String {
        let place = periods.firstIndex(of: loan) ?? 0
        // The golden angle keeps neighbours apart.
        return "hsl(\((place * 137 + 140) % 360),60%,91%)"
    }

    private var periods: [MatrixValue] {
        var seen: Set<MatrixValue> = []
        return outcomes.compactMap { $0["loan"] }.filter { seen.insert($0).inserted }
    }
}

extension MatrixDifference {
    /// A page of what changes.
    package var html: String {
        let title = "What changes from \(before.name) (\(before.file)) to \(after.name) (\(after.file))"
        let body = [
            "<h1>\(HTMLPage.escaped(title))</h1>",
            "<p>\(count) of \(cells.count) combinations of category, item type and branch get something else.</p>",
            count == 0 ? "" : MatrixPage.table(summary, marks: ["before": "#fde3e1", "after": "#dff2e4"]),
        ]
        return HTMLPage.page(title: title, body: body.joined(separator: "\n"))
    }
}

/// Tables of a page.
enum MatrixPage {
    /// - Parameter marks: the background of columns.
    static func table(_ table: ReportTable, marks: [String: String] = [:]) -> String {
        let head = table.columns.map { "<th>\(HTMLPage.escaped($0.label))</th>" }.joined()
        let rows = table.rows.map { row in
            let cells = zip(table.columns, row).map { column, value in
                let style = marks[column.name].map { " style=\"background:\($0)\"" } ?? ""
                return "<td\(style)>\(HTMLPage.escaped(value.words))</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return "<table><thead><tr>\(head)</tr></thead><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table>"
    }
}

extension ReportValue {
    fileprivate var words: String {
        if case .text(let text) = self { return text }
        return ""
    }
}
