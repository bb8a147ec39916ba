import LuaSyntax

/// Loops that look for texts in a list of the case, such as `for _, action in ipairs(block.actions) do if action == wanted then
/// return true end end`. What they come to hangs on whether the list has the text, wherever it stands.
extension Interpreter {
    /// Goes through a list of texts by what it has; nil where the loop does more than look for texts that are known.
    func search(
        in list: List, _ names: [LocalDeclaration], _ block: Block, _ scope: Scope, _ site: Site
    ) throws -> Flow? {
        guard let contains = list.contains, let search = TextSearch(block, names) else { return nil }
        var found: [Condition] = []
        for expression in search.wanted {
            guard case .text(let text) = try evaluate(expression, scope) else { continue }
            guard texts.number(of: text).constant != nil else { return nil }
            found.append(try contains(text))
        }
        try count(site)
        guard try path.holds(.some(found)) else { return .next }
        if case .answer(let values) = try execute(search.then, scope) { return .answer(values) }
        return .next
    }

    /// Answers the first element of a list of records that meets a condition, where a loop does nothing else; nil where it does.
    func first(
        of list: List, _ length: Number, _ names: [LocalDeclaration], _ block: Block, _ changes: ChangeFinder,
        _ scope: Scope, _ site: Site
    ) throws -> Flow? {
        guard list.contains == nil, length.constant == nil, changes.isPlain, changes.changed.isEmpty,
            let name = names.last, names.count == 2, block.answersOnly(name.id)
        else { return nil }
        let before = carried
        /// What makes the element at a place the one that is answered.
        func condition(at place: Int64) throws -> Condition? {
            let outcomes = try path.outcomes(changing: []) {
                carried = before
                try bind(names, toElementOf: list, at: place, scope)
                let flow = try execute(block, scope)
                try wayEnds?()
                return Explorer.Outcome(values: [], flow: flow)
            }
            return outcomes.map { .some($0.filter(\.isLast).map(\.way)) }
        }
        func record(at place: Int64) throws -> Record? {
            if case .record(let record) = try list.element(place) { record } else { nil }
        }
        var elements: [(condition: Condition, record: Record)] = []
        for place in 1...list.rounds {
            guard let condition = try condition(at: place), let record = try record(at: place) else { return nil }
            elements.append((.constant(place) <= length && condition, record))
        }
        let behind = (length + .constant(-list.rounds)).greatest(.constant(0))
        guard let any = try condition(at: List.any),
            let (place, isThere) = try witness(in: list, behind, any, site, { try condition(at: $0) })
        else { return nil }
        if let place, let record = try record(at: place) { elements.append((isThere, record)) }
        try count(site)
        guard try path.holds(.some(elements.map(\.condition))) else { return .next }
        return .answer([.record(Record(firstOf: elements, path, texts))])
    }

    /// The first element that meets a condition, behind those that are looked at one by one.
    ///
    /// - Parameters:
    ///   - count: how many elements there are behind them.
    ///   - any: what makes the element that stands for all meet it.
    ///   - which: tells the first such element from the last.
    ///   - own: what makes the element at a place meet it.
    /// - Returns: its place, which it has nowhere where there can be none, and whether it is there; nil where that is not known.
    func witness(
        in list: List, _ count: Number, _ any: Condition, _ site: Site, called which: String = "with",
        _ own: (Int64) throws -> Condition?
    ) throws -> (place: Int64?, isThere: Condition)? {
        let isOfElement = { Path.isOfElement($0, of: list.name) }
        if any == .constant(false) { return (nil, any) }
        // What was decided of one element need not be so of others.
        if path.hasChosen(isOfElement) { return nil }
        let isThere = try Number.constant(1) <= number(of: list, count, any, site, hasWitness: true)
        // The first of which this holds is one and the same element wherever it is looked for.
        let place = library.witness("\(list.name) \(which) \(any.parted(isOfElement).about.smt)")
        guard let own = try own(place) else { return nil }
        try path.assume(isThere.implies(own))
        try path.note(Path.Witness(list: list.name, place: place, isThere: isThere))
        return (place, isThere)
    }

    /// Goes through the elements behind those that are looked at one by one, of which the first that meets a condition ends the
    /// loop, and no other does anything; nil where it is not so.
    ///
    /// - Parameters:
    ///   - count: how many elements there are.
    ///   - boxes: what the loop may change.
    ///   - round: carries the body out for the element at a place.
    func found(
        in list: List, _ count: Number, _ boxes: [Box], _ site: Site, _ round: (Int64) throws -> Flow
    ) throws -> Flow? {
        let start = boxes.map(\.value)
        let before = carried
        func outcomes(at place: Int64) throws -> [Explorer.Outcome]? {
            try path.outcomes(changing: Set(boxes.map(ObjectIdentifier.init))) {
                carried = before
                let flow = try round(place)
                return Explorer.Outcome(values: boxes.map(\.value), flow: flow)
            }
        }
        func ending(_ outcomes: [Explorer.Outcome]) -> Condition { .some(outcomes.filter(\.isLast).map(\.way)) }
        guard let any = try outcomes(at: List.any), any.contains(where: \.isLast),
            any.allSatisfy({ $0.isLast || zip($0.values, start).allSatisfy { $0.isSame(as: $1) } }),
            let (place, isThere) = try witness(
                in: list, count, ending(any), site, { try outcomes(at: $0).map(ending) }),
            let place
        else { return nil }
        guard try path.holds(isThere) else { return .next }
        let flow = try round(place)
        if case .next = flow { throw Abandoned() }
        return flow
    }
}

/// A loop's body that looks for texts, and what follows where one of them is found.
private struct TextSearch {
    /// Literals and variables that the loop does not change.
    private(set) var wanted: [Expression] = []
    /// Ends the loop, or does the same however often it is carried out; says nothing of the element.
    let then: Block

    /// nil where a body does anything else.
    init?(_ body: Block, _ names: [LocalDeclaration]) {
        guard names.count == 2, body.statements.count == 1,
            case .conditional(let branches, otherwise: nil) = body.statements[0].kind, branches.count == 1
        else { return nil }
        then = branches[0].block
        let uses = VariableUses(of: then.statements[...])
        guard uses.declarations.isDisjoint(with: names.map(\.id)), then.endsLoop || then.onlySetsConstants else {
            return nil
        }
        guard add(branches[0].condition, names.map(\.id)) else { return nil }
        // What is looked for must be the same each time.
        var changes = ChangeFinder()
        then.walk(&changes)
        let sought = Set(wanted.compactMap(\.declaration))
        guard then.endsLoop || sought.isDisjoint(with: changes.changed) else { return nil }
    }

    /// Adds what an expression compares the element with; false where it does more than that.
    private mutating func add(_ expression: Expression, _ names: [Int]) -> Bool {
        guard case .binary(let binary) = expression.withoutParentheses.kind else { return false }
        if binary.links.allSatisfy({ $0.operation == .or }) {
            return add(binary.first, names) && binary.links.allSatisfy { add($0.operand, names) }
        }
        guard binary.links.count == 1, binary.links[0].operation == .equal else { return false }
        let sides = [binary.first.withoutParentheses, binary.links[0].operand.withoutParentheses]
        guard let element = sides.firstIndex(where: { $0.declaration == names[1] }) else { return false }
        let other = sides[1 - element]
        guard other.isLiteral || other.declaration.map({ !names.contains($0) }) == true else { return false }
        wanted.append(other)
        return true
    }
}

extension Block {
    /// Whether it answers a variable alone, wherever it ends its function, and leaves a loop nowhere.
    fileprivate func answersOnly(_ declaration: Int) -> Bool {
        var finder = AnsweredVariables()
        walk(&finder)
        return finder.isPlain && finder.answered == [declaration]
    }
}

/// Finds what the statements of a loop answer.
private struct AnsweredVariables: LuaVisitor {
    /// nil for what is no variable.
    private(set) var answered: Set<Int?> = []
    /// Whether nothing else ends the loop.
    private(set) var isPlain = true

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .return(let values): answered.insert(values.count == 1 ? values[0].withoutParentheses.declaration : nil)
        case .break, .goto: isPlain = false
        default: break
        }
    }

    mutating func enter(_ function: FunctionBody) { isPlain = false }
}

extension Expression {
    fileprivate var isLiteral: Bool {
        switch kind {
        case .nil, .boolean, .integer, .number, .string: true
        default: false
        }
    }
}

extension Block {
    fileprivate var endsLoop: Bool {
        switch statements.last?.kind {
        case .return, .break: true
        default: false
        }
    }

    /// Whether carrying it out again changes nothing.
    fileprivate var onlySetsConstants: Bool {
        statements.allSatisfy { statement in
            guard case .assignment(let targets, let values) = statement.kind else { return false }
            return targets.allSatisfy { $0.declaration != nil } && values.allSatisfy(\.isLiteral)
        }
    }
}
