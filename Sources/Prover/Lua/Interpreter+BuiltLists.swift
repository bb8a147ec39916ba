import LuaSyntax

/// Loops that put a list together of the elements of another one: of those behind the ones that are looked at one by one, one stands for
/// all in the new list as in the old.
extension Interpreter {
    /// What a round adds to a list.
    private struct Addition {
        /// What makes a case add anything.
        let isMade: Condition
        /// nil where that cannot be said in one.
        let element: Value?
    }

    /// Carries out what a loop over a list of the case adds to a list.
    func build(
        _ part: ListBuilding.Part, of list: List, _ length: Number, _ names: [LocalDeclaration], _ scope: Scope,
        _ site: Site
    ) throws {
        guard case .table(let built)? = scope.boxes[part.list]?.value else { return }
        for place in 1...list.rounds {
            try count(site)
            guard try path.holds(.constant(place) <= length) else { return }
            try add(part, to: built, at: built.length + 1 == place, scope, site) {
                try self.bind(names, toElementOf: list, at: place, scope)
            }
        }
        guard try path.holds(.constant(list.rounds + 1) <= length) else { return }
        // What was decided of one element need not be so of the others.
        if path.hasChosen({ Path.isOfElement($0, of: list.name) }) { throw site.openLoop }
        func added(at place: Int64) throws -> (isMade: Condition, element: Value) {
            try standing(part, built, scope, site) { try self.bind(names, toElementOf: list, at: place, scope) }
        }
        // What is stated of them is so of shorter lists as well.
        let behind = (length + .constant(-list.rounds)).greatest(.constant(0))
        let any = try added(at: List.any).isMade
        try end(built, part, names, any, count: number(of: list, behind, any, site), scope, site) { [self] in
            let place = library.witness("\(list.name) at \(site.file):\(site.line) (\(loops))", isAny: true)
            let (isMade, element) = try added(at: place)
            return (isMade, element, .element(place, of: list))
        }
    }

    /// Carries out what a loop adds to a list for each element that another one stands for.
    ///
    /// - Parameter known: how many stand before these.
    func build(
        _ part: ListBuilding.Part, of tail: Table.Tail, behind known: Int64, _ names: [LocalDeclaration],
        _ scope: Scope, _ site: Site
    ) throws {
        guard case .table(let built)? = scope.boxes[part.list]?.value else { return }
        if part.isByPlace, built.length != known { throw site.openLoop }
        func added() throws -> (isMade: Condition, element: Value, origin: Standing) {
            let (value, origin) = try tail.element()
            let (isMade, element) = try standing(part, built, scope, site) {
                self.bind(names, [.place(of: origin.name), value], scope)
            }
            return (isMade, element, origin)
        }
        let any = try added().isMade
        var number = tail.count
        if any != .constant(true) {
            loops += 1
            let name = "those that \(site.file):\(site.line) adds (\(loops))"
            path.loosen(name, site.openLoop)
            path.approximate(site.openLoop)
            number = try path.number(name, ProofDomain.listLength)
            try path.assume(number <= tail.count)
            path.wish(number.equals(tail.count) && any || number.equals(.constant(0)) && any.negated)
        }
        try end(built, part, names, any, count: number, scope, site, added)
    }

    /// Ends a list by elements of which there are any number.
    ///
    /// - Parameters:
    ///   - any: what makes the element that stands for all that the loop goes through one that it adds.
    ///   - added: what is added for another such element, what makes it one that is added, and which it is.
    private func end(
        _ built: Table, _ part: ListBuilding.Part, _ names: [LocalDeclaration], _ any: Condition, count: Number,
        _ scope: Scope, _ site: Site,
        _ added: @escaping () throws -> (isMade: Condition, element: Value, origin: Standing)
    ) throws {
        if part.isByPlace, any != .constant(true) { throw site.openLoop }
        if any == .constant(false) { return }
        let surroundings = LoopSurroundings(of: part.body, but: Set(names.map(\.id) + [part.list]), scope)
        let tail = Table.Tail(
            count: count,
            element: { [self] in
                // What is put together once is not gone through again, and so would not count.
                if path.isPuttingTogether || !surroundings.areSame { throw site.openLoop }
                loops += 1
                let (isMade, element, origin) = try added()
                try path.assume((.constant(1) <= count).implies(isMade))
                let conditions = [origin.condition, isMade].compactMap { $0 }.filter { $0 != .constant(true) }
                var standing = origin
                standing.condition = conditions.isEmpty ? nil : .every(conditions)
                return (element, standing)
            })
        try end(built, with: tail, site)
    }

    // MARK: - Rounds

    /// Carries a round out, and adds what it adds.
    ///
    /// - Parameters:
    ///   - isNext: whether the place of the element is that behind the last one of the list.
    ///   - bind: gives the loop's own variables their values.
    private func add(
        _ part: ListBuilding.Part, to built: Table, at isNext: Bool, _ scope: Scope, _ site: Site,
        _ bind: () throws -> Void
    ) throws {
        let element: Value
        if let addition = try addition(part, built, scope, site, bind), let known = addition.element {
            element = try path.holds(addition.isMade) ? known : .null
        } else {
            element = try self.element(part, built, scope, site, bind).element
        }
        if part.isByPlace, element.isNull || !isNext { throw site.openLoop }
        if !element.isNull { try append(element, to: built, site) }
    }

    /// What the round of an element adds that stands for all.
    private func standing(
        _ part: ListBuilding.Part, _ built: Table, _ scope: Scope, _ site: Site, _ bind: () throws -> Void
    ) throws -> (isMade: Condition, element: Value) {
        guard let addition = try addition(part, built, scope, site, bind), let element = addition.element else {
            throw site.openLoop
        }
        return (addition.isMade, element)
    }

    /// What a round adds, put together of all its ways; nil where they cannot be gone.
    private func addition(
        _ part: ListBuilding.Part, _ built: Table, _ scope: Scope, _ site: Site, _ bind: () throws -> Void
    ) throws -> Addition? {
        let before = carried
        let outcomes = try path.outcomes(changing: []) {
            carried = before
            let (element, flow) = try self.element(part, built, scope, site, bind)
            try wayEnds?()
            return Explorer.Outcome(values: [element], flow: flow)
        }
        guard let outcomes else { return nil }
        let adding = outcomes.filter { !$0.values[0].isNull }
        if adding.isEmpty { return Addition(isMade: .constant(false), element: .null) }
        let isMade = adding.count == outcomes.count ? .constant(true) : Condition.some(adding.map(\.way))
        let element = joined(adding.map { ($0.way, $0.values[0]) })
        element?.rise(to: path.journal.depth)
        return Addition(isMade: isMade, element: element)
    }

    /// Carries a round out that sets the list's variable to what it adds.
    private func element(
        _ part: ListBuilding.Part, _ built: Table, _ scope: Scope, _ site: Site, _ bind: () throws -> Void
    ) throws -> (element: Value, flow: Flow) {
        let (own, outer, reads) = (box(.null), scope.boxes[part.list], built.reads)
        scope.boxes[part.list] = own
        defer { scope.boxes[part.list] = outer }
        try bind()
        let flow = try execute(part.body, scope)
        // By another name it is another list in each round.
        if built.reads != reads { throw site.openLoop }
        return (own.value, flow)
    }

    /// What several ways add, put together; nil where that cannot be done.
    private func joined(_ parts: [(way: Condition, value: Value)]) -> Value? {
        guard let first = parts.first?.value else { return nil }
        if parts.allSatisfy({ $0.value.isSame(as: first) }) { return first }
        let tables = parts.compactMap { if case .table(let table) = $0.value { table } else { nil } }
        guard tables.count == parts.count else { return Value.joined(parts, from: .null, texts) }
        let table = Table()
        (table.age, table.depth) = (age, path.journal.depth)
        for key in tables[0].order {
            guard tables.allSatisfy({ $0.order.count == tables[0].order.count && $0.tail == nil }),
                let value = joined(parts.indices.map { (parts[$0].way, tables[$0][key]) })
            else { return nil }
            table[key] = value
        }
        return .table(table)
    }
}
