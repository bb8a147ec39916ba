import Circulation
import LuaSyntax
import Scripting

// What stands in the wrong order or in the wrong unit.
extension NoEffectRows {
    /// A stage that is reached before an earlier one for the same loans.
    var stageOrder: [Finding] {
        let rows = tables.source.notices
        return rows.indices.compactMap { row in
            guard let after = rows[row].after else { return nil }
            let earlier = tables.rows(covering: row, in: .notices).first { other in
                other < row && rows[other].stage != rows[row].stage && rows[other].conditions == rows[row].conditions
                    && rows[other].after.map { Self.isAbove(.period($0), .period(after)) } ?? false
            }
            return earlier.map { other in
                placed.finding(
                    "stage_order", .notices, row, "after",
                    "notices row \(row + 1), '\(rows[row].stage)', is reached before row \(other + 1),"
                        + " '\(rows[other].stage)', \(rows[other].place.words(seenFrom: rows[row].place)), which stands"
                        + " before it")
            }
        }
    }

    // MARK: - Steps of fines

    /// Steps that begin before the one before has ended, so that both are charged, or after a gap that costs nothing; and caps
    /// below one of them.
    var steps: [Finding] {
        tables.source.rules.indices.flatMap { row -> [Finding] in
            guard case .fineSteps(let steps)? = tables.source.rules[row].fields["fine_steps"] else { return [] }
            var findings: [Finding] = []
            for place in steps.indices.dropFirst() where steps[place].from.unit == steps[place - 1].from.unit {
                let (from, unit) = (steps[place].from.count, steps[place].from.unit.rawValue)
                guard let end = steps[place - 1].to?.count, from > end else {
                    let what = "fine_steps of rules row \(row + 1): step \(place + 1) begins before step \(place) ends"
                    findings.append(step(row, place, "\(what), and both are charged"))
                    continue
                }
                if from > end + 1 {
                    let gap = from == end + 2 ? "\(end + 1)" : "\(end + 1) to \(from - 1)"
                    findings.append(
                        step(
                            row, place,
                            "fine_steps of rules row \(row + 1): \(unit) \(gap) cost nothing, between two steps"))
                }
            }
            if let cap = tables.source.rules[row].fields["fine_cap"],
                let above = steps.firstIndex(where: { Self.isAbove(.money($0.fine), cap) })
            {
                findings.append(
                    placed.finding(
                        "wrong_type", .rules, row, "fine_cap",
                        "fine_cap of rules row \(row + 1) is less than the fine of step \(above + 1) itself, which is then"
                            + " never had in full"))
            }
            return findings
        }
    }

    private func step(_ row: Int, _ place: Int, _ message: String) -> Finding {
        if let written = placed.places.row(row + 1, of: .rules),
            case .table(let list)? = written.outline["fine_steps"]?.value.kind, list.entries.indices.contains(place)
        {
            return Finding(
                code: "fine_steps", severity: .warning, file: written.file, range: list.entries[place].range,
                message: message)
        }
        return placed.finding("fine_steps", .rules, row, "fine_steps", message)
    }

    // MARK: - Loans that are refused

    /// A row that says how long something is lent which another row, by `lend = false`, refuses for all that it matches.
    var unlent: [Finding] {
        let rows = tables.source.rules
        guard tables.source.match == nil else { return [] }
        let firstLent = rows.firstIndex { $0.fields["lend"] == .boolean(true) } ?? rows.count
        return rows.indices.compactMap { row in
            let fields = rows[row].fields
            guard let period = ["loan", "due_at"].first(where: { fields[$0] != nil }), fields["lend"] == nil else {
                return nil
            }
            let deciding = tables.rows(covering: row, in: .rules).first { rows[$0].fields["lend"] != nil }
            guard let deciding, rows[deciding].fields["lend"] == .boolean(false), deciding < firstLent else {
                return nil
            }
            return placed.finding(
                "unreachable_field", .rules, row, period,
                "\(period) of rules row \(row + 1) does nothing: \(placed.words(deciding, seenFrom: row, in: .rules)),"
                    + " refuses all that it matches; 'lend = true' here would lend it")
        }
    }

    // MARK: - Hours

    /// A hold shelf or a loss of less than a day, in a library that lends nothing by the hour.
    var hours: [Finding] {
        let rows = tables.source.rules
        let lendsByHour = rows.contains { row in
            if case .period(let loan)? = row.fields["loan"] { loan.isElapsed } else { false }
        }
        guard !lendsByHour else { return [] }
        return ["hold_shelf", "lost_after"].flatMap { name in
            rows.indices.compactMap { row -> Finding? in
                guard case .period(let period)? = rows[row].fields[name], period.isElapsed,
                    period.count < (period.unit == .hours ? 24 : 24 * 60), period.count > 0
                else { return nil }
                return placed.finding(
                    "doubtful_value", .rules, row, name,
                    "\(name) of rules row \(row + 1) is \(period.count) \(period.unit.rawValue), and nothing is lent by the hour:"
                        + " are days meant?")
            }
        }
    }
}
