import Foundation
import TextFormats

/// Figures as a person or a program reads them.
enum FigureReport {
    static func table(_ figures: [Figure]) -> String {
        var lines = [
            row("", "ours us", "", "floor us", "", "ratio", "at most", ""),
            row("", "CPU", "wall", "CPU", "wall", "of CPU", "", ""),
        ]
        for figure in figures {
            let verdict = figure.bound == nil ? "" : figure.isAboveBound ? "ABOVE" : "ok"
            lines.append(
                row(
                    figure.name, amount(figure.ours.cpu, figure), amount(figure.ours.wall, figure),
                    amount(figure.floor.cpu, figure), amount(figure.floor.wall, figure),
                    String(format: figure.measure == .wall ? "w %.2f" : "%.2f", figure.ratio),
                    figure.bound.map(words) ?? "", verdict))
            lines += figure.beside.map { comparison($0, figure) }
        }
        lines.append("")
        lines.append("Microseconds a unit of work, medians. Floor: the same work from plain C, in this run;")
        lines.append("over PostgreSQL as a function of the server's, whose CPU time is counted on both sides.")
        lines.append(
            "A replay's floor is the folding of the same events. Its ratio, w, is of wall time: it folds on one thread")
        lines.append("and decides on another, and its CPU time, the sum of both, stands beside.")
        lines.append(
            "M: memory at most, in MiB, held against that of a tenth of the loans. A cold start may take so many")
        lines.append("milliseconds of wall time more than Lua's command and the opening of the store from C.")
        lines.append(
            "Beside: the bare workload of docs/decisions/0003-benchmarks.md, without events and decision log, by others."
        )
        return lines.joined(separator: "\n")
    }

    static func json(_ figures: [Figure]) -> String {
        JSON.array(figures.map { .object(json($0)) }).text(pretty: true)
    }

    private static func json(_ figure: Figure) -> JSONObject {
        var row: JSONObject = ["name": .string(figure.name)]
        if figure.measure == .memory {
            row["bytes"] = .number(figure.ours.cpu)
            row["floor_bytes"] = .number(figure.floor.cpu)
        } else {
            row["cpu_us"] = number(figure.ours.cpu)
            row["wall_us"] = number(figure.ours.wall)
            row["floor_cpu_us"] = number(figure.floor.cpu)
            row["floor_wall_us"] = number(figure.floor.wall)
        }
        row["ratio"] = .number(figure.ratio)
        row["ratio_of"] = .string(figure.measure.rawValue)
        switch figure.bound {
        case .times(let most): row["at_most"] = .number(most)
        case .more(let milliseconds): row["at_most_ms_more"] = .number(milliseconds)
        case nil: row["at_most"] = .null
        }
        row["ok"] = .bool(!figure.isAboveBound)
        row["beside"] = .array(figure.beside.map { .object(json($0, figure)) })
        return row
    }

    private static func json(_ other: Figure.Comparison, _ figure: Figure) -> JSONObject {
        var row: JSONObject = ["name": .string(other.name)]
        if let cost = other.cost {
            row["cpu_us"] = number(cost.cpu)
            row["wall_us"] = number(cost.wall)
        }
        row["ratio"] = figure.ratio(to: other).map(JSON.number) ?? .null
        if let note = other.note { row["note"] = .string(note) }
        return row
    }

    private static func comparison(_ other: Figure.Comparison, _ figure: Figure) -> String {
        guard let cost = other.cost else { return "    \(other.name): \(other.note ?? "")" }
        let ratio = figure.ratio(to: other).map { String(format: "%.2f", $0) } ?? ""
        return row(
            "    " + other.name, "", "", microseconds(cost.cpu), microseconds(cost.wall), ratio, other.note ?? "")
    }

    private static func number(_ nanoseconds: Double) -> JSON { .number(nanoseconds / 1_000) }

    private static func words(_ bound: Bound) -> String {
        switch bound {
        case .times(let most): String(format: "%.1f", most)
        case .more(let milliseconds): String(format: "+%.0f ms", milliseconds)
        }
    }

    private static func amount(_ amount: Double, _ figure: Figure) -> String {
        figure.measure == .memory ? String(format: "M %.1f", amount / 1_048_576) : microseconds(amount)
    }

    private static func microseconds(_ nanoseconds: Double) -> String {
        String(format: nanoseconds < 10_000 ? "%.3f" : "%.1f", nanoseconds / 1_000)
    }

    private static func row(_ name: String, _ cells: String...) -> String {
        let padded = cells.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(0, 46 - name.count)) + padded.joined(separator: " ")
    }
}
