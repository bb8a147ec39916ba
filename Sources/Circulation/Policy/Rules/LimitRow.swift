/// A row of `limits`.
package struct LimitRow: Hashable, Sendable {
    package var conditions: RowConditions
    /// nil: unlimited, which ends the reading.
    package var maximum: Int64?
    /// Counts the loans, open and returned, that began so long ago at most; nil: the open loans.
    package var within: Period?
    /// Counts the loans of the title that is asked for, and no others.
    package var isPerTitle: Bool
    /// Whether loans count that the patron claims to have returned.
    package var countsClaimed: Bool
    /// The row applies to patrons who owe something for so long; nil: to all.
    package var owedFor: Period?
    package var place: SourcePlace

    /// What a row says of loans that the patron claims to have returned.
    package static let claimedWords = ["counted", "not counted"]

    package init(
        conditions: RowConditions, maximum: Int64?, within: Period? = nil, isPerTitle: Bool = false,
        countsClaimed: Bool = true, owedFor: Period? = nil, place: SourcePlace
    ) {
        self.conditions = conditions
        self.maximum = maximum
        self.within = within
        self.isPerTitle = isPerTitle
        self.countsClaimed = countsClaimed
        self.owedFor = owedFor
        self.place = place
    }

    /// Whether it counts the open loans, of whatever title.
    package var countsOpenLoans: Bool { within == nil && !isPerTitle }

    /// Whether a combination of category, item type and branch decides that it applies.
    package var asksCombinationOnly: Bool { conditions.asksCombinationOnly && owedFor == nil }

    /// Whether it says the same as another row, wherever both stand.
    package func isSame(as other: LimitRow) -> Bool {
        var copy = other
        copy.place = place
        return copy == self
    }

    /// Whether it counts at least what another row does and applies wherever that one's conditions hold for it.
    package func covers(_ other: LimitRow) -> Bool {
        owedFor == nil && within == other.within && (!isPerTitle || other.isPerTitle)
            && (countsClaimed || !other.countsClaimed)
    }
}

extension LimitRow {
    /// What the row counts, and of whom, as a librarian would say it: `category child, of this title, within 28 days`;
    /// empty if it counts all open loans of everybody.
    package var words: String {
        let parts = [conditions.words, countWords, owedFor.map { "owing for \($0)" } ?? ""]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// `of this title within 28 days`; empty for open loans of any title.
    package var countWords: String {
        let title = isPerTitle ? "of this title" : ""
        let window = within.map { "within \($0)" } ?? ""
        return [title, window].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Why the row does not apply to the case; nil where it does.
    ///
    /// - Throws: what `when` throws.
    func mismatch(with question: Case, when: WhenCondition) throws -> String? {
        if let owedFor, !question.patron.owes(for: owedFor, in: question) {
            let since = question.patron.owedSince.map { "something is owed since \($0) only" }
            return (since ?? "nothing is owed") + ", the row wants \(owedFor)"
        }
        return try conditions.mismatch(with: question, when: when)
    }
}
