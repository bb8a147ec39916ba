/// The tables of a policy, made ready to be asked: rows in reading order, conditions indexed, fields read into types.
///
/// Immutable. It is made once per version of a policy and then answers in about a microsecond. Every question takes a
/// `when` callback that evaluates a row's function for the case; it is called at most once a row and question, and only
/// for rows that every other condition lets pass.
package final class CompiledTables: Sendable {
    /// The tables as they were written.
    package let source: PolicyTables

    let limits: ConditionIndex
    let rules: ConditionIndex
    let notices: ConditionIndex
    let membership: ConditionIndex
    /// For each reading position the index of the row in ``PolicyTables/rules``.
    let order: [Int]
    /// For each reading position the typed fields.
    let terms: [RuleTerms]
    /// The built-in groups, and after them the free fields in the order of their first appearance.
    package let groups: [RuleGroup]
    /// For each group the positions that set any of its fields.
    let setters: [RowSet]
    /// For each free field its index in ``groups``.
    let freeGroups: [String: Int]
    /// The fields that any row sets, each with the index of its group: as documented, free ones after them by name.
    let usedFields: [(name: String, group: Int)]
    /// What was written of rows that matched.
    let written = WrittenFields()
    /// Whether `match` names item types and a row does so too: then a nearer type goes before its parents.
    let weighsItemTypes: Bool
    /// Whether any stage of the notices may be reached at a moment within a day.
    let hasTimedNotices: Bool

    /// - Throws: ``PolicyFailure`` with the code `wrong_type` for a value that its field does not take, with file and
    ///   line.
    package init(_ source: PolicyTables) throws {
        self.source = source
        let order = CompiledTables.readingOrder(of: source)
        let rows = order.map { source.rules[$0] }
        self.order = order
        terms = try rows.map(RuleTerms.init)
        try CompiledTables.check(source.limits)
        try CompiledTables.check(source.notices)
        limits = ConditionIndex(source.limits.map(\.conditions))
        rules = ConditionIndex(rows.map(\.conditions))
        notices = ConditionIndex(source.notices.map(\.conditions))
        membership = ConditionIndex(source.membership.map(\.conditions))
        groups = RuleGroup.builtIn + CompiledTables.freeFields(of: source).map(RuleGroup.free)
        let indexes = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0) })
        setters = CompiledTables.setters(of: rows, indexes: indexes, wholeRows: source.match?.wholeRows ?? false)
        freeGroups = Dictionary(
            uniqueKeysWithValues: groups.enumerated().compactMap { index, group in
                if case .free(let field) = group { (field, index) } else { nil }
            })
        let used = Set(rows.flatMap(\.fields.keys))
        let names = RuleField.all.map(\.name).filter(used.contains) + freeGroups.keys.sorted()
        usedFields = names.compactMap { name in
            indexes[RuleField.named[name]?.group ?? .free(name)].map { (name, $0) }
        }
        weighsItemTypes =
            source.match?.dimensions.contains(RowConditions.itemTypeName) ?? false
            && rows.contains { $0.conditions.itemTypes != nil }
        hasTimedNotices = source.notices.contains(where: \.isTimed)
    }

    /// Tables without a row, which refuse every loan with `no_rule`.
    package static let empty = CompiledTables()

    private init() {
        source = PolicyTables()
        limits = ConditionIndex([])
        rules = ConditionIndex([])
        notices = ConditionIndex([])
        membership = ConditionIndex([])
        order = []
        terms = []
        groups = RuleGroup.builtIn
        setters = groups.map { _ in RowSet() }
        freeGroups = [:]
        usedFields = []
        weighsItemTypes = false
        hasTimedNotices = false
    }

    /// As written; with `match` the rows that have the most important condition first, then the next, rows alike in
    /// that as written. A condition not named by `match` has no weight.
    private static func readingOrder(of source: PolicyTables) -> [Int] {
        guard let match = source.match else { return Array(source.rules.indices) }
        let weights = source.rules.map { row in match.dimensions.map { row.conditions.has($0) } }
        return source.rules.indices.sorted { left, right in
            for (isLeft, isRight) in zip(weights[left], weights[right]) where isLeft != isRight { return isLeft }
            return left < right
        }
    }

    private static func freeFields(of source: PolicyTables) -> [String] {
        var seen: Set<String> = []
        var names: [String] = []
        for row in source.rules {
            for name in row.fields.keys.sorted() where RuleField.named[name] == nil && seen.insert(name).inserted {
                names.append(name)
            }
        }
        return names + source.ownFields.filter { RuleField.named[$0] == nil && seen.insert($0).inserted }
    }

    /// With whole rows each row sets all groups, so that the first one that matches is the only one that counts.
    private static func setters(of rows: [RuleRow], indexes: [RuleGroup: Int], wholeRows: Bool) -> [RowSet] {
        if wholeRows { return Array(repeating: RowSet(all: rows.count), count: indexes.count) }
        var setters = Array(repeating: RowSet(), count: indexes.count)
        for (position, row) in rows.enumerated() {
            for name in row.fields.keys {
                if let index = indexes[RuleField.named[name]?.group ?? .free(name)] {
                    setters[index].insert(position)
                }
            }
        }
        return setters
    }

    private static func check(_ rows: [LimitRow]) throws {
        for row in rows where (row.maximum ?? 0) < 0 {
            throw PolicyFailure(
                code: "wrong_type", message: "max must be a number from 0 on, or unlimited", file: row.place.file,
                line: row.place.line)
        }
    }

    private static func check(_ rows: [NoticeRow]) throws {
        for row in rows {
            guard let complaint = row.complaint else { continue }
            throw PolicyFailure(code: "wrong_type", message: complaint, file: row.place.file, line: row.place.line)
        }
    }
}

extension CompiledTables: Hashable {
    package static func == (left: CompiledTables, right: CompiledTables) -> Bool {
        left === right || left.source == right.source
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(source)
    }
}

extension PolicyTables {
    /// The tables made ready to be asked; to be kept, since making them costs more than many questions.
    ///
    /// - Throws: ``PolicyFailure`` for a value that its field does not take.
    package func compiled() throws -> CompiledTables { try CompiledTables(self) }
}

extension RowConditions {
    /// Whether the row has the condition of that name.
    package func has(_ name: String) -> Bool {
        switch name {
        case "category": categories != nil
        case "item_type": itemTypes != nil
        case "branch": branches != nil
        case "copy_branch": copyBranches != nil
        case "home_branch": homeBranches != nil
        case "location": locations != nil
        case "on_site": onSite != nil
        case "channel": channels != nil
        case "when": when != nil
        default: false
        }
    }
}

extension NoticeRow {
    /// What is wrong with the row, nil if nothing is.
    var complaint: String? {
        if before != nil && after != nil { return "a notice has either before or after, not both" }
        if let before, before.count < 0 { return "before must not be negative" }
        if let after, after.count < 0 { return "after must not be negative" }
        if let every, every.count <= 0 { return "every must be a period of at least one" }
        if let times, times < 0 { return "times must not be negative" }
        if let charge, charge.isNegative { return "charge must not be negative" }
        return nil
    }
}
