/// What one row of `limits` says to a case.
package struct LimitExplanation: Hashable, Sendable {
    package var origin: RuleOrigin
    /// The row's conditions in words; empty if it has none.
    package var conditions: String
    /// nil: unlimited.
    package var maximum: Int64?
    /// The open loans, or those of the row's window, and those granted already, that the row counts.
    package var count: Int64
    /// From which day or moment on a row that is full has room again by itself; nil where time alone makes none.
    package var possibleFrom: String?
    /// Those that it would count, were they not claimed to be returned.
    package var claimedLeftOut: Int64 = 0
    /// Why the row does not apply; nil where it does.
    package var because: String?

    /// Whether the row applies and leaves no room.
    package var isFull: Bool { because == nil && maximum.map { count >= $0 } ?? false }
}

extension CompiledTables {
    /// For each row of `limits` whether it applies to the case, and how many loans it counts.
    ///
    /// It takes its time; the live path is ``limitsExceeded(for:when:)``.
    /// - Throws: what `when` throws.
    package func limitExplanations(for question: Case, when: WhenCondition) throws -> [LimitExplanation] {
        let loans = CountedLoans(question)
        var ending: Int?
        return try source.limits.indices.map { row in
            let limit = source.limits[row]
            var because: String?
            if let ending {
                because = "row \(ending + 1) is unlimited and ends the reading"
            } else {
                because = try limit.mismatch(with: question, when: when)
                if because == nil && limit.maximum == nil { ending = row }
            }
            let count = loans.count(meeting: row, of: limits, limit)
            let isFull = because == nil && limit.maximum.map { count >= $0 } ?? false
            return LimitExplanation(
                origin: origin(ofLimit: row), conditions: limit.words, maximum: limit.maximum, count: count,
                possibleFrom: !isFull
                    ? nil
                    : limit.maximum.flatMap { loans.possibleFrom(row, of: limits, limit, count, $0) }
                        .map { limit.text(of: $0, in: question.zone) },
                claimedLeftOut: loans.leftOut(row, of: limits, limit), because: because)
        }
    }
}
