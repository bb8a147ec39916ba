import Circulation
import LuaSyntax

/// Finds rows and fields that are read and still do nothing: limits that a stricter one makes idle, stages of notices that an
/// earlier row has or that are never the latest, memberships of no age, fields whose group lacks what they are about, and steps above their own cap.
struct NoEffectRows {
    let placed: PlacedTables
    var tables: CompiledTables { placed.tables }

    init(_ placed: PlacedTables) { self.placed = placed }

    var findings: [Finding] {
        limits + notices + simultaneous + stageOrder + repetitions + fields + caps + steps + unlent + hours
            + membership
    }

    // MARK: - Limits

    /// A limit above that of another row which counts all that it counts: the other is always full first.
    private var limits: [Finding] {
        let rows = tables.source.limits
        return rows.indices.compactMap { row in
            guard let maximum = rows[row].maximum else { return nil }
            let covering = tables.rows(covering: row, in: .limits)
            // Rows behind an unlimited one that matches are not read.
            let end = covering.first { $0 > row && rows[$0].maximum == nil && !rows[$0].asksDebts } ?? rows.count
            let stricter = covering.first { other in
                other != row && other < end && rows[other].covers(rows[row])
                    && (rows[other].maximum.map { $0 < maximum } ?? false)
            }
            return stricter.map { other in
                placed.finding(
                    "unreachable_row", .limits, row, nil,
                    "limits row \(row + 1) can never refuse: \(placed.words(other, seenFrom: row, in: .limits)), counts"
                        + " all that it counts and allows only \(rows[other].maximum ?? 0)")
            }
        }
    }

    // MARK: - Notices

    private var notices: [Finding] {
        let rows = tables.source.notices
        return rows.indices.compactMap { row in
            let earlier = tables.rows(covering: row, in: .notices).first {
                $0 < row && rows[$0].stage == rows[row].stage
            }
            return earlier.map { other in
                placed.finding(
                    "unreachable_row", .notices, row, "stage",
                    "notices row \(row + 1) can never win: \(placed.words(other, seenFrom: row, in: .notices)), has"
                        + " the stage '\(rows[row].stage)' and matches all that it would match")
            }
        }
    }

    /// Of stages that are reached at the same moment only the last is sent; the others are superseded by it.
    private var simultaneous: [Finding] {
        let rows = tables.source.notices
        return rows.indices.compactMap { row in
            guard rows[row].after != nil, rows[row].every == nil else { return nil }
            let later = tables.rows(covering: row, in: .notices).first { other in
                other > row && rows[other].stage != rows[row].stage && rows[other].after == rows[row].after
            }
            return later.map { other in
                placed.finding(
                    "unreachable_row", .notices, row, "after",
                    "notices row \(row + 1) is never sent: '\(rows[other].stage)',"
                        + " \(rows[other].place.words(seenFrom: rows[row].place)), is reached at the same time and takes its place"
                )
            }
        }
    }

    private var repetitions: [Finding] {
        tables.source.notices.indices.compactMap { row in
            let notice = tables.source.notices[row]
            guard notice.every == nil, let times = notice.times, times > 1 else { return nil }
            return placed.finding(
                "unreachable_field", .notices, row, "times",
                "times of notices row \(row + 1) does nothing: without every the stage comes once")
        }
    }

    // MARK: - Fields without what they are about

    /// Fields that say something of another field of their group, which the row leaves unset and so takes away.
    private var fields: [Finding] {
        tables.source.rules.indices.flatMap { row -> [Finding] in
            let set = Set(tables.source.rules[row].fields.keys)
            return RuleField.needs.compactMap { need -> Finding? in
                guard set.isDisjoint(with: need.fields) else { return nil }
                let names = RuleField.all.filter { $0.need == need && set.contains($0.name) }.map(\.name)
                guard let first = names.first else { return nil }
                return placed.finding(
                    "unreachable_field", .rules, row, first,
                    "\(names.joined(separator: " and ")) of rules row \(row + 1) \(names.count == 1 ? "does" : "do")"
                        + " nothing: the row sets no \(need.fields.sorted().joined(separator: " or ")), and takes the whole"
                        + " group, so that \(need.otherwise)")
            }
        }
    }

    // MARK: - Caps

    /// A first step that is above the cap of the same row, so that the step itself never counts.
    private var caps: [Finding] {
        [("fine", "fine_cap"), ("suspension", "suspension_cap")].flatMap { step, cap in
            tables.source.rules.indices.compactMap { row -> Finding? in
                let fields = tables.source.rules[row].fields
                guard let first = fields[step], let most = fields[cap], Self.isAbove(first, most) else { return nil }
                return placed.finding(
                    "wrong_type", .rules, row, cap,
                    "\(cap) of rules row \(row + 1) is less than \(step) itself, which is then never had in full")
            }
        }
    }

    static func isAbove(_ value: RuleValue, _ cap: RuleValue) -> Bool {
        switch (value, cap) {
        case (.money(let value), .money(let cap)): value.minorUnits > cap.minorUnits
        case (.period(let value), .period(let cap)): value.unit == cap.unit && value.count > cap.count
        default: false
        }
    }
}
