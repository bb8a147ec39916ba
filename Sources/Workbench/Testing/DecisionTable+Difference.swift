import Circulation
import LuaRuntime
import Scripting
import TextFormats

extension DecisionTable {
    /// What differs between two decisions.
    struct Change {
        let path: [String]
        let value: LuaValue
        let other: LuaValue

        /// What the rows set, as against what the policy decides.
        var isWeak: Bool { path.first == "fields" }
    }

    /// The position of a row, the words of a refusal and the order of several.
    static let incidental: Set<String> = ["where", "message", "reasons"]

    static func table(of decision: Decision, by policy: LuaPolicy, _ question: Case) -> LuaTable {
        let words = decision.refusal.flatMap { policy.message(for: $0.code, language: question.patron.language) }
        return table(of: decision, refusalMessage: words).tableValue ?? LuaTable()
    }

    /// The first field that differs, those that rows set last.
    ///
    /// - Parameter ignored: fields that are not looked at.
    static func difference(_ left: LuaTable, _ right: LuaTable, but ignored: Set<String> = []) -> Change? {
        difference(left, right, path: [], ignored)
    }

    private static func difference(
        _ left: LuaTable, _ right: LuaTable, path: [String], _ ignored: Set<String>
    ) -> Change? {
        for key in keys(left, right) where !ignored.contains(key) {
            let (one, other) = (left[key], right[key])
            if one == other { continue }
            let own = path + [key]
            guard let inner = one.tableValue, let outer = other.tableValue, inner.array.isEmpty || outer.array.isEmpty
            else { return Change(path: own, value: one, other: other) }
            return difference(inner, outer, path: own, []) ?? Change(path: own, value: one, other: other)
        }
        return nil
    }

    private static func keys(_ left: LuaTable, _ right: LuaTable) -> [String] {
        var keys: [String] = []
        for entry in left.entries + right.entries {
            if let key = entry.key.stringValue, !keys.contains(key) { keys.append(key) }
        }
        return keys.filter { $0 != "fields" } + keys.filter { $0 == "fields" }
    }
}

/// A test that tells two policies apart in one case: the one passes it, the other does not.
struct TellingTest {
    private let point: String
    private let change: DecisionTable.Change
    /// The one statement of the test.
    let body: String

    /// nil where nothing differs that a test can see.
    init?(_ object: JSONObject, _ one: LuaPolicy, _ other: LuaPolicy) {
        guard let question = try? Case(json: .object(object), LibraryCase(one.parsed.fields)) else { return nil }
        let left = DecisionTable.table(of: one.decide(question), by: one, question)
        let right = DecisionTable.table(of: other.decide(question), by: other, question)
        let change =
            DecisionTable.difference(left, right, but: DecisionTable.incidental)
            ?? DecisionTable.difference(left, right, but: ["where"])
        guard let change else { return nil }
        self.change = change
        point = object["point"]?.stringValue ?? "checkout"
        var expected = Self.expectation(of: change)
        for key in change.path.reversed() { expected = "{ \(LuaText.key(key)) = \(expected) }" }
        body = "expect(given \(LuaText.table(object, indent: 1)), \(expected))"
    }

    var text: String {
        """
        test(\(LuaText.quoted("\(point): \(change.path.joined(separator: " "))")), function()
            \(body)
        end)
        """
    }

    /// Of a list, what names its elements and what differs in them.
    private static func expectation(of change: DecisionTable.Change) -> String {
        if let literal = LuaText.literal(change.value) { return literal }
        let others = change.other.tableValue?.array ?? []
        let elements = (change.value.tableValue?.array ?? []).enumerated().map { index, element -> String in
            guard let table = element.tableValue else { return LuaText.literal(element) ?? "{}" }
            let other = index < others.count ? others[index].tableValue : nil
            let fields = table.entries.compactMap { entry -> String? in
                guard let key = entry.key.stringValue, let text = LuaText.literal(entry.value) else { return nil }
                let tells = ["stage", "label", "key"].contains(key) || (other.map { $0[key] != entry.value } ?? false)
                return tells ? "\(LuaText.key(key)) = \(text)" : nil
            }
            return fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
        }
        return elements.isEmpty ? "{}" : "{ \(elements.joined(separator: ", ")) }"
    }
}
