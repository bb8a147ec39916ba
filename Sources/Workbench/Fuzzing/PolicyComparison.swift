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
            guard let change = change(object, one, other) else { continue }
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
                guard let matched = field.matched(object, one), let change = change(matched, one, other)
                else { continue }
                return found(matched, one, other, isWeak: change.isWeak)
            }
        }
        return nil
    }

    private func found(_ object: JSONObject, _ one: LuaPolicy, _ other: LuaPolicy, isWeak: Bool) -> Difference {
        let small = CaseShrinker.shrunk(object, tries: 150) { object in
            change(object, one, other).map { isWeak || !$0.isWeak } ?? false
        }
        return Difference(object: small, test: TellingTest(small, one, other)?.text)
    }

    /// What differs, where the first version does not fail.
    private func change(_ object: JSONObject, _ one: LuaPolicy, _ other: LuaPolicy) -> DecisionTable.Change? {
        guard let question = try? Case(json: .object(object), LibraryCase(before.fields)) else { return nil }
        let first = one.decide(question)
        if first.answer == .failed { return nil }
        return DecisionTable.difference(
            DecisionTable.table(of: first, by: one, question),
            DecisionTable.table(of: other.decide(question), by: other, question), but: DecisionTable.incidental)
    }

    /// The points that what stands there can concern; nil: any.
    private func points(of mutant: Mutant) -> [DecisionPoint]? {
        guard let main = before.main, main.name == mutant.file, let outline = PolicyOutline(main),
            let field = outline.fields.last(where: { $0.range.contains(mutant.range.start) })
        else { return nil }
        switch field.name {
        case "limits": return [.checkout]
        case "notices": return [.overdue]
        case "membership": return [.expiry]
        case "rules": return [.checkout, .checkout, .renew, .fine, .fine, .hold, .checkin, .lost, .due]
        case "due": return [.checkout, .due]
        default: return DecisionPoint(rawValue: field.name).map { [$0] }
        }
    }
}
