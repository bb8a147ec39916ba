import LuaSyntax

/// A loop's body that adds to lists, such as `lines[#lines + 1] = { label = line.label, amount = line.amount }`, taken apart into what
/// it adds to each of them and what else it does.
struct ListBuilding {
    /// What is added to one list.
    struct Part {
        /// The variable that the list is.
        let list: Int
        /// The body, which sets that variable to what would have been added; it changes nothing else.
        let body: Block
        /// Whether elements are put where the ones stand that the loop goes through.
        let isByPlace: Bool
    }

    let parts: [Part]
    /// Bodies that do what else is done.
    private let others: [Block]
    /// The lists that it adds to.
    private let tables: [Table]

    /// nil where a body adds to no list, or what it adds depends on what it changes otherwise.
    ///
    /// - Parameter names: the loop's own variables.
    init?(_ block: Block, _ names: [LocalDeclaration], _ scope: Interpreter.Scope) {
        var finder = AdditionFinder(names)
        let body = finder.rewritten(block)
        let lists = Set(finder.additions.keys)
        tables = lists.compactMap { scope.boxes[$0]?.value.openList }
        guard !lists.isEmpty, finder.additions.values.allSatisfy({ $0.most == 1 }),
            Set(tables.map(ObjectIdentifier.init)).count == lists.count
        else { return nil }
        var changes = ChangeFinder()
        body.walk(&changes)
        guard changes.isPlain, !changes.mayEnd, lists.isSubset(of: changes.changed) else { return nil }
        var (parts, others): ([Part], [Block]) = ([], [])
        for slice in LoopSlices(body, changes).bodies {
            var changes = ChangeFinder()
            slice.walk(&changes)
            guard !changes.changed.isDisjoint(with: lists) else {
                others.append(slice)
                continue
            }
            // A list that is looked at while it grows is another one in each round.
            guard let list = changes.changed.first, changes.changed.count == 1, let addition = finder.additions[list],
                slice.uses(of: list) == addition.count
            else { return nil }
            parts.append(Part(list: list, body: slice, isByPlace: addition.isByPlace))
        }
        (self.parts, self.others) = (parts, others)
    }

    /// Carries out what else is done, body by body. It must not look at a list by another name: that grows meanwhile.
    func carryOutOthers(_ site: Site, _ carryOut: (Block) throws -> Void) throws {
        let reads = tables.map(\.reads)
        for body in others { try carryOut(body) }
        if tables.map(\.reads) != reads {
            throw site.openLoop
        }
    }
}

/// What a loop's body sees that was there before it: where none of it was changed, it does the same when it is carried out later.
struct LoopSurroundings {
    private let scope: Interpreter.Scope
    private var variables: [Int: Box] = [:]
    private var boxes: [ObjectIdentifier: (box: Box, writes: Int)] = [:]
    private var tables: [ObjectIdentifier: (table: Table, writes: Int)] = [:]

    /// - Parameter own: the variables that the loop sets before each round.
    init(of body: Block, but own: Set<Int>, _ scope: Interpreter.Scope) {
        self.scope = scope
        var changes = ChangeFinder()
        body.walk(&changes)
        let uses = VariableUses(of: body.statements[...]).declarations.subtracting(own).subtracting(changes.declared)
        for id in uses {
            guard let box = scope.boxes[id] else { continue }
            variables[id] = box
            add(box)
        }
    }

    private mutating func add(_ box: Box) {
        if box.isFrozen || boxes.updateValue((box, box.writes), forKey: ObjectIdentifier(box)) != nil { return }
        add(box.value)
    }

    private mutating func add(_ value: Value) {
        switch value {
        case .table(let table):
            guard !table.isFrozen, tables[ObjectIdentifier(table)] == nil else { return }
            tables[ObjectIdentifier(table)] = (table, table.writes)
            for value in table.fields.values { add(value) }
            for value in table.tail?.after ?? [] { add(value) }
        case .function(let closure):
            guard !closure.isFrozen else { return }
            for id in VariableUses(of: closure.body.block.statements[...]).declarations {
                if let box = closure.captured[id] { add(box) }
            }
        default: break
        }
    }

    /// Whether all of it is as it was.
    var areSame: Bool {
        variables.allSatisfy { scope.boxes[$0.key] === $0.value }
            && boxes.values.allSatisfy { $0.box.writes == $0.writes }
            && tables.values.allSatisfy { $0.table.writes == $0.writes }
    }
}

extension Value {
    /// The list that it is, if a policy can add to it.
    fileprivate var openList: Table? {
        guard case .table(let table) = self, !table.isFrozen, !table.hasGaps, table.tail == nil else { return nil }
        return table
    }
}

/// Finds statements that add an element to a list.
private struct AdditionFinder {
    struct Addition {
        var count = 0
        /// How many a round carries out at most.
        var most = 0
        var isByPlace = false
    }

    private let place: Int?
    private(set) var additions: [Int: Addition] = [:]

    init(_ names: [LocalDeclaration]) { place = names.first?.id }

    /// A block that sets the list to the element instead.
    mutating func rewritten(_ block: Block) -> Block {
        Block(statements: block.statements.map { rewritten($0) }, range: block.range)
    }

    private mutating func rewritten(_ statement: Statement) -> Statement {
        switch statement.kind {
        case .assignment(let targets, let values):
            guard targets.count == 1, values.count == 1, let (list, key) = targets[0].place,
                let id = list.declaration, let isByPlace = isByPlace(key, id)
            else { return statement }
            return added(values[0], to: list, id, isByPlace, statement)
        case .call(let call):
            guard let (list, value) = call.insertion, let id = list.declaration else { return statement }
            return added(value, to: list, id, false, statement)
        case .block(let block): return Statement(kind: .block(rewritten(block)), range: statement.range)
        case .conditional(let branches, let otherwise):
            // One of them is carried out.
            let before = additions
            var most = before.mapValues(\.most)
            func note(_ finder: inout AdditionFinder) {
                for (id, addition) in finder.additions {
                    most[id] = max(most[id] ?? 0, addition.most)
                    finder.additions[id]?.most = before[id]?.most ?? 0
                }
            }
            let kept = branches.map { branch in
                let block = rewritten(branch.block)
                note(&self)
                return Statement.Branch(condition: branch.condition, block: block)
            }
            let rest = otherwise.map { rewritten($0) }
            note(&self)
            for (id, most) in most { additions[id]?.most = most }
            return Statement(kind: .conditional(kept, otherwise: rest), range: statement.range)
        default: return statement
        }
    }

    private mutating func added(
        _ value: Expression, to list: Expression, _ id: Int, _ isByPlace: Bool, _ statement: Statement
    ) -> Statement {
        additions[id, default: Addition()].count += 1
        additions[id]?.most += 1
        if isByPlace { additions[id]?.isByPlace = true }
        return Statement(kind: .assignment(targets: [list], values: [value]), range: statement.range)
    }

    /// Whether a key is the place of the element that a loop goes through, as against the one behind the last of the list; nil where it
    /// is neither.
    private func isByPlace(_ key: Expression, _ list: Int) -> Bool? {
        let key = key.withoutParentheses
        if let id = key.declaration { return id == place ? true : nil }
        guard case .binary(let sum) = key.kind, sum.links.count == 1, sum.links[0].operation == .add else { return nil }
        let sides = [sum.first.withoutParentheses, sum.links[0].operand.withoutParentheses]
        let isNext = sides.contains { side in
            if case .unary(.length, let inner) = side.kind {
                inner.withoutParentheses.declaration == list
            } else {
                false
            }
        }
        return isNext && sides.contains { $0.kind == .integer(1) } ? false : nil
    }
}

extension Expression {
    /// `list[key]`, where the list is a variable.
    fileprivate var place: (list: Expression, key: Expression)? {
        guard case .suffixed(let suffixed) = kind, suffixed.suffixes.count == 1,
            case .index(let key) = suffixed.suffixes[0].kind
        else { return nil }
        return (suffixed.base.withoutParentheses, key)
    }

    /// `table.insert(list, value)`.
    fileprivate var insertion: (list: Expression, value: Expression)? {
        guard case .suffixed(let suffixed) = kind, case .variable(let table) = suffixed.base.kind,
            table.declaration == nil, table.name == "table", suffixed.suffixes.count == 2,
            case .field(let name) = suffixed.suffixes[0].kind, name.name == "insert",
            case .call(let arguments) = suffixed.suffixes[1].kind, arguments.count == 2, !arguments[1].isCall
        else { return nil }
        return (arguments[0].withoutParentheses, arguments[1])
    }
}

extension Block {
    /// How often a local variable is named in it.
    fileprivate func uses(of declaration: Int) -> Int {
        var counter = UseCounter(declaration: declaration)
        walk(&counter)
        return counter.count
    }
}

private struct UseCounter: LuaVisitor {
    let declaration: Int
    private(set) var count = 0

    init(declaration: Int) { self.declaration = declaration }

    mutating func enter(_ expression: Expression) {
        if case .variable(let variable) = expression.kind, variable.declaration == declaration { count += 1 }
    }
}
