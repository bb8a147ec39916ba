import Foundation
import TextFormats

/// The verdict on one store, and what was done to it.
package struct OrdealReport {
    package var ordeal: Ordeal
    package var phases: [PhaseFigures]
    package var events: Int
    /// How many events the reader was shown, those among them that were undone later.
    package var seenByReader: Int
    /// How often the doctor looked while the processes worked.
    package var examinations: Int
    package var findings: [Finding]
    /// What else there is to say.
    package var notes: [String]
    /// Where journals and store are, if they were kept.
    package var folder: String?

    package var text: String {
        var lines = [
            "\(ordeal.driver.rawValue): \(ordeal.processes) processes of \(ordeal.hands) desks, \(Self.rounded(ordeal.seconds)) s, "
                + "seed \(ordeal.seed)", "",
        ]
        lines += Self.aligned([Self.heading] + phases.map(Self.row))
        for (name, counts) in [("refused", \PhaseFigures.refused), ("asked again after", \.retried)] {
            let sums = phases.reduce(into: [:]) { $0.merge($1[keyPath: counts]) { $0 + $1 } }
            let words = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
            lines.append("\(name): \(words.isEmpty ? "nothing" : words.joined(separator: ", "))")
        }
        lines.append("events: \(events); a reader who followed them saw \(seenByReader)")
        lines.append("the doctor looked \(examinations) times during the load, and once after it")
        lines += notes
        if let folder { lines.append("kept: \(folder)") }
        lines.append("")
        lines += findings.prefix(100).map { "BROKEN \($0.rule): \($0.message)" }
        lines.append(
            findings.isEmpty
                ? "Nothing acknowledged was lost, and nothing happened twice." : "\(findings.count) things are broken.")
        return lines.joined(separator: "\n") + "\n"
    }

    private static let heading = [
        "phase", "s", "troubles", "done", "refused", "idle", "again", "resolved", "reconnected", "longest pause ms",
        "longest request ms", "answers/s",
    ]

    private static func row(_ phase: PhaseFigures) -> [String] {
        [
            phase.name, rounded(phase.seconds), phase.troubles.map(String.init) ?? "-", "\(phase.acknowledged)",
            "\(phase.refused.values.reduce(0, +))", "\(phase.idle)", "\(phase.retried.values.reduce(0, +))",
            "\(phase.resolved)", "\(phase.reconnected)", "\(Int(phase.longestPause))", "\(Int(phase.longestRequest))",
            "\(Int(phase.rate))",
        ]
    }

    private static func rounded(_ number: Double) -> String { String(format: "%.1f", number) }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
    }
}

extension OrdealReport {
    package static func json(_ reports: [OrdealReport]) -> String { JSON.array(reports.map(\.json)).text() }

    private var json: JSON {
        [
            "driver": .string(ordeal.driver.rawValue), "processes": .integer(Int64(ordeal.processes)),
            "hands": .integer(Int64(ordeal.hands)),
            "seconds": .number(ordeal.seconds), "seed": .string(String(ordeal.seed)),
            "phases": .array(phases.map(\.json)), "events": .integer(Int64(events)),
            "seen_by_reader": .integer(Int64(seenByReader)), "examinations": .integer(Int64(examinations)),
            "notes": .array(notes.map { .string($0) }),
            "findings": .array(findings.map { ["rule": .string($0.rule), "message": .string($0.message)] }),
            "ok": .bool(findings.isEmpty),
        ]
    }
}

extension PhaseFigures {
    fileprivate var json: JSON {
        [
            "name": .string(name), "seconds": .number(seconds),
            "troubles": troubles.map { .integer(Int64($0)) } ?? .null, "done": .integer(Int64(acknowledged)),
            "refused": Self.counts(refused), "idle": .integer(Int64(idle)), "retried": Self.counts(retried),
            "resolved": .integer(Int64(resolved)), "reconnected": .integer(Int64(reconnected)),
            "longest_pause_ms": .number(longestPause), "longest_request_ms": .number(longestRequest),
            "answers_per_second": .number(rate),
        ]
    }

    private static func counts(_ counts: [String: Int]) -> JSON {
        var object = JSONObject()
        for (code, count) in counts.sorted(by: { $0.key < $1.key }) { object[code] = .integer(Int64(count)) }
        return .object(object)
    }
}
