import TextFormats

/// Why the fields of one group are what they are.
package struct GroupExplanation: Hashable, Sendable {
    /// One field and the value that holds.
    package struct Field: Hashable, Sendable {
        package var name: String
        /// As a row says, `.none` included, or the built-in default; nil for nothing.
        package var value: RuleValue?
        /// Whether the row that won leaves it unset, or no row sets the group.
        package var isDefault: Bool
        /// Where the row sets it; nil for a default.
        package var origin: RuleOrigin?
    }

    /// A row that sets the group but was passed over.
    package struct SkippedRow: Hashable, Sendable {
        package var origin: RuleOrigin
        /// `category is undergraduate, the row wants staff`
        package var because: String
    }

    package var group: RuleGroup
    /// The row that won, nil where the built-in defaults hold.
    package var origin: RuleOrigin?
    package var fields: [Field]
    /// The rows before it in reading order, which set the group and did not match. With `match` also those that match and
    /// were less important.
    package var skipped: [SkippedRow]
}

extension CompiledTables {
    /// For each group of fields the row that set it and why earlier rows did not, or the built-in defaults: the built-in
    /// groups in their order, then free fields that some row sets.
    ///
    /// It takes its time; the live path is ``matchedRule(for:when:)``.
    /// - Throws: what `when` throws.
    package func explanation(for question: Case, when: WhenCondition) throws -> [GroupExplanation] {
        var answers: [Int: Bool] = [:]
        func remembered(_ index: Int) throws -> Bool {
            if let answer = answers[index] { return answer }
            let answer = try when(index)
            answers[index] = answer
            return answer
        }
        let rule = try matchedRule(for: question, when: remembered)
        return try groups.indices.map { index in
            let position = rule.positions[index] >= 0 ? rule.positions[index] : nil
            return GroupExplanation(
                group: groups[index], origin: position.map { origin(ofRule: order[$0]) },
                fields: fields(of: groups[index], row: position.map { order[$0] }),
                skipped: try skipped(for: position, setting: index, question, remembered))
        }
    }

    private func fields(of group: RuleGroup, row: Int?) -> [GroupExplanation.Field] {
        let set = row.map { source.rules[$0].fields } ?? [:]
        let names: [String]
        if case .free(let name) = group {
            names = [name]
        } else {
            names = RuleField.all.filter { $0.group == group }.map(\.name)
        }
        return names.map { name in
            let value = set[name]
            return GroupExplanation.Field(
                name: name, value: value ?? RuleField.named[name]?.standard, isDefault: value == nil,
                origin: value == nil ? nil : row.map { origin(ofRule: $0, field: name) })
        }
    }

    /// - Parameter winner: the position of the row that won, nil where none did.
    private func skipped(
        for winner: Int?, setting group: Int, _ question: Case, _ when: WhenCondition
    ) throws -> [GroupExplanation.SkippedRow] {
        var ranked = setters[group].positions
        if isOrderedByCase(question) { ranked = positions(ranked, byImportanceFor: question) }
        let end = winner.flatMap { ranked.firstIndex(of: $0) } ?? ranked.count
        let passed = try ranked[..<end].compactMap { position -> GroupExplanation.SkippedRow? in
            let conditions = source.rules[order[position]].conditions
            guard let because = try conditions.mismatch(with: question, when: when) else { return nil }
            return GroupExplanation.SkippedRow(origin: origin(ofRule: order[position]), because: because)
        }
        guard source.match != nil, let winner else { return passed }
        return try passed + outranked(ranked[end...].dropFirst(), by: winner, question)
    }

    /// The rows behind the winner whose conditions hold; their `when` functions are not asked, since they would lose
    /// whatever those say.
    private func outranked(
        _ positions: ArraySlice<Int>, by winner: Int, _ question: Case
    ) throws -> [GroupExplanation.SkippedRow] {
        try positions.compactMap { position in
            let row = order[position]
            guard try source.rules[row].conditions.mismatch(with: question, when: { _ in true }) == nil else {
                return nil
            }
            return GroupExplanation.SkippedRow(
                origin: origin(ofRule: row), because: importance(of: row, behind: order[winner], for: question))
        }
    }
}

extension RowConditions {
    /// Why the case does not meet the conditions: the first that fails, in the order in which they are documented; nil if
    /// it meets them all.
    ///
    /// - Throws: what `when` throws.
    package func mismatch(with question: Case, when: WhenCondition) throws -> String? {
        if let words = listMismatch(with: question) { return words }
        if let onSite, onSite != question.isOnSite {
            return onSite ? "the loan is not for use on site" : "the loan is for use on site, the row wants others"
        }
        if let channels {
            let channel = question.actor.channel.rawValue
            if !channels.contains(channel) { return RowConditions.mismatch("channel", channel, channels) }
        }
        if let function = self.when, try !when(function) { return "its when function says no" }
        return nil
    }

    private func listMismatch(with question: Case) -> String? {
        let patron = question.patron
        if let categories, !patron.categories.contains(where: categories.contains) {
            return RowConditions.mismatch("category", patron.category, categories)
        }
        if let itemTypes, !(question.copy?.itemTypes.contains(where: itemTypes.contains) ?? false) {
            return RowConditions.mismatch("item type", question.copy?.itemTypes.first, itemTypes)
        }
        if let branches, !question.branches.contains(where: branches.contains) {
            return RowConditions.mismatch("branch", question.branch, branches)
        }
        if let copyBranches, !(question.copy?.branches.contains(where: copyBranches.contains) ?? false) {
            return RowConditions.mismatch("the copy's branch", question.copy?.branch, copyBranches)
        }
        if let homeBranches, !patron.homeBranches.contains(where: homeBranches.contains) {
            return RowConditions.mismatch("home branch", patron.homeBranch, homeBranches)
        }
        if let locations, !(question.copy?.location.map(locations.contains) ?? false) {
            guard question.copy != nil, question.copy?.location == nil else {
                return RowConditions.mismatch("the copy's location", question.copy?.location, locations)
            }
            return "the copy has no location, the row wants \(Self.either(locations))"
        }
        return nil
    }

    private static func mismatch(_ name: String, _ value: String?, _ wanted: [String]) -> String {
        guard let value else { return "no copy is at hand, the row wants \(name) \(either(wanted))" }
        let words = value.isEmpty ? "empty" : SafeText.line(value)
        return "\(name) is \(words), the row wants \(either(wanted))"
    }
}
