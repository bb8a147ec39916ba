import TextFormats

extension Refusal.Reason {
    /// A row of `limits` leaves no room: of open loans, of loans that began within a window, or for who owes too long.
    static func limit(
        _ exceeded: ExceededLimit, row: LimitRow, for question: Case, origin: RuleOrigin
    ) -> Refusal.Reason {
        var figures: JSONObject = ["limit": .integer(exceeded.maximum), "count": .integer(exceeded.count)]
        var possible = ""
        if let window = row.within {
            figures["within"] = .string(window.isoText)
            let from = exceeded.possibleFrom.map { row.text(of: $0, in: question.zone) }
            figures["possible_from"] = from.map { .string($0) } ?? .null
            possible = from.map { "; possible again from \($0)" } ?? ""
        }
        if row.owedFor != nil, let since = question.patron.owedSince {
            figures["owed_since"] = .string(since.description)
            if exceeded.maximum == 0 { return .owed(since, of: question.patron, origin: origin, figures: figures) }
        }
        return Refusal.Reason(
            code: Refusal.Code.limit, message: words(exceeded, row) + possible + ".", origin: origin, figures: figures)
    }

    private static func words(_ exceeded: ExceededLimit, _ row: LimitRow) -> String {
        let conditions = row.conditions.words
        let owing = row.owedFor.map { " while something is owed for \($0)" } ?? ""
        let counted = row.countWords.isEmpty ? "" : " " + row.countWords
        let scope = (conditions.isEmpty ? "" : " for \(conditions)") + counted + owing
        return switch exceeded.maximum {
        case 1..<max(exceeded.count, 1):
            row.within == nil
                ? "\(exceeded.count) loans\(scope) are open, \(exceeded.maximum) allowed"
                : "\(exceeded.count) loans\(scope), \(exceeded.maximum) allowed"
        case 0: "No loans\(scope) are allowed"
        case 1: "1 of 1 loan\(scope) is used up"
        default: "\(exceeded.count) of \(exceeded.maximum) loans\(scope) are used up"
        }
    }

    private static func owed(
        _ since: CivilDate, of patron: PatronFacts, origin: RuleOrigin, figures: JSONObject
    ) -> Refusal.Reason {
        var figures = figures
        figures["owed"] = .string(patron.feesOwed.description)
        return Refusal.Reason(
            code: Refusal.Code.feesOwed, message: "\(patron.feesOwed) is owed, and something of it since \(since).",
            origin: origin, figures: figures)
    }
}

extension LimitRow {
    /// The day from which on something is possible, for a window of hours or minutes the moment.
    func text(of moment: Instant, in zone: Zone) -> String {
        within?.isElapsed ?? false ? moment.description : zone.date(of: moment).description
    }
}
