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

    init(_ explorer: Explorer) { self.explorer = explorer }

    struct State {
        let count, statedHere, summedHere: Int
        let known: [Condition: Bool]
        let constrained, declared, named: Set<String>
        let inner: Explorer.Summary?
        let looks: Explorer.Looks
        let mark: Int
    }

    /// Whether the way that was left last used what was known before it was entered.
    var usedEarlier: Bool { journal.usedEarlier }

    func enter(_ summary: Explorer.Summary) -> State {
        let state = State(
            count: count, statedHere: statedHere, summedHere: summedHere, known: known, constrained: constrained,
            declared: declared, named: named, inner: inner, looks: looks,
            mark: journal.begin())
        inner = summary
        looks = Explorer.Looks()
        return state
    }

    /// - Parameter way: what made the way that ends; nil: it is given up.
    func leave(_ state: State, _ way: Condition?, _ summary: inout Explorer.Summary) {
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
    private(set) var usedEarlier = false
    /// How many choices the way has made.
    var choices: Choice = 0

    /// How often it was asked which way to go, also where that was known.
    var decisions = 0

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

    func begin() -> Int {
        levels.append((choices, false))
        return entries.count
    }

    func end(_ mark: Int) {
        usedEarlier = levels.removeLast().usesEarlier
        while entries.count > mark { entries.removeLast()() }
    }
}

extension Condition {
    /// Whether it can come out either way where nothing is known of its variables, which must be others than those.
    func isFree(of constrained: Set<String>) -> Bool {
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
