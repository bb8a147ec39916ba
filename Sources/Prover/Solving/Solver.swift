import CSolver

/// The solver: whether any case meets some facts. Used by one thread.
///
/// What was found out once is kept: a question is the set of its facts, and most ways through a policy ask the same ones.
final class Solver {
    private let solver: UnsafeMutableRawPointer
    private var facts: [Condition: Fact] = [:]
    private var variables: [String: Int] = [:]
    /// For each variable its name, and the bounds of a number as a fact of their own; nil: it is true or false.
    private var table: [(name: String, bounds: moonshelf_term?)] = []
    private var numbers: [Int64: moonshelf_term] = [:]
    private var answers: [[Int32]: Answer] = [:]
    /// Facts that cannot all hold, by each of them.
    private var contradictions: [Int32: [Set<Int32>]] = [:]
    /// Values that were found, the last used first.
    private var found: [FoundValues] = []
    /// How many questions were put to z3.
    private(set) var questions = 0

    /// What the solver says of facts.
    enum Answer: Sendable {
        case possible, impossible
        /// It did not find out with the effort that it may make.
        case unknown
    }

    /// - Parameter effort: how many steps of z3's own one question may take.
    /// - Throws: ``ProofError/noSolver(_:)`` where z3 is not installed.
    init(effort: UInt32) throws(ProofError) {
        if let fault = moonshelf_solver_load() { throw .noSolver(String(cString: fault)) }
        guard let solver = moonshelf_solver_make(effort) else { throw .noSolver("it does not begin") }
        self.solver = solver
    }

    deinit {
        moonshelf_solver_free(solver)
    }

    /// A fact, known by its number from then on.
    func fact(_ condition: Condition) throws(ProofError) -> Fact {
        if let known = facts[condition] { return known }
        var names: Set<String> = []
        condition.collect(into: &names)
        var relation: Relation?
        if case .relation(let known) = condition { relation = known }
        let term = try relation == nil ? term(condition) : term(.constant(true))
        let fact = Fact(
            id: Int32(facts.count), condition: condition, term: term, relation: relation,
            variables: names.map(variable),
            isStanding: !names.isEmpty && names.allSatisfy { $0.contains(List.standing) }
        )
        facts[condition] = fact
        return fact
    }

    func variable(_ name: String) -> Int {
        if let known = variables[name] { return known }
        variables[name] = table.count
        table.append((name, nil))
        return table.count - 1
    }

    /// Whether a fact can hold with others that can all hold.
    func check(_ others: [Fact], with fact: Fact) throws(ProofError) -> Answer {
        let facts = others + [fact]
        let key = facts.map(\.id).sorted()
        if let known = answers[key] { return known }
        let ids = Set(key)
        if let known = contradictions[fact.id], known.contains(where: ids.isSuperset) { return .impossible }
        let answer = try related(facts)
        answers[key] = answer
        return answer
    }

    /// Whether facts can all hold.
    func check(_ facts: [Fact]) throws(ProofError) -> Answer {
        let key = facts.map(\.id).sorted()
        if let known = answers[key] { return known }
        let answer = try related(facts)
        answers[key] = answer
        return answer
    }

    /// Values of symbols, and of what else is in the facts, with which these all hold; nil where they cannot.
    func assignment(_ facts: [Fact], of symbols: [Symbol]) throws(ProofError) -> Assignment? {
        var others: [Int] = []
        for symbol in symbols {
            if let bounds = symbol.bounds {
                _ = try term(.init(name: symbol.name, least: bounds.lowerBound, most: bounds.upperBound))
            }
            others.append(variable(symbol.name))
        }
        guard try related(facts, others) == .possible else { return nil }
        var assignment = Assignment()
        let place = found[0].place
        for index in Set(facts.flatMap(\.variables) + others) {
            let (name, bounds) = table[index]
            let term = try made(moonshelf_term_variable(solver, name, bounds == nil ? 1 : 0))
            if bounds == nil {
                assignment.conditions[name] = moonshelf_solver_truth(solver, place, term) != 0
            } else {
                assignment.numbers[name] = moonshelf_solver_number(solver, place, term)
            }
        }
        return assignment
    }

    /// Whether facts can all hold, and what they say of values that come up as well.
    private func related(_ facts: [Fact], _ others: [Int] = []) throws(ProofError) -> Answer {
        let relations = facts.compactMap(\.relation)
        var facts = facts
        while true {
            let answer = try ask(facts, others)
            if answer != .possible || relations.isEmpty { return answer }
            var missed: [Fact] = []
            for relation in relations {
                let value = moonshelf_solver_number(solver, found[0].place, try term(relation.subject))
                guard let condition = relation.fact(of: value) else { continue }
                let fact = try fact(condition)
                if moonshelf_solver_truth(solver, found[0].place, fact.term) == 0 { missed.append(fact) }
            }
            if missed.isEmpty { return answer }
            facts += missed
        }
    }

    /// - Parameter others: variables that keep to their bounds, whether facts are about them or not.
    private func ask(_ facts: [Fact], _ others: [Int] = []) throws(ProofError) -> Answer {
        let variables = Set(facts.flatMap(\.variables) + others)
        if recall(facts, variables) { return .possible }
        questions += 1
        var terms: [moonshelf_term?] = facts.map(\.term)
        for variable in variables {
            if let bounds = table[variable].bounds { terms.append(bounds) }
        }
        var names: [moonshelf_term?] = []
        for fact in facts { names.append(try name(of: fact)) }
        // The values that were not used for the longest time make room.
        let isFull = found.count == moonshelf_solver_kept
        let place = isFull ? found[found.count - 1].place : UInt32(found.count)
        let answer = moonshelf_solver_check(solver, terms, UInt32(terms.count), &names, UInt32(names.count), place)
        if answer > 0 {
            if isFull { found.removeLast() }
            found.insert(FoundValues(at: place), at: 0)
        }
        if answer == 0 { keep(zip(facts, names).compactMap { $1 == nil ? nil : $0.id }) }
        if let fault = moonshelf_solver_fault(solver) { throw .solver(String(cString: fault)) }
        return answer > 0 ? .possible : answer == 0 ? .impossible : .unknown
    }

    /// Whether facts hold with values that were found before; then these are the last used.
    private func recall(_ facts: [Fact], _ variables: Set<Int>) -> Bool {
        for (index, values) in found.enumerated() {
            let holds = facts.reversed().allSatisfy { fact in
                values.holds(fact: Int(fact.id)) { moonshelf_solver_truth(solver, values.place, fact.term) != 0 }
            }
            guard holds else { continue }
            let areWithin = variables.allSatisfy { variable in
                guard let bounds = table[variable].bounds else { return true }
                return values.holds(boundsOf: variable) { moonshelf_solver_truth(solver, values.place, bounds) != 0 }
            }
            guard areWithin else { continue }
            found.remove(at: index)
            found.insert(values, at: 0)
            return true
        }
        return false
    }

    /// The name by which the solver says that it needs a fact.
    private func name(of fact: Fact) throws(ProofError) -> moonshelf_term {
        if let known = fact.name { return known }
        let name = try made(moonshelf_term_variable(solver, "fact \(fact.id)", 1))
        fact.name = name
        return name
    }

    private func keep(_ contradiction: [Int32]) {
        let core = Set(contradiction)
        for id in core { contradictions[id, default: []].append(core) }
    }

    // MARK: - Terms

    private func term(_ condition: Condition) throws(ProofError) -> moonshelf_term {
        switch condition {
        case .constant(let value): return try made(moonshelf_term_truth(solver, value ? 1 : 0))
        case .variable(let name): return try made(moonshelf_term_variable(solver, name, 1))
        case .relation: return try made(moonshelf_term_truth(solver, 1))
        case .not(let inner): return try make(moonshelf_not, [term(inner)])
        case .all(let parts): return try make(moonshelf_and, terms(parts))
        case .any(let parts): return try make(moonshelf_or, terms(parts))
        case .equal(let left, let right): return try make(moonshelf_equal, [term(left), term(right)])
        case .atMost(let left, let right): return try make(moonshelf_at_most, [term(left), term(right)])
        }
    }

    private func terms(_ parts: [Condition]) throws(ProofError) -> [moonshelf_term?] {
        var terms: [moonshelf_term?] = []
        for part in parts { terms.append(try term(part)) }
        return terms
    }

    private func term(_ number: Number) throws(ProofError) -> moonshelf_term {
        switch number {
        case .constant(let value):
            if let known = numbers[value] { return known }
            let term = try made(moonshelf_term_number(solver, value))
            numbers[value] = term
            return term
        case .variable(let variable): return try term(variable)
        case .sum(let parts):
            var terms: [moonshelf_term?] = []
            for part in parts { terms.append(try term(part)) }
            return try make(moonshelf_sum, terms)
        case .scaled(let inner, let factor): return try make(moonshelf_product, [term(.constant(factor)), term(inner)])
        case .product(let left, let right): return try make(moonshelf_product, [term(left), term(right)])
        case .quotient(let inner, let divisor):
            return try make(moonshelf_quotient, [term(inner), term(.constant(divisor))])
        case .remainder(let inner, let divisor):
            return try make(moonshelf_remainder, [term(inner), term(.constant(divisor))])
        case .choice(let condition, let one, let other):
            return try make(moonshelf_choice, [term(condition), term(one), term(other)])
        }
    }

    private func term(_ variable: Number.Variable) throws(ProofError) -> moonshelf_term {
        let term = try made(moonshelf_term_variable(solver, variable.name, 0))
        let index = self.variable(variable.name)
        if table[index].bounds == nil {
            table[index].bounds = try make(
                moonshelf_and,
                [
                    make(moonshelf_at_most, [self.term(.constant(variable.least)), term]),
                    make(moonshelf_at_most, [term, self.term(.constant(variable.most))]),
                ])
        }
        return term
    }

    private func make(
        _ operation: moonshelf_operation, _ parts: [moonshelf_term?]
    ) throws(ProofError) -> moonshelf_term {
        try made(moonshelf_term_make(solver, operation, parts, UInt32(parts.count)))
    }

    private func made(_ term: moonshelf_term?) throws(ProofError) -> moonshelf_term {
        if let term { return term }
        throw .solver(moonshelf_solver_fault(solver).map { String(cString: $0) } ?? "no term")
    }
}

/// Values with which facts were found to hold, and what is known to be so with them.
private final class FoundValues {
    /// Where the solver keeps them.
    let place: UInt32
    /// By their numbers, as far as they were asked for.
    private var facts: [Bool?] = []
    private var bounds: [Bool?] = []

    init(at place: UInt32) { self.place = place }

    func holds(fact: Int, _ ask: () -> Bool) -> Bool { Self.known(&facts, fact, ask) }

    func holds(boundsOf variable: Int, _ ask: () -> Bool) -> Bool { Self.known(&bounds, variable, ask) }

    private static func known(_ known: inout [Bool?], _ index: Int, _ ask: () -> Bool) -> Bool {
        if index >= known.count { known += Array(repeating: nil, count: index + 1 - known.count) }
        if let value = known[index] { return value }
        let value = ask()
        known[index] = value
        return value
    }
}

/// A variable of a case.
struct Symbol: Hashable {
    let name: String
    /// What a number can be; nil: it is true or false.
    let bounds: ClosedRange<Int64>?
}

/// A fact as the solver has it: two are the same only if they are one.
final class Fact {
    let id: Int32
    let condition: Condition
    let term: UnsafeMutableRawPointer
    let relation: Relation?
    /// A variable that says that it is to hold.
    fileprivate(set) var name: UnsafeMutableRawPointer?
    /// The variables in it, by their numbers.
    let variables: [Int]
    /// Whether it speaks of elements alone that stand for all others.
    let isStanding: Bool

    init(
        id: Int32, condition: Condition, term: UnsafeMutableRawPointer, relation: Relation?, variables: [Int],
        isStanding: Bool
    ) {
        (self.id, self.condition, self.term) = (id, condition, term)
        (self.relation, self.variables, self.isStanding) = (relation, variables, isStanding)
    }
}

/// Why nothing can be proved at all.
package enum ProofError: Error, Hashable, Sendable {
    /// z3 cannot be loaded, and why.
    case noSolver(String)
    /// What the solver says that it should not.
    case solver(String)

    package var words: String {
        switch self {
        case .noSolver(let why):
            "Proofs need the solver z3, and \(why). On Debian: apt-get install libz3-4"
        case .solver(let printed): "The solver failed: \(printed)"
        }
    }
}
