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
                    figure.name, microseconds(figure.ours.cpu), microseconds(figure.ours.wall),
                    microseconds(figure.floor.cpu), microseconds(figure.floor.wall),
                    String(format: figure.isOfWall ? "w %.2f" : "%.2f", figure.ratio),
                    figure.bound.map { String(format: "%.1f", $0) } ?? "",
                    verdict))
            if let bare = figure.bare { lines.append("    bare workload: \(bare)") }
        }
        lines.append("")
        lines.append("Microseconds a unit of work, medians. Floor: the same work from plain C, in this run;")
        lines.append("over PostgreSQL as a function of the server's, whose CPU time is counted on both sides.")
        lines.append(
            "A replay's floor is the folding of the same events. Its ratio, w, is of wall time: it folds on one thread")
        lines.append("and decides on another, and its CPU time, the sum of both, stands beside.")
        lines.append(
            "Bare workload: as in docs/decisions/0003-benchmarks.md, without events, decision log and most indexes.")
        return lines.joined(separator: "\n")
    }

    static func json(_ figures: [Figure]) -> String {
        let rows = figures.map { figure -> JSON in
            [
                "name": .string(figure.name), "cpu_us": number(figure.ours.cpu), "wall_us": number(figure.ours.wall),
                "floor_cpu_us": number(figure.floor.cpu), "floor_wall_us": number(figure.floor.wall),
                "ratio": .number(figure.ratio), "ratio_of": figure.isOfWall ? "wall" : "cpu",
                "at_most": figure.bound.map(JSON.number) ?? .null,
                "ok": .bool(!figure.isAboveBound), "bare": figure.bare.map(JSON.string) ?? .null,
            ]
        }
        return JSON.array(rows).text(pretty: true)
    }

    private static func number(_ nanoseconds: Double) -> JSON { .number(nanoseconds / 1_000) }

    private static func microseconds(_ nanoseconds: Double) -> String {
        String(format: nanoseconds < 10_000 ? "%.3f" : "%.1f", nanoseconds / 1_000)
    }

    private static func row(_ name: String, _ cells: String...) -> String {
        let padded = cells.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(0, 46 - name.count)) + padded.joined(separator: " ")
    }
}
