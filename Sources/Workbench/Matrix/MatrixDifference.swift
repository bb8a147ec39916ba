import Circulation
import Prover
package import TextFormats

/// What another policy gives differently.
package struct MatrixDifference {
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
    /// What the two decide differently, at every point and for every case, functions included.
    package let decisions: ComparisonReport

    /// - Parameters:
    ///   - before, after: two matrices over the same dimensions.
    ///   - decisions: the comparison of their policies.
    package init(from before: PolicyMatrix, to after: PolicyMatrix, _ decisions: ComparisonReport) {
        self.before = before
        self.after = after
        self.decisions = decisions
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
        compare("functions", .functions(old), .functions(new))
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
        writer.key("decisions")
        writer.value(decisions.json)
    }
}

extension MatrixValue {
    fileprivate static func answer(_ outcome: MatrixOutcome) -> MatrixValue {
        .value(.text(outcome.answerWords))
    }

    /// What functions decide, with the conditions; where it stands does not matter. What they reckon is compared by the decisions.
    fileprivate static func functions(_ outcome: MatrixOutcome) -> MatrixValue {
        .value(outcome.functionWords(withPlaces: false).map { .text($0) })
    }

    /// All limits that apply: where the strictest stays, another may have moved.
    fileprivate static func limits(_ outcome: MatrixOutcome) -> MatrixValue {
        let words = outcome.limits.map { limit in
            (limit.maximum.map { "\($0)" } ?? "unlimited") + (limit.counting.isEmpty ? "" : " \(limit.counting)")
                + (limit.condition == .always ? "" : " if \(limit.condition.words)")
        }
        return .value(.text(words.joined(separator: ", ")))
    }

    /// Whether the values are the same; rows may have moved.
    fileprivate func comesToSame(as other: MatrixValue) -> Bool {
        switch (self, other) {
        case (.value(let left), .value(let right)): left == right
        case (.choices(let left), .choices(let right)):
            left.map(\.value) == right.map(\.value) && left.map(\.condition) == right.map(\.condition)
        default: false
        }
    }
}
