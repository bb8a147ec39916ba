import Circulation
import LuaSyntax

/// What is known of one way round a loop that goes round as often as the case says.
struct Round {
    /// What it adds to each variable that is a number: the same of each element, or between two bounds.
    var additions: [Int: (exact: Number?, bounds: ClosedRange<Int64>)] = [:]
    /// Whether each variable that is true or false stays false, and whether it stays true.
    var stays: [Int: (isFalse: Bool, isTrue: Bool)] = [:]
}

extension Interpreter {
    /// Goes round a loop once or more, over elements of which one stands for all.
    ///
    /// What the rounds change must be numbers to which each adds something, texts, and values that are true or false. A round is
    /// carried out once, from any state that rounds before it can have left; what it adds is bounded by that round.
    ///
    /// - Parameters:
    ///   - standing: the element that stands for all that the loop goes through.
    ///   - count: how many elements are left, at least one.
    ///   - round: carries the body out for the element that stands for all.
    func anyRounds(
        of standing: Standing, count: Number, _ block: Block, _ scope: Scope, _ site: Site, round: () throws -> Flow
    ) throws -> Flow {
        let unsettled = site.openLoop
        // Where a condition is put together, the same loop may come up elsewhere.
        if path.isPuttingTogether { throw unsettled }
        // What was decided of one need not be so of the others.
        if path.hasChosen({ $0.contains(standing.name) }) { throw unsettled }
        path.approximate(unsettled)
        var finder = ChangeFinder()
        block.walk(&finder)
        guard finder.isPlain else { throw unsettled }
        loops += 1
        let name = "\(site.file):\(site.line) (\(loops))"
        var before: [Int: (value: Value, added: Number)] = [:]
        for id in finder.changed.sorted() {
            guard let box = scope.boxes[id] else { continue }
            let value = box.value
            let added = try path.number("what \(name) adds to \(id)", -Self.mostAdded...Self.mostAdded)
            for variable in ["what \(name) adds to \(id)", "what \(name) added to \(id)", "\(id) after \(name)"] {
                path.loosen(variable, unsettled)
            }
            before[id] = (value, added)
            switch value {
            case .integer(let number): set(box, .integer(number + added))
            case .money(let number): set(box, .money(number + added))
            case .flag: set(box, .flag(try path.condition("\(id) after \(name)")))
            // Of a text that grows nothing is known.
            case .text: set(box, .text(.symbol(try path.number("\(id) after \(name)", CaseModel.texts))))
            default: throw unsettled
            }
        }
        let state = before.keys.reduce(into: [Int: Value]()) { $0[$1] = scope.boxes[$1]?.value }
        // This comes first, so that what a round adds is known where it is asked for.
        path.loosen("\(name)\(Self.goesOn)", unsettled)
        if try path.holds(path.condition("\(name)\(Self.goesOn)")) {
            let around = guarded
            age += 1
            guarded = (age, Set(before.keys.compactMap { scope.boxes[$0].map(ObjectIdentifier.init) }))
            defer { guarded = around }
            let flow = try round()
            guard case .next = flow else { return flow }
            try note(name, standing.name, before, state, scope, unsettled)
            throw Abandoned()
        }
        guard let known = library.rounds[name] else { throw Abandoned() }
        for (id, addition) in known.additions.sorted(by: { $0.key < $1.key }) {
            guard let value = before[id]?.value, let box = scope.boxes[id] else { throw unsettled }
            let (least, most) = (addition.bounds.lowerBound, addition.bounds.upperBound)
            let times = ProofDomain.listLength.upperBound
            let sum =
                try self.sum(addition.exact, addition.bounds, of: standing, count: count, unsettled)
                ?? path.number(
                    "what \(name) added to \(id)", min(least, least * times)...max(most, most * times))
            switch value {
            case .integer(let number): set(box, .integer(number + sum))
            case .money(let number): set(box, .money(number + sum))
            default: throw unsettled
            }
        }
        for (id, stays) in known.stays {
            guard case .flag(let old)? = before[id]?.value, case .flag(let new)? = state[id] else { continue }
            if stays.isFalse { try path.assume(new.implies(old)) }
            if stays.isTrue { try path.assume(old.implies(new)) }
        }
        return .next
    }

    /// Behind the name of a loop: the way at hand is one round of it.
    static let goesOn = " goes on"

    /// Of a case with so many elements it is easily seen what they come to.
    private static let fewElements: ClosedRange<Int64> = 2...25

    /// A thousand times what the longest list of a case can add up to.
    static let mostAdded: Int64 = 1_000_000_000_000_000_000

    /// What elements add up to of which each adds something; nil where that is not the same for each. It is the same wherever the
    /// same is added up of the same elements.
    ///
    /// - Parameters:
    ///   - addition: what the element adds that stands for all.
    ///   - bounds: of what one adds.
    ///   - count: how many there are.
    func sum(
        _ addition: Number?, _ bounds: ClosedRange<Int64>, of standing: Standing, count: Number, _ why: Unsettled
    ) throws -> Number? {
        let times = ProofDomain.listLength.upperBound
        guard abs(bounds.lowerBound) <= Self.mostAdded / times, abs(bounds.upperBound) <= Self.mostAdded / times else {
            throw why
        }
        guard let addition else { return nil }
        if let each = addition.constant { return count * .constant(each) }
        var (least, most) = (min(0, bounds.lowerBound * times), max(0, bounds.upperBound * times))
        // What a list of the case comes to is an amount like others.
        let amounts = ProofDomain.amounts(of: "amount")
        if case .variable = addition, bounds == amounts { (least, most) = (amounts.lowerBound, amounts.upperBound) }
        let name = standing.sum(of: addition)
        let sum = try path.number(name, least...most)
        path.loosen(name, why)
        try path.assume(count.equals(.constant(1)).implies(sum.equals(addition)))
        try path.assume(count.equals(.constant(0)).implies(sum.equals(.constant(0))))
        path.wish(count <= .constant(1))
        // Elements that are all alike are written.
        path.wish(
            count <= .constant(1)
                || .some(Self.fewElements.map { count.equals(.constant($0)) && sum.equals(addition * .constant($0)) }))
        return sum
    }

    /// Notes what a round has changed.
    private func note(
        _ name: String, _ elements: String, _ before: [Int: (value: Value, added: Number)], _ state: [Int: Value],
        _ scope: Scope, _ unsettled: Unsettled
    ) throws {
        var round = library.rounds[name] ?? Round()
        let isFirst = library.rounds[name] == nil
        for id in before.keys.sorted() {
            guard let now = scope.boxes[id]?.value, let then = state[id] else { throw unsettled }
            switch (then, now) {
            case (.integer(let one), .integer(let other)), (.money(let one), .money(let other)):
                guard let added = other.beyond(one), let bounds = added.bounds else { throw unsettled }
                let isOfElement = added.variables.allSatisfy { $0.hasPrefix(elements) }
                var exact = isOfElement || added.constant != nil ? added : nil
                var range = bounds
                if !isFirst, let known = round.additions[id] {
                    if known.exact != exact { exact = nil }
                    let (one, other) = (range, known.bounds)
                    range = min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
                }
                round.additions[id] = (exact, range)
            case (.flag(let one), .flag(let other)):
                let isFalse = try path.check(other && one.negated) == .impossible
                let isTrue = try path.check(one && other.negated) == .impossible
                let known = round.stays[id] ?? (true, true)
                round.stays[id] = (known.isFalse && isFalse, known.isTrue && isTrue)
            case (.text, .text): break
            default: throw unsettled
            }
        }
        library.rounds[name] = round
    }

    /// Changes a variable, so that it is as before where a condition is put together of several ways and it was there before.
    func set(_ box: Box, _ value: Value) {
        let before = box.value
        // Each way makes its own of those that are made on it, and what it answers may hold on to them.
        if box.depth < path.journal.depth { path.journal.note { box.value = before } }
        box.value = value
    }
}

extension Number {
    /// What a sum has beside another number; nil where that is not seen.
    func beyond(_ other: Number) -> Number? {
        if self == other { return .constant(0) }
        func parts(_ number: Number) -> [Number] { if case .sum(let parts) = number { parts } else { [number] } }
        var rest = parts(self)
        for part in parts(other) {
            guard let index = rest.firstIndex(of: part) else {
                // The constant part of a sum stands together.
                guard case .constant(let known) = part else { return nil }
                rest.append(.constant(-known))
                continue
            }
            rest.remove(at: index)
        }
        return rest.reduce(.constant(0), +)
    }

    var variables: Set<String> {
        var variables: Set<String> = []
        collect(into: &variables)
        return variables
    }
}

/// Finds which variables a loop's body changes that were there before it.
struct ChangeFinder: LuaVisitor {
    private(set) var declared: Set<Int> = []
    private(set) var assigned: Set<Int> = []
    private(set) var names: [Int: String] = [:]
    /// Whether it may leave the loop, or answer.
    private(set) var mayEnd = false
    /// Whether nothing in it is changed but variables: no table, and none of a function's own.
    private(set) var isPlain = true

    var changed: Set<Int> { assigned.subtracting(declared) }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .local(let names, _): declared.formUnion(names.map(\.id))
        case .numericFor(let name, _, _, _, _): declared.insert(name.id)
        case .genericFor(let names, _, _): declared.formUnion(names.map(\.id))
        case .localFunction, .function: isPlain = false
        case .assignment(let targets, _):
            for target in targets {
                if case .variable(let variable) = target.kind, let id = variable.declaration {
                    assigned.insert(id)
                    names[id] = variable.name
                } else {
                    isPlain = false
                }
            }
        case .return, .break, .goto: mayEnd = true
        default: break
        }
    }

    mutating func enter(_ function: FunctionBody) { isPlain = false }
}

/// The local variables that statements name.
struct VariableUses: LuaVisitor {
    private(set) var declarations: Set<Int> = []
    /// Those of functions around the one that names them.
    private(set) var captured: Set<Int> = []
    /// Whether there is a `goto`, or a label for one.
    private(set) var jumps = false

    init(of statements: ArraySlice<Statement>) {
        for statement in statements { statement.walk(&self) }
    }

    mutating func enter(_ expression: Expression) {
        guard case .variable(let variable) = expression.kind, let declaration = variable.declaration else { return }
        declarations.insert(declaration)
        if case .upvalue = variable.binding { captured.insert(declaration) }
    }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .goto, .label: jumps = true
        default: break
        }
    }
}

extension Expression {
    /// The local variable that it is.
    var declaration: Int? {
        if case .variable(let variable) = kind { variable.declaration } else { nil }
    }
}
