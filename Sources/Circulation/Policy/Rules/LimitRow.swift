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
    /// Whose loans it counts, and whose debts ``owed`` is about; nil: the patron's own.
    package var of: PatronGroup?
    /// The row applies where so much is owed, or more; nil: to all.
    package var owed: Money?
    package var place: SourcePlace

    /// What a row says of loans that the patron claims to have returned.
    package static let claimedWords = ["counted", "not counted"]

    package init(
        conditions: RowConditions, maximum: Int64?, within: Period? = nil, isPerTitle: Bool = false,
        countsClaimed: Bool = true, owedFor: Period? = nil, of: PatronGroup? = nil, owed: Money? = nil,
        place: SourcePlace
    ) {
        self.conditions = conditions
        self.maximum = maximum
        self.within = within
        self.isPerTitle = isPerTitle
        self.countsClaimed = countsClaimed
        self.owedFor = owedFor
        self.of = of
        self.owed = owed
        self.place = place
    }

    /// Whether it counts the patron's open loans, of whatever title.
    package var countsOpenLoans: Bool { within == nil && !isPerTitle && of == nil }

    /// Whether debts decide that it applies.
    package var asksDebts: Bool { owedFor != nil || owed != nil }

    /// Whether a combination of category, item type and branch decides that it applies.
    package var asksCombinationOnly: Bool { conditions.asksCombinationOnly && !asksDebts }

    /// Whether it says the same as another row, wherever both stand.
    package func isSame(as other: LimitRow) -> Bool {
        var copy = other
        copy.place = place
        return copy == self
    }

    /// Whether it counts at least what another row does and applies wherever that one's conditions hold for it.
    package func covers(_ other: LimitRow) -> Bool {
        !asksDebts && of == other.of && within == other.within && (!isPerTitle || other.isPerTitle)
            && (countsClaimed || !other.countsClaimed)
    }
}

extension LimitRow {
    /// What the row counts, and of whom, as a librarian would say it: `category child, of this title, within 28 days`;
    /// empty if it counts all open loans of everybody.
    package var words: String {
        let parts = [
            conditions.words, countWords, owed.map { "owing \($0)" } ?? "", owedFor.map { "owing for \($0)" } ?? "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// `of this title within 28 days`, `of the household`; empty for open loans of any title.
    package var countWords: String {
        let title = isPerTitle ? "of this title" : ""
        let window = within.map { "within \($0)" } ?? ""
        let whose = of.map { "of the \($0.rawValue)" } ?? ""
        return [title, window, whose].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Whether what the row says of debts holds.
    func isMetByDebts(of question: Case) -> Bool {
        if let owedFor, !question.patron.owes(for: owedFor, in: question) { return false }
        return owed.map { owes($0, question.patron) } ?? true
    }

    private func owes(_ owed: Money, _ patron: PatronFacts) -> Bool {
        let found = patron.owed(of)
        return found.currency == owed.currency && owed.minorUnits <= found.minorUnits
    }

    /// Why the row does not apply to the case; nil where it does.
    ///
    /// - Throws: what `when` throws.
    func mismatch(with question: Case, when: WhenCondition) throws -> String? {
        if let owedFor, !question.patron.owes(for: owedFor, in: question) {
            let since = question.patron.owedSince.map { "something is owed since \($0) only" }
            return (since ?? "nothing is owed") + ", the row wants \(owedFor)"
        }
        if let owed, !owes(owed, question.patron) {
            return "\(question.patron.owed(of)) is owed, the row wants \(owed)"
        }
        return try conditions.mismatch(with: question, when: when)
    }
}

extension PatronFacts {
    /// What a group owes, or the patron alone.
    fileprivate func owed(_ group: PatronGroup?) -> Money { group.map { self[$0].owed } ?? feesOwed }
}
