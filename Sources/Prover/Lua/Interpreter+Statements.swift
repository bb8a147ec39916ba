import LuaSyntax

extension Interpreter {
    func execute(_ block: Block, _ scope: Scope) throws -> Flow {
        for (index, statement) in block.statements.enumerated() {
            let flow = try countedLoop(block, at: index, scope) ?? execute(statement, scope)
            if case .next = flow { continue }
            return flow
        }
        return .next
    }

    private func execute(_ statement: Statement, _ scope: Scope) throws -> Flow {
        let site = scope.site(statement.range)
        try count(site)
        note(site)
        switch statement.kind {
        case .empty, .label: return .next
        case .local(let names, let values):
            let found = try evaluate(values, count: names.count, scope)
            for (name, value) in zip(names, found) { scope.boxes[name.id] = box(value) }
        case .localFunction(let name, let body):
            let box = box(.null)
            scope.boxes[name.id] = box
            box.value = .function(made(body, scope))
        case .function(let target, let body):
            try place(target, scope)(.function(made(body, scope)))
        case .assignment(let targets, let values):
            // What is to be changed is found before anything is.
            let places = try targets.map { try place($0, scope) }
            let found = try evaluate(values, count: targets.count, scope)
            for (place, value) in zip(places, found).reversed() { try place(value) }
        case .call(let call): _ = try evaluateAll(call, scope)
        case .block(let block): return try execute(block, scope)
        case .return(let values):
            let answer = try evaluateAll(values, scope)
            answeredAt = site
            return .answer(answer)
        case .break: return .leave
        case .goto: throw site.unsettled("a goto")
        default: return try executeControl(statement, scope, site)
        }
        return .next
    }

    private func executeControl(_ statement: Statement, _ scope: Scope, _ site: Site) throws -> Flow {
        switch statement.kind {
        case .conditional(let branches, let otherwise):
            for branch in branches where try isTrue(evaluate(branch.condition, scope)) {
                return try execute(branch.block, scope)
            }
            return try otherwise.map { try execute($0, scope) } ?? .next
        case .whileLoop(let condition, let block):
            var rounds = Rounds(path)
            return try loop(site) {
                guard try rounds.goesOn(site, { try self.isTrue(self.evaluate(condition, scope)) }) else {
                    return .leave
                }
                guard case .boolean = condition.withoutParentheses.kind else { return try self.execute(block, scope) }
                return try rounds.goesOn(site, withBody: true) { try self.execute(block, scope) }
            }
        case .repeatLoop(let block, let condition):
            var rounds = Rounds(path)
            return try loop(site) {
                let flow = try self.execute(block, scope)
                guard case .next = flow else { return flow }
                return try rounds.goesOn(site) { try self.isTrue(self.evaluate(condition, scope)) } ? .leave : .next
            }
        case .numericFor(let name, let from, let to, let step, let block):
            return try numericFor(name, [from, to] + (step.map { [$0] } ?? []), block, scope, site)
        case .genericFor(let names, let values, let block): return try genericFor(names, values, block, scope, site)
        default: return .next
        }
    }

    /// Goes round until `body` leaves or answers.
    private func loop(_ site: Site, _ body: () throws -> Flow) throws -> Flow {
        while true {
            try count(site)
            switch try body() {
            case .next: continue
            case .leave: return .next
            case .answer(let values): return .answer(values)
            }
        }
    }

    /// Finds what a target of an assignment is; what comes of it sets that to a value.
    private func place(_ target: Expression, _ scope: Scope) throws -> (Value) throws -> Void {
        let site = scope.site(target.range)
        switch target.kind {
        case .variable(let variable):
            guard let id = variable.declaration, let box = scope.boxes[id] else {
                throw site.unsettled("a global variable is set")
            }
            if box.isFrozen { throw site.unsettled("a variable is set that outlives the case") }
            return { [self] value in try change(box, to: value, site) }
        case .suffixed(let expression):
            guard let last = expression.suffixes.last else { throw site.unsettled("an assignment") }
            let parent = try evaluate(expression.base, expression.suffixes.dropLast(), scope).first ?? .null
            let key: Value
            switch last.kind {
            case .field(let name): key = .text(name.name)
            case .index(let index): key = try evaluate(index, scope)
            default: throw site.unsettled("an assignment to a call")
            }
            return { [self] value in
                guard case .table(let table) = parent else {
                    throw Raised("attempt to change what is no table of the policy's own", at: site)
                }
                if table.isFrozen {
                    throw Raised("attempt to change a table that was made when the policy was loaded", at: site)
                }
                if table.tail != nil, case .integer(let number) = key, number == table.size + .constant(1) {
                    try append(value, to: table, site)
                } else {
                    try set(table.whole(at: site), self.key(key, site), value, site)
                }
            }
        default: throw site.unsettled("an assignment")
        }
    }

    /// Changes a table. Nothing takes that back: only where it was made can it be changed, and each way makes its own.
    func set(_ table: Table, _ key: Table.Key, _ value: Value, _ site: Site) throws {
        try check(table, site)
        table[key] = value
    }

    /// Adds an element to a list.
    func append(_ value: Value, to table: Table, _ site: Site) throws {
        if table.tail == nil {
            return try set(table, .integer(length(of: table, site) + 1), value, site)
        }
        try check(table, site)
        table.tail?.after.append(value)
    }

    /// Ends a list by elements of which there are any number.
    func end(_ table: Table, with tail: Table.Tail, _ site: Site) throws {
        try check(table, site)
        path.made(table)
        table.tail = tail
    }

    private func check(_ table: Table, _ site: Site) throws {
        if let guarded, table.age < guarded.age { throw site.unsettled("a loop that changes more than it shows") }
        try path.journal.change(table, madeAt: table.depth)
    }

    // MARK: - Loops

    private func numericFor(
        _ name: LocalDeclaration, _ bounds: [Expression], _ block: Block, _ scope: Scope, _ site: Site
    ) throws -> Flow {
        let values = try bounds.map { try evaluate($0, scope) }
        guard case .integer(let first) = values[0], case .integer(let last) = values[1],
            case .integer(let step) = values.count > 2 ? values[2] : .integer(1), let start = first.constant,
            let stride = step.constant, stride != 0
        else { throw site.unsettled("a loop over numbers that are not known") }
        if start == 1, stride == 1, let list = measured[last] { return try each(of: list, [name], block, scope, site) }
        var index = start
        var rounds: Int64 = 0
        return try loop(site) {
            let isWithin = stride > 0 ? Number.constant(index) <= last : last <= Number.constant(index)
            if isWithin.constant == nil {
                rounds += 1
                if rounds > Self.mostRounds, try self.path.holds(isWithin) {
                    throw site.unsettled("a loop that goes round as often as the case says")
                }
            }
            guard try self.path.holds(isWithin) else { return .leave }
            scope.boxes[name.id] = box(.integer(index))
            let (next, overflow) = index.addingReportingOverflow(stride)
            let flow = try self.execute(block, scope)
            if overflow { return .leave }
            index = next
            return flow
        }
    }

    private func genericFor(
        _ names: [LocalDeclaration], _ values: [Expression], _ block: Block, _ scope: Scope, _ site: Site
    ) throws -> Flow {
        let given = try evaluate(values, count: 3, scope)
        if case .function = given[0] { return try handedOut(by: given, names, block, scope, site) }
        guard case .word(let word) = given[0], word.name == "next" || word.name == Library.stepOfIpairs else {
            throw site.unsettled("a loop over what is no list, no table and no function of the policy's own")
        }
        if case .list(let list) = given[1] { return try each(of: list, names, block, scope, site) }
        guard case .table(let table) = given[1] else { throw Raised("attempt to go through no table", at: site) }
        var keys = word.name == "next" ? table.keysInOrder[...] : []
        var index: Int64 = 0
        func nextKey() -> Table.Key? {
            if word.name == "next" {
                // Keys that were removed meanwhile are passed over.
                keys = keys.drop { table[$0].isNull }
                return keys.popFirst()
            }
            index += 1
            return table[.integer(index)].isNull ? nil : .integer(index)
        }
        var (isBehind, after) = (false, [Value]()[...])
        return try loop(site) {
            if !isBehind, let key = nextKey() {
                self.bind(names, [key.value, table[key]], scope)
                return try self.execute(block, scope)
            }
            if !isBehind, let tail = table.tail {
                (isBehind, after) = (true, tail.after[...])
                return try self.through(tail, behind: table.length, names, block, scope, site)
            }
            guard let value = after.popFirst() else { return .leave }
            self.bind(names, [.place(of: "what stands last"), value], scope)
            return try self.execute(block, scope)
        }
    }

    /// Goes through what a function of the policy's own hands out, until that is nothing.
    private func handedOut(
        by iterator: [Value], _ names: [LocalDeclaration], _ block: Block, _ scope: Scope, _ site: Site
    ) throws -> Flow {
        var (control, rounds) = (iterator[2], Rounds(path))
        return try loop(site) {
            let values = try rounds.goesOn(site) {
                try self.call(iterator[0], [iterator[1], control], at: site)
            }
            guard let first = values.first, !first.isNull else { return .leave }
            control = first
            self.bind(names, values, scope)
            return try self.execute(block, scope)
        }
    }

    /// Goes through elements of which there are any number.
    ///
    /// - Parameter known: how many stand before them.
    private func through(
        _ tail: Table.Tail, behind known: Int64, _ names: [LocalDeclaration], _ block: Block, _ scope: Scope,
        _ site: Site
    ) throws -> Flow {
        guard try path.holds(.constant(1) <= tail.count) else { return .next }
        if let building = ListBuilding(block, names, scope) {
            try building.carryOutOthers(site) { _ = try through(tail, behind: known, names, $0, scope, site) }
            for part in building.parts { try build(part, of: tail, behind: known, names, scope, site) }
            return .next
        }
        let (value, standing) = try tail.element()
        return try anyRounds(of: standing, count: tail.count, block, scope, site) {
            self.bind(names, [.place(of: standing.name), value], scope)
            return try self.execute(block, scope)
        }
    }

    func bind(_ names: [LocalDeclaration], _ values: [Value], _ scope: Scope) {
        for (index, name) in names.enumerated() {
            scope.boxes[name.id] = box(index < values.count ? values[index] : .null)
        }
    }
}

/// Counts the rounds of a loop of which the case decides whether they are its last.
private struct Rounds {
    private let path: Path
    private var count: Int64 = 0
    /// How many choices the way had made when it was decided to go on.
    private var last: Int?
    /// How many were made besides: each of them doubles the ways.
    private var others = 0

    /// Where nothing else is decided in a round.
    private static let most: Int64 = 40

    init(_ path: Path) { self.path = path }

    /// What decides it.
    ///
    /// - Parameter withBody: whether that is all that is done in a round.
    /// - Throws: ``Unsettled`` where that was so too often.
    mutating func goesOn<Result>(
        _ site: Site, withBody: Bool = false, _ decide: () throws -> Result
    ) throws -> Result {
        let (choices, decisions) = (path.journal.choices, path.journal.decisions)
        if let last { others += max(0, choices - last) }
        let result = try decide()
        if path.journal.decisions > decisions { count += 1 }
        if withBody { others += max(0, path.journal.choices - choices - 1) }
        last = path.journal.choices
        if count > (2 * others < Int(count) ? Self.most : Interpreter.mostRounds) {
            throw site.unsettled("a loop that goes round as often as the case says")
        }
        return result
    }
}

extension Table.Key {
    var value: Value {
        switch self {
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        case .flag(let value): .flag(value)
        }
    }
}
