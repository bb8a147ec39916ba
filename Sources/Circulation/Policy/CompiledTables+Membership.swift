extension CompiledTables {
    /// When the membership of the case's patron ends by the rows of `membership`: by the first that holds. A row whose date
    /// has passed, or whose age is reached, does not hold.
    ///
    /// - Returns: nil where no row holds.
    /// - Throws: what `when` throws.
    package func membershipEnd(for question: Case, when: WhenCondition) throws -> MembershipEnd? {
        var candidates = CandidateRows(membership.candidates(for: question), whens: membership.whens)
        var position = 0
        while let row = candidates.rows.first(from: position) {
            position = row + 1
            let written = source.membership[row]
            // Its function is asked last, and of rows that would hold.
            guard try written.mismatch(with: question, when: { _ in true }) == nil,
                try candidates.contains(row, when: when)
            else { continue }
            return MembershipEnd(date: written.end(for: question), origin: origin(ofMembership: row))
        }
        return nil
    }

    /// For each row of `membership` what it says to the case, and why it is passed over.
    ///
    /// It takes its time; the live path is ``membershipEnd(for:when:)``.
    /// - Throws: what `when` throws.
    package func membershipExplanations(for question: Case, when: WhenCondition) throws -> [MembershipExplanation] {
        var winner: Int?
        return try source.membership.indices.map { row in
            let written = source.membership[row]
            var because: String?
            if let winner {
                because = "row \(winner + 1) goes before it"
            } else {
                because = try written.mismatch(with: question, when: when)
                if because == nil { winner = row }
            }
            return MembershipExplanation(
                origin: origin(ofMembership: row), words: written.endWords,
                date: because == nil ? written.end(for: question) : nil, because: because)
        }
    }

    /// Rows of `membership` behind one that holds for all that they would hold for.
    func hiddenMembership() -> [HiddenRow] {
        source.membership.indices.compactMap { row in
            let hiding = rows(covering: row, in: .membership).first {
                $0 < row && source.membership[$0].covers(source.membership[row])
            }
            return hiding.map { HiddenRow(table: .membership, row: row, fields: [], hiddenBy: [$0]) }
        }
    }
}

/// What one row of `membership` says to a case.
package struct MembershipExplanation: Hashable, Sendable {
    package var origin: RuleOrigin
    /// What ends the membership by the row.
    package var words: String
    /// The last day; nil: without end, or the row is passed over.
    package var date: CivilDate?
    /// Why the row is passed over; nil where it decides.
    package var because: String?
}

extension MembershipRow {
    /// Whether it holds wherever another row does whose conditions are met with its own.
    fileprivate func covers(_ other: MembershipRow) -> Bool {
        if let untilDate, (other.untilDate ?? .latest) > untilDate { return false }
        let most = [other.underAge, other.untilAge].compactMap { $0 }.min()
        if let fromAge { guard let least = other.fromAge, least >= fromAge else { return false } }
        if let underAge { guard let most, most <= underAge else { return false } }
        if let untilAge { guard other.untilAge != nil, let most, most <= untilAge else { return false } }
        return true
    }
}
