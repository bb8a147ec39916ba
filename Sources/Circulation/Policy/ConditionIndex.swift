/// Which rows of a table meet which facts, reckoned beforehand: a question costs one look-up a condition that the table
/// uses, not one comparison a row.
struct ConditionIndex: Sendable {
    private let rows: [RowConditions]
    var count: Int { rows.count }
    /// For each position, the index of its `when` function.
    let whens: [Int?]
    private let all: RowSet
    private let category: ValueIndex
    private let itemType: ValueIndex
    private let branch: ValueIndex
    private let copyBranch: ValueIndex
    private let homeBranch: ValueIndex
    private let location: ValueIndex
    private let channel: ValueIndex
    /// The rows for loans on site and for loans taken home; nil if no row asks.
    private let onSite: (yes: RowSet, no: RowSet)?
    private let withoutWhen: RowSet

    init(_ rows: [RowConditions]) {
        self.rows = rows
        whens = rows.map(\.when)
        all = RowSet(all: rows.count)
        category = ValueIndex(rows.map(\.categories))
        itemType = ValueIndex(rows.map(\.itemTypes))
        branch = ValueIndex(rows.map(\.branches))
        copyBranch = ValueIndex(rows.map(\.copyBranches))
        homeBranch = ValueIndex(rows.map(\.homeBranches))
        location = ValueIndex(rows.map(\.locations))
        channel = ValueIndex(rows.map(\.channels))
        withoutWhen = RowSet(rows.indices.filter { rows[$0].when == nil })
        onSite = rows.contains { $0.onSite != nil } ? ConditionIndex.onSiteSets(rows) : nil
    }

    /// The rows whose conditions the case meets, `when` functions aside.
    func candidates(for question: Case) -> RowSet {
        var rows = all
        category.narrow(&rows, toAny: question.patron.categories)
        itemType.narrow(&rows, toAny: question.copy?.itemTypes)
        branch.narrow(&rows, toAny: question.branches)
        copyBranch.narrow(&rows, toAny: question.copy?.branches)
        homeBranch.narrow(&rows, toAny: question.patron.homeBranches)
        location.narrow(&rows, to: question.copy?.location)
        if channel.isUsed { channel.narrow(&rows, to: question.actor.channel.rawValue) }
        narrow(&rows, onSite: question.isOnSite)
        return rows
    }

    /// The rows that a category, with its ancestors, lets pass.
    func rows(ofCategories chain: [String]) -> RowSet { narrowed { category.narrow(&$0, toAny: chain) } }
    /// The rows that an item type, with its ancestors, lets pass.
    func rows(ofItemTypes chain: [String]) -> RowSet { narrowed { itemType.narrow(&$0, toAny: chain) } }
    /// The rows that a branch, with its ancestors, lets pass.
    func rows(ofBranches chain: [String]) -> RowSet { narrowed { branch.narrow(&$0, toAny: chain) } }

    /// The rows that every case meets which meets these conditions; of itself such a row is one, if it has no `when`.
    func rows(covering conditions: RowConditions) -> RowSet {
        var rows = withoutWhen
        category.narrow(&rows, toAll: conditions.categories)
        itemType.narrow(&rows, toAll: conditions.itemTypes)
        branch.narrow(&rows, toAll: conditions.branches)
        copyBranch.narrow(&rows, toAll: conditions.copyBranches)
        homeBranch.narrow(&rows, toAll: conditions.homeBranches)
        location.narrow(&rows, toAll: conditions.locations)
        channel.narrow(&rows, toAll: conditions.channels)
        if conditions.onSite != false { narrow(&rows, onSite: true) }
        if conditions.onSite != true { narrow(&rows, onSite: false) }
        return rows
    }

    private func narrowed(_ body: (inout RowSet) -> Void) -> RowSet {
        var rows = all
        body(&rows)
        return rows
    }

    /// Whether an open loan meets the row's conditions on copy and loan; those on the patron are the case's own.
    func row(_ position: Int, counts loan: OpenLoanFacts) -> Bool {
        let row = rows[position]
        if let wanted = row.onSite, wanted != loan.onSite { return false }
        if let wanted = row.itemTypes, !loan.itemTypes.contains(where: wanted.contains) { return false }
        if let wanted = row.branches, !loan.branches.contains(where: wanted.contains) { return false }
        if let wanted = row.copyBranches, !loan.copyBranches.contains(where: wanted.contains) { return false }
        if let wanted = row.locations, !(loan.location.map(wanted.contains) ?? false) { return false }
        if let wanted = row.channels {
            guard let channel = loan.channel, wanted.contains(channel.rawValue) else { return false }
        }
        return true
    }

    private func narrow(_ rows: inout RowSet, onSite isOnSite: Bool) {
        guard let onSite else { return }
        rows.formIntersection(isOnSite ? onSite.yes : onSite.no)
    }

    private static func onSiteSets(_ rows: [RowConditions]) -> (yes: RowSet, no: RowSet) {
        var sets = (yes: RowSet(), no: RowSet())
        for (position, row) in rows.enumerated() {
            if row.onSite != false { sets.yes.insert(position) }
            if row.onSite != true { sets.no.insert(position) }
        }
        return sets
    }
}

/// Which rows a value of one condition lets pass.
private struct ValueIndex: Sendable {
    let isUsed: Bool
    /// Rows without the condition.
    private let unconditional: RowSet
    /// For each value that some row names, the rows that name it and those without the condition.
    private let byValue: [String: RowSet]

    init(_ conditions: [[String]?]) {
        isUsed = conditions.contains { $0 != nil }
        var unconditional = RowSet()
        for (position, values) in conditions.enumerated() where values == nil { unconditional.insert(position) }
        var byValue: [String: RowSet] = [:]
        for (position, values) in conditions.enumerated() {
            for value in values ?? [] { byValue[value, default: unconditional].insert(position) }
        }
        self.unconditional = unconditional
        self.byValue = byValue
    }

    func narrow(_ rows: inout RowSet, to value: String?) {
        guard isUsed else { return }
        rows.formIntersection(value.flatMap { byValue[$0] } ?? unconditional)
    }

    /// Keeps the rows that name all of `values`, or none at all; without values those that name none.
    func narrow(_ rows: inout RowSet, toAll values: [String]?) {
        guard let values else { return narrow(&rows, to: nil) }
        for value in values { narrow(&rows, to: value) }
    }

    /// Keeps the rows that name any of `values`: a branch, category or item type and its ancestors.
    func narrow(_ rows: inout RowSet, toAny values: [String]?) {
        guard isUsed else { return }
        guard let values, values.count > 1 else { return narrow(&rows, to: values?.first) }
        var passing = unconditional
        for value in values {
            if let named = byValue[value] { passing.formUnion(named) }
        }
        rows.formIntersection(passing)
    }
}
