import Circulation
import LuaSyntax

/// What a function of a policy comes to for a combination, each with the conditions beyond it.
package struct FunctionOutcomes: Hashable, Sendable {
    /// Those of different answers have no case in common; of what none is, the function says nothing.
    package var outcomes: [Outcome] = []
    /// Why not all ways were gone; nil: they were.
    package var gap: Unsettled?

    package init() {}

    fileprivate var isKnown: Bool {
        gap == nil && outcomes.allSatisfy { if case .unknown = $0.answer { false } else { true } }
    }

    /// What a function comes to.
    package enum Answer: Hashable, Sendable {
        /// It refuses or asks, with a code; nil: a text of the case.
        case reason(code: String?, Weight)
        /// It allows, in spite of what the desk itself has against it under these codes.
        case allowed(despite: [String])
        /// What it says is looked at: the publication of a title.
        case review
        /// Something that is reckoned; where it is known beforehand, in words.
        case value(String?)
        /// The condition of a row holds.
        case holds
        /// It fails, with a code.
        case fails(String)
        /// A proof cannot follow it.
        case unknown(Unsettled)
    }

    /// What a reason against a request comes to.
    package enum Weight: String, Hashable, Sendable { case refuses, overridable, asks }

    /// Cases that come to the same.
    package struct Outcome: Hashable, Sendable {
        package let answer: Answer
        /// Where the function says so.
        package let file: String
        package let line: Int
        /// What holds of them, beyond the combination; empty: they are all.
        package let conditions: [SaidCondition]

        package init(answer: Answer, file: String, line: Int, conditions: [SaidCondition]) {
            (self.answer, self.file, self.line, self.conditions) = (answer, file, line, conditions)
        }
    }
}

/// A condition as people say it, of which it is known for a case in hand whether it holds.
package struct SaidCondition: Hashable, Sendable {
    package let words: String
    let literal: Literal
}

/// What comes of a way.
struct OutcomeKind: Hashable {
    let answer: FunctionOutcomes.Answer
    let site: Site
}

/// What a function comes to for each combination that it is asked for: found once for all that it does not tell apart. Used by
/// one thread.
package final class CombinationOutcomes {
    private let prover: PolicyProver
    private let point: DecisionPoint
    private let deadline: ContinuousClock.Instant
    private let answer: (DeskModel) throws -> OutcomeKind?
    /// What is asked of a combination, as far as is known.
    private var questions: [Combination.Part: Set<CombinationQuestion>] = [:]
    private var groups: Set<RuleGroup> = []
    /// For each part the codes that are alike, by number; made anew when more is asked.
    private var classes: [Combination.Part: [[String]: Int]] = [:]
    private var numbers: [[String]: Int] = [:]
    private var places: [Key: Int] = [:]
    /// The different ones; ``place(of:)`` gives places among them.
    package private(set) var all: [FunctionOutcomes] = []
    private var known: [FunctionOutcomes: Int] = [:]
    /// The words with which codes are compared.
    private var named: [Combination.Part: Set<String>] = [:]
    /// Where any case is answered.
    private var answered: Set<Site> = []

    private struct Key: Hashable {
        var parts: [Int]
        var rows: [[Int]]
    }

    init(
        _ prover: PolicyProver, at point: DecisionPoint, until deadline: ContinuousClock.Instant,
        _ answer: @escaping (DeskModel) throws -> OutcomeKind?
    ) {
        (self.prover, self.point, self.deadline, self.answer) = (prover, point, deadline, answer)
    }

    /// Where what it comes to for a combination stands among ``all``.
    package func place(of combination: Combination) throws(ProofError) -> Int {
        let key = key(combination)
        if let known = places[key] { return known }
        let found = try find(combination)
        let place = known[found] ?? all.count
        if place == all.count {
            all.append(found)
            known[found] = place
        }
        // More may be asked than was known before.
        places[self.key(combination)] = place
        return place
    }

    /// The categories, item types and branches that the policy asks for by name.
    package var words: (categories: Set<String>, itemTypes: Set<String>, branches: Set<String>) {
        func words(_ part: Combination.Part) -> Set<String> {
            let asked = (questions[part] ?? []).compactMap { if case .contains(let word) = $0 { word } else { nil } }
            return named[part, default: []].union(asked)
        }
        return (words(.category), words(.itemType), words(.branch))
    }

    /// Where the function of the point answers something to no case of any combination that was asked for; empty where not all is known.
    package var unreached: [(file: String, line: Int)] {
        guard let closure = prover.policy?.functions[point], !all.isEmpty, all.allSatisfy(\.isKnown) else { return [] }
        return AnswerPlaces.lines(of: closure.body).map { Site(file: closure.file, line: $0) }
            .filter { !answered.contains($0) }.map { ($0.file, $0.line) }
    }

    private func key(_ combination: Combination) -> Key {
        let parts = Combination.Part.allCases.map { part -> Int in
            guard let asked = questions[part], !asked.isEmpty else { return 0 }
            let codes = combination.codes(part)
            if let known = classes[part]?[codes] { return known }
            let answers = asked.map { ($0, $0.answer(codes, prover.texts)) }.sorted { "\($0.0)" < "\($1.0)" }
            let words = answers.flatMap { ["\($0.0)"] + $0.1 }
            let number = numbers[words] ?? numbers.count + 1
            numbers[words] = number
            classes[part, default: [:]][codes] = number
            return number
        }
        guard !groups.isEmpty, let tables = prover.policy?.tables else { return Key(parts: parts, rows: []) }
        let rows = tables.groups.indices.filter { groups.contains(tables.groups[$0]) }.map {
            prover.signature(combination.rows.groups[$0].all, tables.groups[$0])
        }
        return Key(parts: parts, rows: rows)
    }

    private func find(_ combination: Combination) throws(ProofError) -> FunctionOutcomes {
        var shown = Set(Combination.Part.allCases.filter { questions[$0]?.contains(.all) ?? false })
        while true {
            let known = KnownCombination(combination, prover.texts, showing: shown, named)
            let count = prover.texts.words.count
            let (ways, words, gap, loose) = try explore(known)
            // A word that was named meanwhile may be a code that was taken for any other.
            if prover.texts.words.count > count { classes = [:] }
            let variables = ways.reduce(into: Set<String>()) { names, way in
                for literal in way.literals { literal.condition.collect(into: &names) }
            }
            let compared = known.compared(ways.flatMap { $0.literals.map(\.condition) })
            let before = named
            for (part, words) in compared { named[part, default: []].formUnion(words) }
            let more = known.tooHidden(variables).subtracting(shown)
            if more.isEmpty, named == before {
                note(known)
                return FunctionOutcomes(ways, words, gap, loose)
            }
            shown.formUnion(more)
        }
    }

    private func note(_ known: KnownCombination) {
        let (before, count) = (questions, groups.count)
        for (part, asked) in known.asked { questions[part, default: []].formUnion(asked) }
        groups.formUnion(known.groups)
        if questions == before && groups.count == count { return }
        // What was found before may be of combinations that are told apart now.
        (classes, places) = ([:], [:])
    }

    private func explore(
        _ known: KnownCombination
    ) throws(ProofError) -> ([MergedWay<OutcomeKind>], [CaseWords], Unsettled?, [String: Unsettled]) {
        guard let policy = prover.policy else { throw .solver("no policy") }
        var (ways, words): ([MergedWay<OutcomeKind>], [CaseWords]) = ([], [])
        var gap: Unsettled?
        var loose: [String: Unsettled] = [:]
        do {
            try prover.explorer(until: deadline, most: Self.mostWays).explore { path in
                let desk = prover.desk(of: policy, at: point, path)
                desk.model.known = known
                (desk.reckonsLoans, desk.reckonsStandard) = (false, false)
                let kind = try Self.kind { try answer(desk) }
                guard try path.isPossible() else { return true }
                loose.merge(path.loose) { first, _ in first }
                ways.append(MergedWay(literals: path.literals, kind: kind, example: words.count))
                words.append(CaseWords(desk.model))
                if let site = desk.interpreter.answeredAt { answered.insert(site) }
                return true
            }
        } catch let exhausted as Exhausted {
            gap = Unsettled(file: policy.file, line: policy.functions[point]?.site.line ?? 1, message: exhausted.what)
        } catch let error as ProofError {
            throw error
        } catch {
            gap = Unsettled(file: policy.file, line: 1, message: "\(error)")
        }
        return (ways, words, gap, loose)
    }

    /// The most ways that are listed.
    private static let mostWays = 2_000

    private static func kind(_ answer: () throws -> OutcomeKind?) throws -> OutcomeKind? {
        do {
            return try answer()
        } catch let unsettled as Unsettled {
            return OutcomeKind(answer: .unknown(unsettled), site: Site(file: unsettled.file, line: unsettled.line))
        } catch let raised as Raised {
            return OutcomeKind(answer: .fails("lua_error"), site: raised.site)
        } catch let failure as Failure {
            return OutcomeKind(answer: .fails(failure.code), site: failure.site)
        }
    }
}

extension FunctionOutcomes {
    /// - Parameter loose: variables of which conditions say nothing of a case.
    fileprivate init(
        _ ways: [MergedWay<OutcomeKind>], _ words: [CaseWords], _ gap: Unsettled?, _ loose: [String: Unsettled]
    ) {
        self.gap = gap
        let parts = MergedWay.merged(ways[...]).map { Self.settled($0, loose) }
        let ambiguous = Self.ambiguous(parts, words)
        var seen: Set<Outcome> = []
        for part in parts {
            guard let kind = part.kind else { continue }
            let said = part.literals.map { literal in
                let words = words[part.example]
                let isPlain = ambiguous.contains(literal.condition)
                return SaidCondition(words: words.all(of: literal, byParts: isPlain), literal: literal)
            }
            let outcome = Outcome(answer: kind.answer, file: kind.site.file, line: kind.site.line, conditions: said)
            if seen.insert(outcome).inserted { outcomes.append(outcome) }
        }
    }

    /// A part whose conditions say of a case what they say: what others decide is not known.
    private static func settled(
        _ part: MergedWay<OutcomeKind>, _ loose: [String: Unsettled]
    ) -> MergedWay<OutcomeKind> {
        func why(_ literal: Literal) -> Unsettled? {
            let variables = literal.condition.variables.sorted()
            return variables.lazy.compactMap { loose[$0] }.first
                ?? (variables.contains { $0.contains(List.behind) } ? loose.values.first : nil)
        }
        // That a loop has come to its end goes without saying.
        let literals = part.literals.filter { literal in
            guard !literal.holds, case .variable(let name) = literal.condition else { return true }
            return !name.hasSuffix(Interpreter.goesOn)
        }
        guard let unsettled = literals.lazy.compactMap(why).first else {
            return MergedWay(literals: literals.withoutImplied, kind: part.kind, example: part.example)
        }
        let kind = OutcomeKind(
            answer: .unknown(unsettled), site: Site(file: unsettled.file, line: unsettled.line))
        return MergedWay(literals: literals.filter { why($0) == nil }.withoutImplied, kind: kind, example: part.example)
    }

    /// Conditions that are said with the words of another.
    private static func ambiguous(_ parts: [MergedWay<OutcomeKind>], _ words: [CaseWords]) -> Set<Condition> {
        var conditions: [String: Set<Condition>] = [:]
        for part in parts {
            for literal in part.literals {
                let said = words[part.example].all(of: Literal(condition: literal.condition, holds: true))
                conditions[said, default: []].insert(literal.condition)
            }
        }
        return conditions.values.filter { $0.count > 1 }.reduce(into: []) { $0.formUnion($1) }
    }
}

/// The lines on which a function answers something.
private struct AnswerPlaces: LuaVisitor {
    private var lines: [Int] = []
    private var depth = 0

    static func lines(of body: FunctionBody) -> [Int] {
        var finder = AnswerPlaces()
        body.block.walk(&finder)
        return finder.lines
    }

    mutating func enter(_ function: FunctionBody) { depth += 1 }
    mutating func leave(_ function: FunctionBody) { depth -= 1 }

    mutating func enter(_ statement: Statement) {
        guard depth == 0, case .return(let values) = statement.kind, !values.isEmpty else { return }
        lines.append(statement.range.start.line)
    }
}
