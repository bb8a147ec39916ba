package import Circulation
package import LuaSyntax
package import TextFormats

/// Proves or refutes what a policy promises. Used by one thread.
package final class PolicyProver {
    /// What a proof takes of the outside.
    package struct Surroundings {
        /// The answers' words as a policy's Lua has them, and their names in the order in which the file returns them.
        package var prelude: Chunk
        package var preludeNames: [String]
        /// Reckons a function of Lua's libraries on values that are known; throws ``LibraryFault`` for an error of Lua's.
        package var reckon: ReckonLibrary

        package init(prelude: Chunk, names: [String], reckon: @escaping ReckonLibrary) {
            (self.prelude, preludeNames, self.reckon) = (prelude, names, reckon)
        }
    }

    /// The name of a function or an operator, and the values as JSON has them.
    package typealias ReckonLibrary = (String, [JSON]) throws -> [JSON]

    let domain: ProofDomain
    /// Asked again and again; once it is true a proof ends as if its time were over.
    package var isStopped: @Sendable () -> Bool = { false }
    let texts = Texts()
    let library: Library
    let solver: Solver
    private var prelude: [String: Value] = [:]
    private(set) var policy: PolicyModel?
    /// What is reached, where that is asked for.
    private(set) var reach: Reach?
    /// What rows ask and say, by number, and the rows that do, by what they say of a group.
    var rowMeanings: [RowMeaning: Int] = [:]
    var rowNumbers: [RuleGroup: [Int: Int]] = [:]
    private var declared: [(property: Property, body: Closure?)] = []

    /// How many steps of the solver's own one question to it may take: some seconds.
    private static let effort: UInt32 = 10_000_000

    /// - Parameters:
    ///   - chunks: the policy's file, then those that it requires.
    ///   - tables: what was read of it.
    /// - Throws: ``ProofError`` without a solver; ``Unsettled`` where the files cannot be followed.
    package init(
        _ chunks: [Chunk], tables: CompiledTables, domain: ProofDomain, surroundings: Surroundings
    ) throws {
        self.domain = domain
        library = Library(domain.currency) { name, values in
            try surroundings.reckon(name, values.map(\.json)).map { PlainValue($0) }
        }
        solver = try Solver(effort: Self.effort)
        try aside { interpreter in
            let words = try interpreter.run(surroundings.prelude)
            for (name, word) in zip(surroundings.preludeNames, words) where name != "has" { prelude[name] = word }
        }
        policy = try model(of: chunks, tables)
    }

    /// A policy as proofs see it.
    func model(of chunks: [Chunk], _ tables: CompiledTables) throws -> PolicyModel? {
        for word in tables.words { _ = texts.number(of: word) }
        for chunk in chunks { texts.add(literalsOf: chunk) }
        var model: PolicyModel?
        try aside { model = try PolicyModel(chunks, tables: tables, $0) }
        return model
    }

    /// Runs what depends on no case.
    private func aside(_ body: (Interpreter) throws -> Void) throws {
        let explorer = Explorer(solver, ProofLimits(deadline: .now + .seconds(60)), library.gathered)
        do {
            try explorer.explore(keeping: true) { path in
                try body(interpreter(path))
                return false
            }
        } catch let raised as Raised {
            throw raised.unsettled
        }
    }

    func interpreter(_ path: Path) -> Interpreter {
        let interpreter = Interpreter(path, texts, domain.currency, library)
        interpreter.words = prelude
        return interpreter
    }

    /// - Parameter paths: the most ways that are gone.
    func explorer(until deadline: ContinuousClock.Instant, most paths: Int = 20_000) -> Explorer {
        // What is known of a function at one point need not be so at another, where a case has other parts.
        (library.summaries.byName, library.rounds) = ([:], [:])
        let limits = ProofLimits(paths: paths, deadline: deadline, isStopped: isStopped)
        return Explorer(solver, limits, library.gathered)
    }

    func desk(of policy: PolicyModel, at point: DecisionPoint, _ path: Path) -> DeskModel {
        DeskModel(policy, CaseModel(path, domain, point, texts), interpreter(path))
    }

    // MARK: - Properties

    /// Reads the properties that a file of tests declares; its tests are passed over.
    ///
    /// - Parameters:
    ///   - tests: the file of tests.
    ///   - module: finds what it requires.
    ///   - others: the words of tests, which come to nothing.
    package func declare(_ tests: Chunk, others: [String], module: @escaping (String) -> Chunk?) throws {
        try aside { [unowned self] interpreter in
            interpreter.words["policy_file"] = .word(Word(name: "policy_file") { _, arguments, _ in arguments })
            for kind in [Property.Kind.never, .always, .same] {
                interpreter.words[kind.rawValue] = .word(
                    Word(name: kind.rawValue) { [unowned self] _, arguments, site in
                        try declare(kind, arguments, site)
                        return []
                    })
            }
            for name in others { interpreter.words[name] = .word(Word(name: name) { _, _, _ in [] }) }
            interpreter.requires(module)
            texts.add(literalsOf: tests)
            _ = try interpreter.run(tests)
        }
        var seen: Set<ObjectIdentifier> = []
        for case (_, let body?) in declared { Value.function(body).freeze(&seen) }
    }

    private func declare(_ kind: Property.Kind, _ arguments: [Value], _ site: Site) throws {
        guard arguments.count >= 3, case .text(.known(let name)) = arguments[0],
            case .text(.known(let word)) = arguments[1], let point = DecisionPoint(rawValue: word)
        else { throw Raised("\(kind.rawValue): arguments are a name and a decision point", at: site) }
        let body: Closure? = if case .function(let body) = arguments[2] { body } else { nil }
        if body == nil, kind != .same { throw Raised("\(kind.rawValue): argument 3 must be a function", at: site) }
        let property = Property(
            kind: kind, name: name, point: point, file: site.file, line: site.line, index: declared.count)
        declared.append((property, body))
    }

    /// The properties that were declared, in their order.
    package var properties: [Property] { declared.map(\.property) }

    // MARK: - Proving

    /// Has cases made of the ways that reach what none did before.
    package func reach(_ show: @escaping (JSONObject) -> Void) { reach = Reach(show) }

    /// Proves or refutes what is promised of one point: it goes through all ways of the question once, and on each from
    /// where it was decided through those of each promise.
    ///
    /// - Parameters:
    ///   - promises: declared properties of this point, and such of every policy.
    ///   - deadline: when it is to end.
    ///   - confirm: whether the desk itself breaks a promise in a case, or in two.
    /// - Returns: what became of each promise.
    package func prove(
        _ promises: [Promise], at point: DecisionPoint, until deadline: ContinuousClock.Instant,
        confirm: @escaping (Promise, JSONObject, JSONObject?) -> Bool
    ) throws(ProofError) -> [Proof] {
        guard let policy else { throw .solver("no policy") }
        let explorer = explorer(until: deadline)
        // One that is hard leaves the others most of the time.
        let share = (deadline - ContinuousClock.now) / (promises.count > 1 ? 4 : 1)
        let searches = promises.map { promise in
            Search(promise, of: policy.file, left: share) { confirm(promise, $0, $1) }
        }
        func give(up why: Unsettled, _ searches: [Search]) {
            for search in searches { search.note(why) }
            if let reach { reach.gap = reach.gap ?? why }
        }
        /// What is decided where a way cannot be followed may be anything.
        func leave(open why: Unsettled, _ desk: DeskModel) throws {
            guard try desk.path.isPossible() else { return }
            desk.interpreter.wayEnds = nil
            give(up: why, searches.filter { !$0.promise.isDeclared })
            desk.path.approximateAbove(all: why)
            for search in searches where search.isOpen && search.promise.isDeclared {
                try look([search], desk, .unsettled(why))
            }
        }
        do {
            try explorer.explore { path in
                let desk = desk(of: policy, at: point, path)
                let interpreter = desk.interpreter
                interpreter.joinsLookUps = true
                interpreter.wayEnds = reach.map { reach in { try reach.note(desk) } }
                defer { interpreter.wayEnds = nil }
                do {
                    let decision = try desk.decide()
                    try reach?.note(desk)
                    interpreter.wayEnds = nil
                    for together in searches.lookingTogether { try look(together, desk, decision) }
                } catch let unsettled as Unsettled {
                    try leave(open: unsettled, desk)
                } catch let raised as Raised {
                    try leave(open: raised.unsettled, desk)
                }
                return searches.contains(where: \.isOpen)
            }
        } catch let exhausted as Exhausted {
            give(up: Unsettled(file: policy.file, line: 1, message: exhausted.what), searches)
        } catch let error as ProofError {
            throw error
        } catch {
            give(up: Unsettled(file: policy.file, line: 1, message: "\(error)"), searches)
        }
        return searches.map(\.proof)
    }

    /// Looks for cases that break promises on one way. The due time of a loan is reckoned once for all of them.
    private func look(_ searches: [Search], _ desk: DeskModel, _ decision: DecisionModel) throws {
        let (path, loops, start) = (desk.path, desk.interpreter.loops, ContinuousClock.now)
        defer { for search in searches { search.left -= ContinuousClock.now - start } }
        do {
            let paths = try path.branch(until: start + (searches.map(\.left).min() ?? .zero)) {
                desk.interpreter.loops = loops
                desk.model.beside = nil
                let broken = try searches.broken(on: path) { try isBroken($0, desk, decision) }
                try look(broken, desk, broken: decision)
                return searches.contains(where: \.isOpen)
            }
            for search in searches { search.paths += paths }
        } catch let exhausted as Exhausted {
            for search in searches where search.isOpen {
                search.note(Unsettled(file: desk.policy.file, line: 1, message: exhausted.what))
                search.isExhausted = true
            }
        }
    }

    /// - Parameter searches: of which a decision breaks the promises, as far as it is known.
    private func look(_ searches: [Search], _ desk: DeskModel, broken decision: DecisionModel) throws {
        var broken = searches
        let waiting = decision.pending == nil ? [] : broken.filter { $0.promise != .builtIn(.inherits) }
        if !waiting.isEmpty {
            let settled = try waiting.settling(on: desk.path) { try desk.settled(decision) }
            broken.removeAll { search in waiting.contains { $0 === search } }
            if let settled { broken += try waiting.broken(on: desk.path) { try isBroken($0, desk, settled) } }
        }
        guard try !broken.isEmpty && desk.path.isPossible() else { return }
        for search in broken { _ = try [search].settling(on: desk.path) { try search.look(for: desk.model) } }
    }

    private func isBroken(_ search: Search, _ desk: DeskModel, _ decision: DecisionModel) throws -> Bool {
        switch search.promise {
        case .builtIn(let property): return try property.isBroken(by: decision, desk)
        case .declared(let property):
            do {
                return try isBroken(property, desk, decision)
            } catch let raised as Raised {
                try search.noteRaising(desk.model)
                throw raised
            }
        }
    }

    /// Whether a decision breaks a declared property.
    func isBroken(_ property: Property, _ desk: DeskModel, _ decision: DecisionModel) throws -> Bool {
        guard let body = declared[property.index].body else {
            throw Unsettled(
                file: property.file, line: property.line, message: "another policy, which is not asked here")
        }
        let within = Word(name: "within") { interpreter, arguments, site in
            [.flag(try desk.model.isWithin(arguments, interpreter, site))]
        }
        desk.interpreter.words["within"] = .word(within)
        // It holds on to the desk, which has the interpreter.
        defer { desk.interpreter.words["within"] = nil }
        let record = decision.record(property.point, desk)
        let answer = try desk.interpreter.call(
            .function(body), [.record(desk.model.root), .record(record)],
            at: Site(file: property.file, line: property.line))
        return try desk.interpreter.isTrue(answer.first ?? .null) == (property.kind == .never)
    }
}

/// What is promised of a policy.
package enum Promise: Hashable, Sendable {
    case declared(Property)
    case builtIn(BuiltInProperty)

    var isDeclared: Bool { if case .declared = self { true } else { false } }
}

extension Raised {
    var unsettled: Unsettled { Unsettled(file: site.file, line: site.line, message: words) }

    var words: String {
        if case .text(.known(let text)) = value { "it raises: \(text)" } else { "it raises an error" }
    }
}

extension CaseModel {
    /// What `within(code, above)` answers: whether a code of the case is another, or lies below it.
    func isWithin(_ arguments: [Value], _ interpreter: Interpreter, _ site: Site) throws -> Condition {
        guard arguments.count == 2, case .text(.known(let word)) = arguments[1] else {
            throw Raised("within: arguments are a code of the case and a category, item type or branch", at: site)
        }
        switch arguments[0] {
        case .text(.symbol(let number)):
            if case .variable(let variable) = number, let chain = chains[variable.name] {
                return try chain.contains(word)
            }
            // It may be a code all the same, which stands elsewhere in the case.
            path.approximate(site.unsettled("`within` of a text that is no code of the case"))
            return try number.equals(.constant(texts.number(of: word)))
                || path.condition("(within \(number.smt) \(word))")
        case .text(.known): throw site.unsettled("`within` of a text that is no code of the case")
        default: return .constant(false)
        }
    }
}

extension CompiledTables {
    /// The codes that rows name.
    fileprivate var words: [String] {
        source.allConditions.flatMap { row in
            [row.categories, row.itemTypes, row.branches, row.copyBranches, row.homeBranches, row.locations]
                .flatMap { $0 ?? [] }
        }
    }
}

extension PlainValue {
    var json: JSON {
        switch self {
        case .null: .null
        case .flag(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .float(let value): .number(value)
        case .text(let text): .string(text)
        }
    }

    init(_ json: JSON) {
        switch json {
        case .bool(let value): self = .flag(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .float(value)
        case .string(let text): self = .text(text)
        default: self = .null
        }
    }
}
