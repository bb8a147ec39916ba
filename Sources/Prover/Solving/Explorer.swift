import Circulation

/// Goes through all ways that a question can take: each is carried out from the beginning, and where it comes to a
/// condition that some cases meet and some do not, it goes on for either.
///
/// Used by one thread. What is carried out must be the same each time but for the conditions' outcomes.
final class Explorer {
    private let solver: Solver
    private let limits: ProofLimits
    private var choices: [Choice] = []
    /// What was declared after so many choices.
    private var declared: [[Symbol]] = []
    /// How many facts were stated after so many choices.
    private var stated: [Int] = []
    /// What conditions came to that were put together of several ways, after so many choices.
    private var summaries: [[Summary]] = []
    /// How many ways were gone.
    private(set) var paths = 0

    private struct Choice {
        let condition: Condition
        var isTaken: Bool
        var hasAlternative: Bool
    }

    struct Symbol: Hashable {
        let name: String
        let isCondition: Bool
    }

    init(_ solver: Solver, _ limits: ProofLimits) {
        self.solver = solver
        self.limits = limits
    }

    /// Carries `body` out for each way. It may stop the search by answering false.
    ///
    /// - Throws: ``ProofError``; ``Exhausted`` where there are more ways, or it takes longer, than the limits allow; what
    ///   `body` throws but ``Abandoned``.
    func explore(_ body: (Path) throws -> Bool) throws {
        try solver.push()
        defer {
            // Where the solver fails here it fails at the next question too.
            try? solver.pop(choices.count + 1)
            choices = []
        }
        (declared, stated, summaries) = ([[]], [0], [[]])
        repeat {
            paths += 1
            if paths > limits.paths { throw Exhausted(what: "there are more than \(limits.paths) ways through it") }
            if limits.isOver { throw Exhausted(what: "the time limit") }
            let path = Path(self)
            do {
                if try !body(path) { return }
            } catch is Abandoned {}
        } while try backtrack()
    }

    /// Turns to the last condition that can also come out the other way; false where there is none.
    ///
    /// - Parameter base: how many of the choices stay as they are.
    private func backtrack(to base: Int = 0) throws -> Bool {
        while choices.count > base, var last = choices.popLast() {
            try solver.pop(1)
            declared.removeLast()
            stated.removeLast()
            summaries.removeLast()
            guard last.hasAlternative else { continue }
            last.isTaken.toggle()
            last.hasAlternative = false
            try take(last)
            return true
        }
        return false
    }

    private func take(_ choice: Choice) throws {
        try solver.push()
        try solver.assert(choice.isTaken ? choice.condition : choice.condition.negated)
        choices.append(choice)
        declared.append([])
        stated.append(0)
        summaries.append([])
    }

    // MARK: - Conditions of several ways

    /// What is found of a condition by going all ways through it.
    struct Summary {
        /// nil: it is none, or there are too many ways.
        var condition: Condition?
        var symbols: [Symbol] = []
        var facts: [Condition] = []
        /// The variables that the facts are about.
        var constrained: Set<String> = []
        /// Facts that were stated by a name.
        var names: Set<String> = []
        /// How many facts had been stated by then.
        var stated = 0
        /// What of the case was looked at.
        var looks = Looks()
        /// The variables of all conditions that were decided on its ways, also on those that came to nothing.
        var decided: Set<String> = []
        /// Whether something was decided on its ways by what was known before.
        var usesEarlier = false

        /// Whether nothing that was known before matters to it: then it is the same on every way.
        var isIndependent: Bool {
            guard let condition else { return false }
            let own = Set(symbols.map(\.name))
            return !usesEarlier && condition.variables.isSubset(of: own) && constrained.isSubset(of: own)
                && decided.isSubset(of: own)
        }
    }

    /// Those that are the same on every way, by what they were put together of.
    final class Summaries {
        var byName: [String: Summary] = [:]
    }

    /// What of a case was looked at on a way, and how it is written.
    struct Looks {
        var reads: [CaseModel.Read] = []
        /// The lists, and whether they are of texts.
        var lists: [String: Bool] = [:]
        var chains: [String: CaseMeaning] = [:]

        mutating func add(_ other: Looks, on way: Condition = .constant(true)) {
            reads += other.reads.map { CaseModel.Read(path: $0.path, value: $0.value, way: way && $0.way) }
            lists.merge(other.lists) { one, _ in one }
            chains.merge(other.chains) { one, _ in one }
        }
    }

    /// With more ways a condition is not put together.
    private static let mostParts = 300

    /// Puts a condition together of all ways through `body`, which must not be a choice of the way at hand.
    ///
    /// - Parameter number: which of the summaries after so many choices it is.
    fileprivate func summary(
        _ path: Path, after count: Int, number: Int, _ body: () throws -> Condition?
    ) throws -> Summary {
        if number < summaries[count].count { return summaries[count][number] }
        // Those within it stand behind it as long as it is put together.
        summaries[count].append(Summary())
        defer { summaries[count].removeSubrange((number + 1)...) }
        let base = choices.count
        var summary = Summary()
        var parts: [Condition] = []
        var isWhole = true
        var ways = 0
        var usesEarlier = false
        var decided: Set<String> = []
        repeat {
            ways += 1
            let state = path.enter(summary)
            do {
                if let value = try body(), ways < Self.mostParts, !limits.isOver {
                    let way = Condition.every(choices[base...].map { $0.isTaken ? $0.condition : $0.condition.negated })
                    if value != .constant(false) { parts.append(way && value) }
                    path.leave(state, way, &summary)
                } else {
                    isWhole = false
                }
            } catch is Abandoned {
                path.leave(state, .constant(false), &summary)
            } catch is Unsettled {
                isWhole = false
            } catch is Raised {
                isWhole = false
            } catch is Failure {
                isWhole = false
            }
            if !isWhole { path.leave(state, nil, &summary) }
            usesEarlier = usesEarlier || path.usedEarlier
            for choice in choices[base...] { choice.condition.collect(into: &decided) }
        } while try isWhole && backtrack(to: base)
        while choices.count > base {
            try solver.pop(1)
            choices.removeLast()
            declared.removeLast()
            stated.removeLast()
            summaries.removeLast()
        }
        if isWhole {
            summary.condition = .some(parts)
            (summary.usesEarlier, summary.decided) = (usesEarlier, decided)
            for symbol in summary.symbols { try declare(symbol, after: count) }
            for fact in summary.facts {
                stated[count] += 1
                try solver.assert(fact)
                fact.collect(into: &summary.constrained)
            }
        } else {
            summary = Summary()
        }
        summary.stated = stated[count]
        summaries[count][number] = summary
        return summary
    }

    /// Keeps the place of a condition that is known by its name, so that those after it keep theirs.
    fileprivate func skipSummary(after count: Int, number: Int) {
        if number == summaries[count].count { summaries[count].append(Summary()) }
    }

    // MARK: - For paths

    /// The outcome of a condition after so many choices, where it was chosen before.
    fileprivate func chosen(after count: Int) -> Bool? { count < choices.count ? choices[count].isTaken : nil }

    /// Chooses an outcome of a condition that comes up for the first time.
    fileprivate func choose(_ condition: Condition, isFree: Bool) throws -> Bool {
        let holds = isFree ? .possible : try solver.check(with: condition)
        let fails = isFree ? .possible : try solver.check(with: condition.negated)
        switch (holds, fails) {
        case (.impossible, .impossible): throw Abandoned()
        case (.impossible, _): try take(Choice(condition: condition, isTaken: false, hasAlternative: false))
        case (_, .impossible): try take(Choice(condition: condition, isTaken: true, hasAlternative: false))
        default: try take(Choice(condition: condition, isTaken: true, hasAlternative: true))
        }
        return choices.last?.isTaken ?? false
    }

    fileprivate func declare(_ symbol: Symbol, after count: Int) throws {
        guard !declared.contains(where: { $0.contains(symbol) }) else { return }
        declared[count].append(symbol)
        try solver.declare(symbol.name, isCondition: symbol.isCondition)
    }

    /// - Parameter number: which of the facts stated after so many choices it is.
    fileprivate func state(_ fact: Condition, after count: Int, number: Int) throws {
        guard number >= stated[count] else { return }
        stated[count] += 1
        try solver.assert(fact)
    }

    /// Values with which a way is gone, if there are any; of the wishes those hold that can, the first first.
    ///
    /// - Parameter others: values that are not wanted again.
    fileprivate func assignment(wishing wishes: [Condition], but others: [Assignment]) throws -> Assignment? {
        let symbols = declared.joined()
        var levels = 1
        try solver.push()
        defer { try? solver.pop(levels) }
        for other in others { try solver.assert(other.differs) }
        guard try solver.check() == .possible else { return nil }
        for wish in wishes where try solver.check(with: wish) == .possible {
            try solver.push()
            levels += 1
            try solver.assert(wish)
        }
        guard try solver.check() == .possible else { return nil }
        return try solver.assignment(
            of: Set(symbols.filter { !$0.isCondition }.map(\.name)),
            Set(symbols.filter(\.isCondition).map(\.name)))
    }

    fileprivate func isPossible() throws -> Bool { try solver.check() != .impossible }
}

/// How much a proof may take.
struct ProofLimits: Sendable {
    var paths = 20_000
    /// When it is to end.
    var deadline: ContinuousClock.Instant

    var isOver: Bool { ContinuousClock.now > deadline }
}

/// A way that no case goes.
struct Abandoned: Error {}

/// The limits did not suffice.
struct Exhausted: Error {
    let what: String
}

/// What cannot be settled, where it stands, and why.
package struct Unsettled: Error, Hashable, Sendable {
    package var file: String
    package var line: Int
    package var message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }
}

/// One way through a question, and the facts that make a case go it.
final class Path {
    private let explorer: Explorer
    private var count = 0
    private var statedHere = 0
    private var summedHere = 0
    private var known: [Condition: Bool] = [:]
    /// After how many choices it became known.
    private var decidedAt: [Condition: Journal.Choice] = [:]
    /// Variables that facts are about.
    private var constrained: Set<String> = []
    private(set) var declared: Set<String> = []
    /// The names of facts that were stated by one.
    private var named: Set<String> = []
    /// What is so in a plain case.
    private(set) var wishes: [Condition] = []
    /// Where something was taken more widely than it is; nil: everything is exact.
    private(set) var approximation: Unsettled?
    /// Takes back what was remembered within a condition that is put together.
    let journal = Journal()
    /// What was declared and stated within one.
    private var inner: Explorer.Summary?
    /// What of the case was looked at.
    var looks = Explorer.Looks()

    fileprivate init(_ explorer: Explorer) { self.explorer = explorer }

    fileprivate struct State {
        let count, statedHere, summedHere: Int
        let known: [Condition: Bool]
        let constrained, declared, named: Set<String>
        let inner: Explorer.Summary?
        let looks: Explorer.Looks
        let mark: Int
    }

    /// Whether the way that was left last used what was known before it was entered.
    fileprivate var usedEarlier: Bool { journal.usedEarlier }

    fileprivate func enter(_ summary: Explorer.Summary) -> State {
        let state = State(
            count: count, statedHere: statedHere, summedHere: summedHere, known: known, constrained: constrained,
            declared: declared, named: named, inner: inner, looks: looks,
            mark: journal.begin())
        inner = summary
        looks = Explorer.Looks()
        return state
    }

    /// - Parameter way: what made the way that ends; nil: it is given up.
    fileprivate func leave(_ state: State, _ way: Condition?, _ summary: inout Explorer.Summary) {
        if let way, let inner {
            summary = inner
            summary.looks.add(looks, on: way)
        }
        looks = state.looks
        journal.end(state.mark)
        journal.choices = state.count
        (count, statedHere, summedHere) = (state.count, state.statedHere, state.summedHere)
        (known, constrained, declared, inner) = (state.known, state.constrained, state.declared, state.inner)
        named = state.named
    }

    /// A condition that is put together of all ways through `body`, so that this way does not fork; nil where that cannot be
    /// done.
    func summary(_ body: () throws -> Condition?) throws -> Condition? {
        summedHere += 1
        let summary = try explorer.summary(self, after: count, number: summedHere - 1, body)
        statedHere = max(statedHere, summary.stated)
        return take(summary)
    }

    /// The same, of which it is known by a name what it comes to wherever it depends on nothing that went before.
    func summary(
        named name: String, in known: Explorer.Summaries, _ body: () throws -> Condition?
    ) throws -> Condition? {
        if let summary = known.byName[name] {
            summedHere += 1
            explorer.skipSummary(after: count, number: summedHere - 1)
            for symbol in summary.symbols {
                guard declared.insert(symbol.name).inserted else { continue }
                try explorer.declare(symbol, after: count)
                inner?.symbols.append(symbol)
            }
            for (index, fact) in summary.facts.enumerated() { try assume(fact, named: "\(index) of \(name)") }
            looks.add(summary.looks)
            return summary.condition
        }
        summedHere += 1
        let summary = try explorer.summary(self, after: count, number: summedHere - 1, body)
        statedHere = max(statedHere, summary.stated)
        if summary.isIndependent { known.byName[name] = summary }
        return take(summary)
    }

    private func take(_ summary: Explorer.Summary) -> Condition? {
        guard let condition = summary.condition else { return nil }
        looks.add(summary.looks)
        for symbol in summary.symbols where declared.insert(symbol.name).inserted { inner?.symbols.append(symbol) }
        constrained.formUnion(summary.constrained)
        named.formUnion(summary.names)
        inner?.names.formUnion(summary.names)
        inner?.facts += summary.facts
        return condition
    }

    /// Whether a condition holds on this way.
    func holds(_ condition: Condition) throws -> Bool {
        if let value = condition.constant { return value }
        journal.decisions += 1
        if let value = known[condition] {
            if let choice = decidedAt[condition] { journal.use(choice) }
            return value
        }
        let isFree = condition.isFree(of: constrained)
        let value = try explorer.chosen(after: count) ?? explorer.choose(condition, isFree: isFree)
        count += 1
        journal.choices = count
        (statedHere, summedHere) = (0, 0)
        note(condition, value)
        condition.collect(into: &constrained)
        return value
    }

    private func note(_ condition: Condition, _ value: Bool) {
        for known in [condition, condition.negated] where decidedAt[known] == nil {
            decidedAt[known] = journal.choice
            journal.note { [self] in decidedAt[known] = nil }
        }
        known[condition] = value
        known[condition.negated] = !value
        switch condition {
        case .all(let parts) where value: for part in parts { note(part, true) }
        case .any(let parts) where !value: for part in parts { note(part, false) }
        case .not(let inner): known[inner] = !value
        default: break
        }
    }

    /// States what holds for all cases.
    ///
    /// - Parameter name: tells the fact from others where it is too large to be compared with them.
    func assume(_ fact: Condition, named name: String? = nil) throws {
        if fact == .constant(true) { return }
        if let name {
            guard named.insert(name).inserted else { return }
            inner?.names.insert(name)
        } else {
            if known[fact] == true { return }
            known[fact] = true
        }
        try explorer.state(fact, after: count, number: statedHere)
        statedHere += 1
        inner?.facts.append(fact)
        fact.collect(into: &constrained)
    }

    /// A number that cases have.
    func number(_ name: String, _ bounds: ClosedRange<Int64>) throws -> Number {
        let variable = Number.variable(.init(name: name, least: bounds.lowerBound, most: bounds.upperBound))
        guard declared.insert(name).inserted else { return variable }
        let symbol = Explorer.Symbol(name: name, isCondition: false)
        try explorer.declare(symbol, after: count)
        // Bounds by themselves leave the variable free.
        let fact = Condition.all([
            .atMost(.constant(bounds.lowerBound), variable), .atMost(variable, .constant(bounds.upperBound)),
        ])
        try explorer.state(fact, after: count, number: statedHere)
        statedHere += 1
        inner?.symbols.append(symbol)
        inner?.facts.append(fact)
        return variable
    }

    /// A condition that cases meet or not.
    func condition(_ name: String) throws -> Condition {
        if declared.insert(name).inserted {
            let symbol = Explorer.Symbol(name: name, isCondition: true)
            try explorer.declare(symbol, after: count)
            inner?.symbols.append(symbol)
        }
        return .variable(name)
    }

    /// Notes that something was taken more widely than it is.
    func approximate(_ place: Unsettled) { approximation = approximation ?? place }

    /// Notes what is so in a plain case: it is preferred where cases are shown.
    func wish(_ condition: Condition) { wishes.append(condition) }

    /// Values that a case has which goes this way, the plainest that there are.
    ///
    /// - Parameter others: those that were looked at already: in something that is so or not it must differ from each.
    func assignment(but others: [Assignment] = []) throws -> Assignment? {
        try explorer.assignment(wishing: wishes, but: others)
    }

    /// Whether any case goes this way.
    func isPossible() throws -> Bool { try explorer.isPossible() }
}

/// What is remembered on a way, and how it is taken back.
final class Journal {
    /// How many choices the way had made when something became known.
    typealias Choice = Int

    private var entries: [() -> Void] = []
    /// For each condition that is being put together how many choices were made before it, and whether what they decided was used.
    private var levels: [(before: Choice, usesEarlier: Bool)] = []
    /// Whether the level that ended last used what was known before it.
    fileprivate private(set) var usedEarlier = false
    /// How many choices the way has made.
    fileprivate(set) var choices: Choice = 0

    /// How often it was asked which way to go, also where that was known.
    fileprivate(set) var decisions = 0

    /// What becomes known now.
    var choice: Choice { choices }

    /// Notes that what became known after so many choices decides something.
    func use(_ choice: Choice) {
        for index in levels.indices where choice <= levels[index].before { levels[index].usesEarlier = true }
    }

    /// Notes how something is taken back.
    func note(_ undo: @escaping () -> Void) {
        if !levels.isEmpty { entries.append(undo) }
    }

    fileprivate func begin() -> Int {
        levels.append((choices, false))
        return entries.count
    }

    fileprivate func end(_ mark: Int) {
        usedEarlier = levels.removeLast().usesEarlier
        while entries.count > mark { entries.removeLast()() }
    }
}

extension Condition {
    /// Whether it can come out either way where nothing is known of its variables, which must be others than those.
    fileprivate func isFree(of constrained: Set<String>) -> Bool {
        switch self {
        case .constant: return false
        case .variable(let name): return !constrained.contains(name)
        case .not(let inner): return inner.isFree(of: constrained)
        case .all(let parts), .any(let parts):
            var seen = constrained
            return parts.allSatisfy { part in
                let isFree = part.isFree(of: seen)
                part.collect(into: &seen)
                return isFree
            }
        case .equal(.variable(let variable), .constant(let value)),
            .equal(.constant(let value), .variable(let variable)):
            return !constrained.contains(variable.name) && variable.least < variable.most
                && (variable.least...variable.most).contains(value)
        case .atMost(.variable(let variable), .constant(let value)):
            return !constrained.contains(variable.name) && (variable.least..<variable.most).contains(value)
        case .atMost(.constant(let value), .variable(let variable)):
            return !constrained.contains(variable.name) && variable.least < value && value <= variable.most
        default: return false
        }
    }
}
