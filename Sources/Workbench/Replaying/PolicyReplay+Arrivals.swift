import Circulation
import Desk
import TextFormats

extension PolicyReplay {
    /// What can be said of loans of another system's past.
    var arrivalBlocks: [ReportBlock] {
        let arrivals = summary.arrivals
        guard arrivals.loans > 0 else { return [] }
        var lines = [
            "\(arrivals.loans) loans came from another system without a decision of a policy. Of these, "
                + "\(arrivals.asked) were put to this policy as far as their facts go: as if who borrowed had nothing "
                + "else and owed nothing. They count in no other figure of this report."
        ]
        let told = arrivals.dueEarlier + arrivals.dueSame + arrivals.dueLater
        if told > 0 {
            lines.append(
                "Of \(told) with a due time, \(arrivals.dueSame) would have been due on the same day, "
                    + "\(arrivals.dueEarlier) earlier, \(arrivals.dueLater) later.")
        }
        if arrivals.late > 0 { lines.append("\(arrivals.late) came back after the time that it would have set.") }
        var blocks: [ReportBlock] = [
            .section("Loans of another system"), .text(lines.joined(separator: "\n")),
        ]
        if !arrivals.missing.isEmpty {
            blocks.append(.table(table("What is missing", "fact", arrivals.sortedMissing)))
        }
        if !arrivals.refused.isEmpty {
            blocks.append(.table(table("What it would have refused", "reason", arrivals.sortedRefused)))
        }
        return blocks
    }

    private func table(_ title: String, _ column: String, _ counts: [(String, Int64)]) -> ReportTable {
        ReportTable(
            title: title, columns: [ReportColumn(name: column), ReportColumn(name: "loans", type: .integer)],
            rows: counts.map { [.text($0.0), .integer($0.1)] })
    }
}

extension ReplayedArrivals {
    fileprivate var sortedMissing: [(String, Int64)] {
        Fact.allCases.compactMap { fact in missing[fact].map { (fact.rawValue, $0) } }
    }

    fileprivate var sortedRefused: [(String, Int64)] {
        refused.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("loans", loans)
        writer.member("asked", asked)
        writer.object("missing") { writer in
            for (fact, count) in sortedMissing { writer.member(fact, count) }
        }
        writer.object("refused") { writer in
            for (code, count) in sortedRefused { writer.member(code, count) }
        }
        writer.member("due_earlier", dueEarlier)
        writer.member("due_same", dueSame)
        writer.member("due_later", dueLater)
        writer.member("late", late)
    }
}
