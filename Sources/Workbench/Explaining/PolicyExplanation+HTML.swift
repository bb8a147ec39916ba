import Circulation
import LuaSyntax
import Reports
import Scripting

extension PolicyExplanation {
    /// A page with the answer, the rows and why not, and beside them the policy's source: rows that decided, rows that
    /// were passed over, and lines that ran with the values they saw.
    package var html: String {
        HTMLPage.page(
            title: sentence, style: PolicyPage.style, body: "<h1>Why: \(HTMLPage.escaped(policy))</h1>\n" + htmlBody)
    }

    /// What of ``html`` stands beneath the heading.
    package var htmlBody: String {
        let body = [
            "<p class=\"answer \(answerClass)\">\(HTMLPage.escaped(sentence))</p>",
            furtherReasons.map { "<p>Also: \(HTMLPage.escaped($0))</p>" }.joined(separator: "\n"),
            "<div class=\"columns\"><div>", tables, "</div><div>", sourceColumn, "</div></div>",
        ]
        return body.joined(separator: "\n")
    }

    private var answerClass: String {
        switch decision.answer {
        case .allow: "yes"
        case .confirm, .review: "ask"
        case .deny, .failed: "no"
        }
    }

    // MARK: - Tables

    private var tables: String {
        var parts: [String] = []
        if !limits.isEmpty {
            let rows = limits.map { limit -> [String] in
                let maximum = limit.maximum.map { "\($0)" } ?? "unlimited"
                let state = limit.because ?? (limit.isFull ? "full" : "room left")
                return [Self.words(limit.origin), maximum, "\(limit.count)", state]
            }
            parts.append(table("Limits", ["row", "at most", "loans", ""], rows))
        }
        if !groups.isEmpty {
            let rows = groups.map { group in
                [
                    group.group.name, group.valueWords, group.origin.map(Self.words) ?? "default; no row sets it",
                    group.skipped.map { "\(Self.words($0.origin)): \($0.because)" }.joined(separator: "\n"),
                ]
            }
            parts.append(table("Rules", ["group", "what holds", "set by", "passed over"], rows))
        }
        if !notices.isEmpty {
            let rows = notices.map { notice in
                [
                    Self.words(notice.origin), notice.stage,
                    notice.because ?? (notice.isSuperseded ? "passed over" : "sent"),
                ]
            }
            parts.append(table("Notices", ["row", "stage", ""], rows))
        }
        if !membership.isEmpty {
            let rows = membership.map { row in
                [
                    Self.words(row.origin), row.words,
                    row.because ?? row.date.map { "ends on \($0)" } ?? "without end",
                ]
            }
            parts.append(table("Membership", ["row", "ends", ""], rows))
        }
        return parts.joined(separator: "\n")
    }

    private func table(_ title: String, _ heads: [String], _ rows: [[String]]) -> String {
        let head = heads.map { "<th scope=\"col\">\(HTMLPage.escaped($0))</th>" }.joined()
        let body = rows.map { row in
            let cells = row.map { cell in
                let lines = cell.split(separator: "\n", omittingEmptySubsequences: false)
                return "<td>" + lines.map { "<div>\(HTMLPage.escaped(String($0)))</div>" }.joined() + "</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return
            "<h2>\(title)</h2>\n<table><caption class=\"unseen\">\(title)</caption><thead><tr>\(head)</tr></thead><tbody>\n"
            + body.joined(separator: "\n") + "\n</tbody></table>"
    }

    // MARK: - Source

    private var sourceColumn: String {
        let legend = """
            <p class="legend soft"><span class="source"><span class="won">row that decided</span>\
            <span class="passed">row passed over</span><span class="ran">line that ran</span></span></p>
            """
        return legend
            + sources.map { "<h2>\(HTMLPage.escaped($0.name))</h2>\n" + listing($0.name, $0.text) }
            .joined(separator: "\n")
    }

    private func listing(_ file: String, _ text: SourceText) -> String {
        let marks = marks(in: file)
        let says = said(in: file)
        let last = text.line(text.lineCount)?.isEmpty == true ? text.lineCount - 1 : text.lineCount
        let lines = (1...max(last, 1)).map { number -> String in
            let mark = marks[number].map { " class=\"\($0)\"" } ?? ""
            let code = HTMLPage.escaped(text.line(number)?.replacing("\t", with: "    ") ?? "")
            let spoken = (says[number] ?? []).map { "<div class=\"says\">\(HTMLPage.escaped($0))</div>" }
            return "<div\(mark)><span class=\"number\">\(number)</span>\(code)</div>" + spoken.joined()
        }
        return "<div class=\"source\">\n\(lines.joined(separator: "\n"))\n</div>"
    }

    /// The class of each line; a line that ran or decided stays so.
    private func marks(in file: String) -> [Int: String] {
        var marks: [Int: String] = [:]
        let rows: [(RuleOrigin, String?)] =
            limits.map { ($0.origin, $0.because) } + notices.map { ($0.origin, $0.because) }
            + membership.map { ($0.origin, $0.because) }
        let passed = groups.flatMap(\.skipped).map(\.origin) + rows.filter { $0.1 != nil }.map(\.0)
        for origin in passed where origin.file == file { marks[origin.line] = "passed" }
        let ofGroups = groups.compactMap(\.origin) + groups.flatMap(\.fields).compactMap(\.origin)
        let won = ofGroups + rows.filter { $0.1 == nil }.map(\.0)
        for origin in won where origin.file == file { marks[origin.line] = "won" }
        for line in trace.lines where line.file == file { marks[line.line] = "ran" }
        return marks
    }

    /// What the first runs of each line saw; a loop says no more than three times.
    private func said(in file: String) -> [Int: [String]] {
        var said: [Int: [String]] = [:]
        for line in trace.lines where line.file == file {
            guard !line.says.isEmpty, said[line.line, default: []].count < 3 else { continue }
            said[line.line, default: []].append(line.says.joined(separator: "; "))
        }
        return said
    }
}
