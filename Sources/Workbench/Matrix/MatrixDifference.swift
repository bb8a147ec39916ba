import Circulation
package import TextFormats

/// What another policy gives differently.
package struct MatrixDifference: Sendable {
    package struct Change: Hashable, Sendable {
        package var field: String
        package var before: MatrixValue
        package var after: MatrixValue
    }

    package let before: PolicyMatrix
    package let after: PolicyMatrix
    /// For each combination the place of its changes among ``kinds``; the first kind stands for "no change".
    let cells: [Int32]
    let kinds: [[Change]]

    /// - Parameters: two matrices over the same dimensions.
    package init(from before: PolicyMatrix, to after: PolicyMatrix) {
        self.before = before
        self.after = after
        var places: [[Int32]: Int32] = [:]
        var known: [[Change]: Int32] = [[]: 0]
        var kinds: [[Change]] = [[]]
        cells = zip(before.cells, after.cells).map { old, new in
            if let place = places[[old, new]] { return place }
            let changes = Self.changes(before.outcomes[Int(old)], after.outcomes[Int(new)])
            let place = known[changes] ?? Int32(clamping: kinds.count)
            if place == Int32(clamping: kinds.count) {
                kinds.append(changes)
                known[changes] = place
            }
            places[[old, new]] = place
            return place
        }
        self.kinds = kinds
    }

    /// How many combinations get something else.
    package var count: Int { cells.count { $0 != 0 } }

    /// What the combinations cannot tell: functions decide as well, and are asked about cases only. Nil where neither
    /// policy has any.
    package var note: String? {
        var names: [String] = []
        for point in before.points + after.points where !names.contains(point.rawValue) { names.append(point.rawValue) }
        if names.isEmpty { return nil }
        return
            "Functions are not compared (\(names.joined(separator: ", "))): what they change, 'policy replay' and tests tell."
    }

    private static func changes(_ old: MatrixOutcome, _ new: MatrixOutcome) -> [Change] {
        var names = (old.fields + new.fields).map(\.name)
        var seen: Set<String> = []
        names = names.filter { seen.insert($0).inserted }
        var changes: [Change] = []
        func compare(_ field: String, _ before: MatrixValue, _ after: MatrixValue) {
            if !before.comesToSame(as: after) { changes.append(Change(field: field, before: before, after: after)) }
        }
        compare("answer", .answer(old), .answer(new))
        for name in names {
            let standard = MatrixValue.value(RuleField.named[name]?.standard)
            compare(name, old[name] ?? standard, new[name] ?? standard)
        }
        if old["max"] == new["max"] { compare("limits", .limits(old), .limits(new)) }
        return changes
    }

    /// Each change of each combination: `{"category", "item_type", "branch", "field", "before", "after"}`.
    package func write(to writer: inout JSONWriter) {
        writer.key("changed")
        writer.beginArray()
        for (index, kind) in cells.enumerated() where kind != 0 {
            let (category, itemType, branch) = before.names(index)
            for change in kinds[Int(kind)] {
                writer.beginObject()
                writer.member("category", category)
                writer.member("item_type", itemType)
                writer.member("branch", branch)
                writer.member("field", change.field)
                writer.key("before")
                writer.value(change.before.json)
                writer.key("after")
                writer.value(change.after.json)
                writer.endObject()
            }
        }
        writer.endArray()
    }
}

extension MatrixValue {
    fileprivate static func answer(_ outcome: MatrixOutcome) -> MatrixValue {
        .value(.text(outcome.code ?? outcome.answer.rawValue))
    }

    /// All limits that apply: where the strictest stays, another may have moved.
    fileprivate static func limits(_ outcome: MatrixOutcome) -> MatrixValue {
        let words = outcome.limits.map { limit in
            (limit.maximum.map { "\($0)" } ?? "unlimited") + (limit.isCertain ? "" : "?")
        }
        return .value(.text(words.joined(separator: ", ")))
    }

    /// Whether the values are the same; rows may have moved.
    fileprivate func comesToSame(as other: MatrixValue) -> Bool {
        switch (self, other) {
        case (.value(let left), .value(let right)): left == right
        case (.depends(let left), .depends(let right)): left.map(\.value) == right.map(\.value)
        default: false
        }
    }
}
