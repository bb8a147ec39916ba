import TextFormats

extension Refusal.Reason {
    /// A row of `limits` leaves no room: of open loans, of loans that began within a window, or for who owes too long.
    static func limit(
        _ exceeded: ExceededLimit, row: LimitRow, for question: Case, origin: RuleOrigin
    ) -> Refusal.Reason {
        var figures: JSONObject = ["limit": .integer(exceeded.maximum), "count": .integer(exceeded.count)]
        var from: String?
        if let window = row.within {
            figures["within"] = .string(window.isoText)
            from = exceeded.possibleFrom.map { row.text(of: $0, in: question.zone) }
            figures["possible_from"] = from.map { .string($0) } ?? .null
        }
        if row.owedFor != nil, let since = question.patron.owedSince {
            figures["owed_since"] = .string(since.description)
            if exceeded.maximum == 0 { return .owed(since, of: question.patron, origin: origin, figures: figures) }
        }
        if let owed = row.owed {
            figures["owed_from"] = .string(owed.description)
            if exceeded.maximum == 0 {
                return Refusal.Reason(
                    code: Refusal.Code.feesOwed, message: words(ofOwing: owed, row.of), origin: origin,
                    figures: figures)
            }
        }
        return Refusal.Reason(
            code: Refusal.Code.limit, message: words(exceeded, row, from), origin: origin, figures: figures)
    }

    /// - Parameter from: from when on it is possible again; nil where time alone does not make it so.
    private static func words(_ exceeded: ExceededLimit, _ row: LimitRow, _ from: String?) -> String {
        let conditions = row.conditions.words
        let owing =
            (row.owed.map { " while \($0) or more is owed" } ?? "")
            + (row.owedFor.map { " while something is owed for \($0)" } ?? "")
        let counted = row.countWords.isEmpty ? "" : " " + row.countWords
        let scope = (conditions.isEmpty ? "" : " for \(conditions)") + counted + owing
        let (count, maximum) = (exceeded.count, exceeded.maximum)
        switch (maximum, from) {
        case (0, _): return scope.isEmpty ? "No loans are allowed." : "No loans\(scope) are allowed."
        case (1..<max(count, 1), let from?):
            return "\(count) loans\(scope); the limit is \(maximum). Possible again from \(from)."
        case (1..<max(count, 1), nil):
            return row.within == nil
                ? "\(count) loans\(scope) are open; the limit is "
                    + "\(maximum)." : "\(count) loans\(scope); the limit is \(maximum)."
        case (1, let from?): return "Only 1 loan\(scope) is allowed; possible again from \(from)."
        case (1, nil): return "Only 1 loan\(scope) is allowed."
        case (_, let from?):
            return "\(count) of \(maximum) allowed loans\(scope) have been used; possible again from \(from)."
        case (_, nil): return "\(count) of \(maximum) allowed loans\(scope) have been used."
        }
    }

    /// Of what others owe the patron is told no more than that it is too much.
    private static func words(ofOwing owed: Money, _ group: PatronGroup?) -> String {
        switch group {
        case nil: "Fees of \(owed) or more are unpaid."
        case .household: "The household owes \(owed) or more."
        case .guardians: "The guardians owe \(owed) or more."
        case .dependents: "The dependents owe \(owed) or more."
        case .family: "The family owes \(owed) or more."
        }
    }

    private static func owed(
        _ since: CivilDate, of patron: PatronFacts, origin: RuleOrigin, figures: JSONObject
    ) -> Refusal.Reason {
        var figures = figures
        figures["owed"] = .string(patron.feesOwed.description)
        return Refusal.Reason(
            code: Refusal.Code.feesOwed, message: "\(patron.feesOwed) is owed, some of it since \(since).",
            origin: origin, figures: figures)
    }
}

extension LimitRow {
    /// The day from which on something is possible, for a window of hours or minutes the moment.
    func text(of moment: Instant, in zone: Zone) -> String {
        within?.isElapsed ?? false ? moment.description : zone.date(of: moment).description
    }
}
