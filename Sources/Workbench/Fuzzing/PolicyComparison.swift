import Circulation
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

/// Looks for a case that two versions of a policy decide differently.
struct PolicyComparison {
    private let before: ParsedPolicy
    private let after: ParsedPolicy

    private static let limits = LuaLimits(memory: 64 << 20, instructions: 2_000_000)

    init(_ before: ParsedPolicy, _ after: ParsedPolicy) {
        self.before = before
        self.after = after
    }

    /// What differs between two decisions.
    private struct Change {
        let path: [String]
        let value: LuaValue
        let other: LuaValue

        /// What the rows set, as against what the policy decides.
        var isWeak: Bool { path.first == "fields" }
    }

    /// A case with what the first version decides.
    struct Difference {
        let object: JSONObject
        /// A test that the first version passes and the second does not; nil where the difference has no short form.
        let test: String?
    }

    /// - Parameters:
    ///   - trials: how many cases are tried at most.
    ///   - mutant: where the versions differ.
    func difference(trials: Int, near mutant: Mutant) -> Difference? {
        guard let one = try? LuaPolicy(examining: before, limits: Self.limits),
            let other = try? LuaPolicy(examining: after, limits: Self.limits)
        else { return nil }
        let vocabulary = CaseVocabulary(before, tables: one.tables)
        var maker = CaseMaker(
            vocabulary, points: points(of: mutant), seed: UInt64(truncatingIfNeeded: mutant.range.start.offset))
        var weak: JSONObject?
        var left = trials
        while left > 0 {
            left -= 1
            let object = maker.make()
            guard let change = Self.difference(object, one, other) else { continue }
            if !change.isWeak { return found(object, one, other, isWeak: false) }
            // A field that differs is worth a test; what comes of it would be a better one.
            if weak == nil { left = min(left, trials / 4) }
            weak = weak ?? object
        }
        if let weak { return found(weak, one, other, isWeak: true) }
        let compared = ComparedField.of(mutant, in: before)
        guard !compared.isEmpty else { return nil }
        for _ in 0..<trials / 4 {
            let object = maker.make()
            for field in compared {
                guard let matched = field.matched(object, one), let change = Self.difference(matched, one, other)
                else { continue }
                return found(matched, one, other, isWeak: change.isWeak)
            }
        }
        return nil
    }

    private func found(_ object: JSONObject, _ one: LuaPolicy, _ other: LuaPolicy, isWeak: Bool) -> Difference {
        let small = CaseShrinker.shrunk(object, tries: 150) { object in
            Self.difference(object, one, other).map { isWeak || !$0.isWeak } ?? false
        }
        return Difference(object: small, test: Self.difference(small, one, other).map { Self.test(small, $0) })
    }

    /// The points that what stands there can concern; nil: any.
    private func points(of mutant: Mutant) -> [DecisionPoint]? {
        guard let main = before.main, main.name == mutant.file, let outline = PolicyOutline(main),
            let field = outline.fields.last(where: { $0.range.contains(mutant.range.start) })
        else { return nil }
        switch field.name {
        case "limits": return [.checkout]
        case "notices": return [.overdue]
        case "rules": return [.checkout, .checkout, .renew, .fine, .fine, .hold, .checkin, .lost, .due]
        case "due": return [.checkout, .due]
        default: return DecisionPoint(rawValue: field.name).map { [$0] }
        }
    }

    /// The first field of the decision that differs, as the first version has it.
    private static func difference(
        _ object: JSONObject, _ one: LuaPolicy, _ other: LuaPolicy
    ) -> Change? {
        guard let question = try? Case(json: .object(object)) else { return nil }
        let first = one.decide(question)
        guard first.answer != .failed else { return nil }
        let left = plain(first, one, question)
        return difference(left, plain(other.decide(question), other, question), path: [])
    }

    private static func plain(_ decision: Decision, _ policy: LuaPolicy, _ question: Case) -> LuaTable {
        let words = decision.refusal.flatMap { policy.message(for: $0.code, language: question.patron.language) }
        var table = DecisionTable.table(of: decision, refusalMessage: words).tableValue ?? LuaTable()
        // The position of a row and the order of several refusals are not part of the behaviour.
        for key in ["where", "message", "reasons"] { table[key] = .nil }
        return table
    }

    private static func difference(
        _ left: LuaTable, _ right: LuaTable, path: [String]
    ) -> Change? {
        for key in keys(left, right) {
            let (one, other) = (left[key], right[key])
            if one == other { continue }
            let own = path + [key]
            guard let inner = one.tableValue, let outer = other.tableValue, inner.array.isEmpty || outer.array.isEmpty
            else { return Change(path: own, value: one, other: other) }
            return difference(inner, outer, path: own) ?? Change(path: own, value: one, other: other)
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

    private static func test(_ object: JSONObject, _ difference: Change) -> String {
        let point = object["point"]?.stringValue ?? "checkout"
        let name = "\(point): \(difference.path.joined(separator: " "))"
        var expected = expectation(of: difference)
        for key in difference.path.reversed() { expected = "{ \(LuaText.key(key)) = \(expected) }" }
        return """
            test(\(LuaText.quoted(name)), function()
                expect(given \(LuaText.table(object, indent: 1)), \(expected))
            end)
            """
    }

    /// Of a list, what names its elements and what differs in them.
    private static func expectation(of change: Change) -> String {
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
