/// One way through a question, and the facts that make a case go it.
final class Path {
    let explorer: Explorer
    private var count = 0
    private var summedHere = 0
    private var known = KnownConditions()
    /// What holds on this way: what was stated, and how conditions came out.
    private(set) var facts: [Fact] = []
    /// The same as conditions: all that makes a case go this way.
    private(set) var conditions: [Condition] = []
    /// For each variable which of the facts are about it.
    private var places: [Int: [Int]] = [:]
    private(set) var declared = LoggedNames()
    private(set) var symbols: [Symbol] = []
    /// The names of facts that were stated by one.
    private var named = LoggedNames()
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
    /// What was looked at before each condition was begun that is being put together.
    private var around: [Explorer.Looks] = []
    /// What was looked at in all.
    var allLooks: Explorer.Looks {
        around.reduce(into: looks) { $0.add($1) }
    }
    /// What grows less the later it begins, by what it is.
    var spans: [(what: String, from: Number, value: Number)] = []
    /// Of which lists how many elements meet a condition, among those of which one stands for all.
    var counted: [Counted] = []
    /// Elements behind those that are looked at one by one, each known by itself.
    var witnesses: [Witness] = []
    /// What is so of every element that stands for all.
    private(set) var standing: [Fact] = []
    /// How people say conditions and numbers that are made of several parts: what was said on one way holds on all.
    var words: SpokenTerms { explorer.words }

    /// The functions that were made on it.
    private var functions: [Closure] = []
    /// The lists with elements of which one stands for others.
    private var lists: [Table] = []

    init(_ explorer: Explorer) { self.explorer = explorer }

    /// Notes a function that is made on this way.
    func made(_ function: Closure) { functions.append(function) }

    /// Notes a list that was put together on this way.
    func made(_ list: Table) { lists.append(list) }

    /// Lets go of what holds on to the way: functions that see themselves or the case, lists whose elements are made of what stands
    /// around them, and, where it was broken off, what was to be taken back.
    ///
    /// - Parameter keeping: whether functions are called after it.
    func end(keeping: Bool) {
        journal.clear()
        if !keeping {
            for function in functions { function.captured = [:] }
            for list in lists { list.tail = nil }
        }
        (functions, lists) = ([], [])
    }

    struct State {
        let count, summedHere, facts, symbols, known, declared, named: Int
        let inner: Explorer.Summary?
        let looks: Explorer.Looks
        let approximation: Unsettled?
        let wishes, spans, counted, witnesses, standing, mark: Int
    }

    /// Whether the way that was left last used what was known before it was entered.
    var usedEarlier: Bool { journal.usedEarlier }

    /// Whether a condition is being put together of several ways.
    var isPuttingTogether: Bool { inner != nil }

    /// Begins what is left again by ``leave(_:wholly:)``.
    ///
    /// - Parameters:
    ///   - summary: of what is put together; nil: it only goes on.
    ///   - changed: the variables from before that may be changed meanwhile.
    func enter(_ summary: Explorer.Summary?, changing changed: Set<ObjectIdentifier> = []) -> State {
        let state = State(
            count: count, summedHere: summedHere, facts: facts.count, symbols: symbols.count, known: known.count,
            declared: declared.count, named: named.count, inner: inner, looks: looks, approximation: approximation,
            wishes: wishes.count, spans: spans.count, counted: counted.count, witnesses: witnesses.count,
            standing: standing.count,
            mark: journal.begin(changing: changed))
        inner = summary
        if summary != nil {
            around.append(looks)
            looks = Explorer.Looks()
        }
        return state
    }

    /// What was found since the way at hand was entered.
    ///
    /// - Parameter way: what makes a case go it.
    func gathered(on way: Condition) -> Explorer.Summary {
        var summary = inner ?? Explorer.Summary()
        summary.looks.add(looks, on: way)
        return summary
    }

    /// - Parameter wholly: whether nothing that was noted of it counts any more.
    func leave(_ state: State, wholly: Bool = false) {
        if wholly {
            approximation = state.approximation
            wishes.removeSubrange(state.wishes...)
        }
        if inner != nil { around.removeLast() }
        looks = state.looks
        journal.end(state.mark)
        journal.choices = state.count
        while facts.count > state.facts, let fact = facts.popLast() {
            for variable in fact.variables { places[variable]?.removeLast() }
        }
        conditions.removeSubrange(state.facts...)
        symbols.removeSubrange(state.symbols...)
        spans.removeSubrange(state.spans...)
        counted.removeSubrange(state.counted...)
        witnesses.removeSubrange(state.witnesses...)
        standing.removeSubrange(state.standing...)
        known.takeBack(to: state.known)
        declared.takeBack(to: state.declared)
        named.takeBack(to: state.named)
        (count, summedHere, inner) = (state.count, state.summedHere, state.inner)
    }

    // MARK: - Conditions of several ways

    /// A condition that is put together of all ways through `body`, so that this way does not fork; nil where that cannot be
    /// done.
    func summary(_ body: () throws -> Condition?) throws -> Condition? {
        summedHere += 1
        return try take(explorer.summary(self, after: count, number: summedHere - 1) { try Self.outcome(body) })?
            .condition
    }

    /// What all ways through `body` come to, so that this way does not fork; nil where that cannot be found.
    ///
    /// - Parameter changed: the variables from before that `body` changes; they are as before then.
    func outcomes(
        changing changed: Set<ObjectIdentifier>, _ body: () throws -> Explorer.Outcome?
    ) throws -> [Explorer.Outcome]? {
        summedHere += 1
        return try take(explorer.summary(self, after: count, number: summedHere - 1, changing: changed, body))?.outcomes
    }

    private static func outcome(_ body: () throws -> Condition?) throws -> Explorer.Outcome? {
        try body().map { Explorer.Outcome(values: [.flag($0)]) }
    }

    /// The same, of which it is known by a name what it comes to wherever it depends on nothing that went before.
    func summary(
        named name: String, in known: Explorer.Summaries, _ body: () throws -> Condition?
    ) throws -> Condition? {
        try taken(named: name, in: known) { try Self.outcome(body) }?.condition
    }

    /// The same of what all ways come to; without a name it is put together anew each time.
    func outcomes(
        named name: String?, in known: Explorer.Summaries, _ body: () throws -> Explorer.Outcome?
    ) throws -> [Explorer.Outcome]? {
        guard let name else { return try outcomes(changing: [], body) }
        return try taken(named: name, in: known, body)?.outcomes
    }

    private func taken(
        named name: String, in known: Explorer.Summaries, _ body: () throws -> Explorer.Outcome?
    ) throws -> Explorer.Summary? {
        // What was taken from before when the way was first gone is so each time.
        let recorded = explorer.recorded(after: count, number: summedHere)
        let isKnown = recorded?.isOfBefore ?? (known.byName[name] != nil)
        summedHere += 1
        if isKnown, let summary = recorded ?? known.byName[name] {
            explorer.keep(summary, after: count, number: summedHere - 1)
            summary.symbols.forEach(declare)
            for (index, fact) in summary.facts.enumerated() { assume(fact, named: "\(index) of \(name)") }
            looks.add(summary.looks)
            wishes += summary.wishes
            approximation = approximation ?? summary.approximation
            counted += summary.counted.filter { !counted.contains($0) }
            try summary.witnesses.forEach(note)
            return summary
        }
        let summary = try explorer.summary(self, after: count, number: summedHere - 1, body)
        if summary.isIndependent { known.byName[name] = summary }
        return try take(summary)
    }

    private func take(_ summary: Explorer.Summary) throws -> Explorer.Summary? {
        if summary.outcomes == nil { return nil }
        looks.add(summary.looks)
        summary.symbols.forEach(declare)
        for name in summary.names { _ = named.insert(name) }
        inner?.names.formUnion(summary.names)
        inner?.facts += summary.facts
        summary.facts.forEach(hold)
        wishes += summary.wishes
        approximation = approximation ?? summary.approximation
        counted += summary.counted.filter { !counted.contains($0) }
        try summary.witnesses.forEach(note)
        return summary
    }

    // MARK: - What holds

    /// Whether a condition holds on this way.
    func holds(_ condition: Condition) throws -> Bool {
        if let value = condition.constant { return value }
        journal.decisions += 1
        if let known = known.find(condition) {
            if let choice = known.choice { journal.use(choice) }
            return known.holds
        }
        try relateExtremes(in: condition)
        let value: Bool
        if let chosen = try explorer.chosen(condition, after: count) {
            value = chosen
        } else {
            let isFree = condition.isFree { places[explorer.solver.variable($0)]?.isEmpty ?? true }
            value = try explorer.choose(condition, on: self, isFree: isFree, isReckoned: isReckoning)
        }
        count += 1
        journal.choices = count
        summedHere = 0
        note(condition, value)
        state(try explorer.solver.fact(value ? condition : condition.negated))
        return value
    }

    /// Whether a condition can hold together with what holds on this way, of which that matters which has to do with it.
    func check(_ condition: Condition) throws -> Solver.Answer {
        try relateExtremes(in: condition)
        let fact = try explorer.solver.fact(condition)
        return try explorer.solver.check(slice(of: fact.variables), with: fact)
    }

    /// Whether what was decided on the way up to here is about variables of such names.
    func hasChosen(_ isAbout: (String) -> Bool) -> Bool { explorer.hasChosen(before: count, isAbout) }

    /// Whether anything was decided by variables of such names.
    func isAbout(_ name: (String) -> Bool) -> Bool {
        symbols.contains { name($0.name) && places[explorer.solver.variable($0.name)]?.isEmpty == false }
    }

    /// The facts about variables, and about those that these facts are about as well.
    private func slice(of variables: [Int]) -> [Fact] {
        var (open, seen) = (variables, Set(variables))
        var (slice, taken) = ([Fact](), Set<Int32>())
        while let variable = open.popLast() {
            for place in places[variable] ?? [] where taken.insert(facts[place].id).inserted {
                slice.append(facts[place])
                for other in facts[place].variables where seen.insert(other).inserted { open.append(other) }
            }
        }
        return slice
    }

    /// Whether any case goes this way.
    func isPossible() throws -> Bool {
        var seen: Set<Int32> = []
        for fact in facts where !seen.contains(fact.id) {
            let slice = slice(of: fact.variables)
            seen.formUnion(slice.map(\.id))
            if try explorer.solver.check(slice.isEmpty ? [fact] : slice) == .impossible { return false }
        }
        return true
    }

    private func state(_ fact: Fact) {
        for variable in fact.variables { places[variable, default: []].append(facts.count) }
        facts.append(fact)
        conditions.append(fact.condition)
    }

    /// Notes what holds for all cases.
    private func hold(_ fact: Fact) {
        state(fact)
        if fact.isStanding { standing.append(fact) }
    }

    /// Carries `body` out for each way on from here, which is as before then. It may stop by answering false.
    ///
    /// - Parameter end: when it is to end, where that is before the search does.
    /// - Returns: how many ways there were.
    func branch(until end: ContinuousClock.Instant, _ body: () throws -> Bool) throws -> Int {
        try explorer.branch(self, until: end, body)
    }

    private func note(_ condition: Condition, _ value: Bool) {
        if case .not(let inner) = condition { return note(inner, !value) }
        known.note(condition, value, after: journal.choice)
        switch condition {
        case .all(let parts) where value: for part in parts { note(part, true) }
        case .any(let parts) where !value: for part in parts { note(part, false) }
        default: break
        }
    }

    /// Whether the desk reckons with moments and amounts, as against what rows and functions ask.
    private var isReckoning = false

    /// Carries out what the desk reckons: what is decided on the way there goes without saying.
    func reckoning<Result>(_ body: () throws -> Result) rethrows -> Result { try setting(true, body) }

    /// Carries out what rows and functions ask, also where the desk is reckoning.
    func asking<Result>(_ body: () throws -> Result) rethrows -> Result { try setting(false, body) }

    private func setting<Result>(_ isSo: Bool, _ body: () throws -> Result) rethrows -> Result {
        let before = isReckoning
        isReckoning = isSo
        defer { isReckoning = before }
        return try body()
    }

    /// States what holds for all cases.
    ///
    /// - Parameter name: tells the fact from others where it is too large to be compared with them.
    func assume(_ fact: Condition, named name: String? = nil) throws {
        if fact == .constant(true) { return }
        if let name { return assume(try explorer.solver.fact(fact), named: name) }
        if known.find(fact)?.holds == true { return }
        known.note(fact, true, after: nil)
        let fact = try explorer.solver.fact(fact)
        hold(fact)
        inner?.facts.append(fact)
    }

    private func assume(_ fact: Fact, named name: String) {
        guard named.insert(name) else { return }
        inner?.names.insert(name)
        hold(fact)
        inner?.facts.append(fact)
    }

    /// A number that cases have.
    func number(_ name: String, _ bounds: ClosedRange<Int64>) throws -> Number {
        declare(Symbol(name: name, bounds: bounds))
        return .variable(.init(name: name, least: bounds.lowerBound, most: bounds.upperBound))
    }

    /// A moment that cases have: a day and a time, so that neither is reckoned of the other.
    func instant(_ name: String, _ days: ClosedRange<Int64>) throws -> Number {
        let day = ProofDomain.microsecondsPerDay
        return try number("\(name) on day", days) * .constant(day) + number("\(name) at", 0...(day - 1))
    }

    /// A condition that cases meet or not.
    func condition(_ name: String) throws -> Condition {
        declare(Symbol(name: name, bounds: nil))
        return .variable(name)
    }

    private func declare(_ symbol: Symbol) {
        guard declared.insert(symbol.name) else { return }
        symbols.append(symbol)
        inner?.symbols.append(symbol)
    }

    /// Variables that stand for more than a case says, and why: conditions with them are not those of a case.
    private(set) var loose: [String: Unsettled] = [:]

    /// Notes a variable that stands for more than a case says.
    func loosen(_ name: String, _ why: Unsettled) { loose[name] = why }

    /// Notes that something was taken more widely than it is.
    func approximate(_ place: Unsettled) { approximation = approximation ?? place }

    /// Notes the same of what matters more than anything that was noted before.
    func approximateAbove(all place: Unsettled) { approximation = place }

    /// What was decided where either was possible, in the order in which it was.
    var literals: [Literal] { explorer.literals }

    /// Notes what is so in a plain case: it is preferred where cases are shown.
    func wish(_ condition: Condition) { wishes.append(condition) }
}
