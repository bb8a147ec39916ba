import Circulation
import LuaSyntax

/// Loops over lists of the case. Each of the first elements is looked at, and what that does to variables is put together, so that
/// the way at hand does not fork for each; of those behind them one stands for all.
extension Interpreter {
    func each(
        of list: List, _ names: [LocalDeclaration], _ block: Block, _ scope: Scope, _ site: Site
    ) throws -> Flow {
        if let flow = try search(in: list, names, block, scope, site) { return flow }
        let length = try list.length()
        if length.constant == nil, let building = ListBuilding(block, names, scope) {
            try building.carryOutOthers(site) { _ = try each(of: list, names, $0, scope, site) }
            for part in building.parts { try build(part, of: list, length, names, scope, site) }
            return .next
        }
        var changes = ChangeFinder()
        block.walk(&changes)
        let slices = LoopSlices(block, changes).bodies
        if slices.count > 1 {
            for body in slices { _ = try each(of: list, names, body, scope, site) }
            return .next
        }
        let known =
            try first(of: list, length, names, block, changes, scope, site)
            ?? extreme(of: list, length, names, block, changes, scope, site)
            ?? keptElement(of: list, length, names, block, changes, scope, site)
        if let known { return known }
        var index: Int64 = 0
        while true {
            try count(site)
            index += 1
            let isThere = Number.constant(index) <= length
            if isThere == .constant(false) { break }
            if index > list.rounds, length.constant == nil {
                guard try path.holds(isThere) else { break }
                // What is stated of them is so of shorter lists as well.
                let behind = (length + .constant(1 - index)).greatest(.constant(0))
                let flow = try others(of: list, behind, names, block, changes, scope, site)
                if case .answer = flow { return flow }
                break
            }
            func round(otherwise flow: Flow) throws -> Flow {
                guard try path.holds(isThere) else { return flow }
                try bind(names, toElementOf: list, at: index, scope)
                return try execute(block, scope)
            }
            switch try joined(changes, scope, site, { try round(otherwise: .next) }) ?? round(otherwise: .leave) {
            case .next: continue
            case .leave: return .next
            case .answer(let values): return .answer(values)
            }
        }
        for (id, name) in changes.names { say(scope.boxes[id]?.value, name) }
        return .next
    }

    /// Gives the variables of a loop the element at a place, of which no number is known behind those that are looked at one by one.
    func bind(_ names: [LocalDeclaration], toElementOf list: List, at place: Int64, _ scope: Scope) throws {
        let index: Value = place > 0 ? .integer(place) : .place(of: list.element(named: place))
        bind(names, [index, try list.element(place)], scope)
    }

    /// Notes what people call a number that was put together in a loop.
    func say(_ value: Value?, _ name: String) {
        switch value {
        case .integer(let number)?, .money(let number)?:
            if case .sum = number { path.say(number, "`\(name)`") }
        default: break
        }
    }

    /// Changes a variable, where it may be changed.
    func change(_ box: Box, to value: Value, _ site: Site) throws {
        if let guarded, box.age < guarded.age, !guarded.but.contains(ObjectIdentifier(box)) {
            throw site.unsettled("a loop that changes more than it shows")
        }
        try path.journal.change(box, madeAt: box.depth)
        set(box, value)
    }

    // MARK: - Ways that are put together

    /// Carries a round out on all its ways and puts together what variables come to, so that the way at hand forks by nothing but
    /// whether the round is the last one; nil where that cannot be done, and then nothing is changed.
    private func joined(
        _ changes: ChangeFinder, _ scope: Scope, _ site: Site, _ round: () throws -> Flow
    ) throws -> Flow? {
        guard changes.isPlain else { return nil }
        let boxes = changes.changed.sorted().compactMap { scope.boxes[$0] }
        let start = boxes.map(\.value)
        let before = carried
        let outcomes = try path.outcomes(changing: Set(boxes.map(ObjectIdentifier.init))) {
            carried = before
            let flow = try round()
            try wayEnds?()
            return Explorer.Outcome(values: boxes.map(\.value), flow: flow)
        }
        guard let outcomes else { return nil }
        func values(_ outcomes: [Explorer.Outcome]) -> [Value]? {
            let values = start.indices.compactMap { index in
                Value.joined(outcomes.map { ($0.way, $0.values[index]) }, from: start[index], texts)
            }
            return values.count == start.count ? values : nil
        }
        let last = outcomes.filter(\.isLast)
        let others = outcomes.filter { !$0.isLast }
        guard let after = others.isEmpty ? start : values(others), let left = last.isEmpty ? start : values(last) else {
            return nil
        }
        var flow = Flow.next
        if !last.isEmpty, try path.holds(.some(last.map(\.way))) {
            // What differs is found by going this round again.
            guard let ending = last.commonFlow else { return nil }
            flow = ending.risen(to: path.journal.depth)
        }
        for (box, value) in zip(boxes, flow.isNext ? after : left) { try change(box, to: value, site) }
        return flow
    }

    // MARK: - Elements of which one stands for all

    /// Carries out what a loop does with the elements behind those that are looked at one by one, of which there is one at least.
    private func others(
        of list: List, _ count: Number, _ names: [LocalDeclaration], _ block: Block, _ changes: ChangeFinder,
        _ scope: Scope, _ site: Site
    ) throws -> Flow {
        func element(_ place: Int64) throws -> Flow {
            try bind(names, toElementOf: list, at: place, scope)
            return try execute(block, scope)
        }
        if changes.isPlain {
            let boxes = changes.changed.sorted().compactMap { scope.boxes[$0] }
            let counted = try counted(of: list, count, boxes, site) { try element(List.any) }
            if let flow = try counted ?? found(in: list, count, boxes, site, element) { return flow }
        }
        // What is decided of the element of a round is not decided of those of other loops.
        let place = library.witness("\(list.name) at \(site.file):\(site.line) (\(loops + 1))", isAny: true)
        return try anyRounds(of: .element(place, of: list), count: count, block, scope, site) { try element(place) }
    }

    /// The same, where it depends on nothing but how many of the elements meet which conditions: each of these adds the same to a
    /// number, or makes something true or false, or ends the loop with the same answer; nil where it is not so.
    private func counted(
        of list: List, _ count: Number, _ boxes: [Box], _ site: Site, _ round: () throws -> Flow
    ) throws -> Flow? {
        let isOfElement = { Path.isOfElement($0, of: list.name) }
        // What was decided of the one before need not be so of the others.
        if path.hasChosen(isOfElement) { return nil }
        // They begin with whatever elements before the one have left.
        var starts: [Value] = []
        for (index, box) in boxes.enumerated() {
            let name = "\(site.file):\(site.line) begins with \(index)"
            switch box.value {
            case .integer: starts.append(.integer(try path.number(name, -Self.mostAdded...Self.mostAdded)))
            case .money: starts.append(.money(try path.number(name, -Self.mostAdded...Self.mostAdded)))
            case .flag: starts.append(.flag(try path.condition(name)))
            default: return nil
            }
        }
        let before = carried
        let outcomes = try path.outcomes(changing: Set(boxes.map(ObjectIdentifier.init))) {
            carried = before
            for (box, start) in zip(boxes, starts) { try change(box, to: start, site) }
            let flow = try round()
            return Explorer.Outcome(values: boxes.map(\.value), flow: flow)
        }
        guard let outcomes, !outcomes.isEmpty else { return nil }
        let unknown = Set(starts.compactMap(\.variable))
        guard outcomes.allSatisfy({ $0.way.variables.isDisjoint(with: unknown) }) else { return nil }
        func meeting(_ outcomes: [Explorer.Outcome]) throws -> Number {
            try number(of: list, count, .some(outcomes.map(\.way)), site)
        }
        let last = outcomes.filter(\.isLast)
        if !last.isEmpty {
            // Which of them ends it is known of none.
            guard boxes.isEmpty, let flow = last.commonFlow, flow.isPlain else { return nil }
            return try path.holds(.constant(1) <= meeting(last)) ? flow : .next
        }
        guard let changes = LoopChange.all(outcomes, from: starts) else { return nil }
        var values = boxes.map(\.value)
        var sum = Number.constant(0)
        for (effects, outcomes) in changes {
            let number = try meeting(outcomes)
            sum = sum + number
            for (index, effect) in effects.enumerated() {
                guard let value = effect.applied(to: values[index], number) else { return nil }
                values[index] = value
            }
        }
        if changes.count > 1 { try path.assume(sum <= count) }
        for (box, value) in zip(boxes, values) { try change(box, to: value, site) }
        return .next
    }
}

extension Interpreter {
    /// How many elements meet a condition, of those of which one stands for all.
    ///
    /// - Parameter hasWitness: whether one of them is known by itself.
    func number(
        of list: List, _ count: Number, _ condition: Condition, _ site: Site, hasWitness: Bool = false
    ) throws -> Number {
        if let isSo = condition.constant { return isSo ? count : .constant(0) }
        // What is not asked of the element is so for all of them or for none.
        let (asked, other) = condition.parted { Path.isOfElement($0, of: list.name) }
        if asked == .constant(true) { return .either(other, count, .constant(0)) }
        let why = site.openLoop
        let number = try path.count(in: list.name, where: asked, of: count, why, hasWitness: hasWitness)
        return .either(other, number, .constant(0))
    }
}

/// What each element that meets a condition does to a variable.
private enum LoopChange: Hashable {
    case nothing
    case adds(Int64)
    case becomes(Bool)

    private init?(_ start: Value, _ value: Value) {
        switch (start, value) {
        case (.integer(let one), .integer(let other)), (.money(let one), .money(let other)):
            guard let added = other.beyond(one)?.constant else { return nil }
            self = added == 0 ? .nothing : .adds(added)
        case (.flag(let one), .flag(let other)):
            if one == other {
                self = .nothing
            } else {
                guard let value = other.constant else { return nil }
                self = .becomes(value)
            }
        default: return nil
        }
    }

    /// The outcomes by what they do to the variables, those left out that do nothing; nil where one does something else, or two
    /// make the same variable true and false.
    static func all(
        _ outcomes: [Explorer.Outcome], from starts: [Value]
    ) -> [(effects: [LoopChange], outcomes: [Explorer.Outcome])]? {
        var groups: [(effects: [LoopChange], outcomes: [Explorer.Outcome])] = []
        for outcome in outcomes {
            var effects: [LoopChange] = []
            for (start, value) in zip(starts, outcome.values) {
                guard let effect = LoopChange(start, value) else { return nil }
                effects.append(effect)
            }
            if effects.allSatisfy({ $0 == .nothing }) { continue }
            if let index = groups.firstIndex(where: { $0.effects == effects }) {
                groups[index].outcomes.append(outcome)
            } else {
                groups.append((effects, [outcome]))
            }
        }
        for index in starts.indices {
            let made = Set(groups.map { $0.effects[index] })
            if made.isSuperset(of: [.becomes(true), .becomes(false)]) { return nil }
        }
        return groups
    }

    /// What a variable is after so many elements; nil where 64 bits may not hold it.
    func applied(to value: Value, _ count: Number) -> Value? {
        let isAny = Number.constant(1) <= count
        switch (self, value) {
        case (.nothing, _): return value
        case (.adds(let each), .integer(let number)):
            let sum = number + count * .constant(each)
            return sum.bounds == nil ? nil : .integer(sum)
        case (.adds(let each), .money(let number)):
            let sum = number + count * .constant(each)
            return sum.bounds == nil ? nil : .money(sum)
        case (.becomes(true), .flag(let before)): return .flag(before || isAny)
        case (.becomes(false), .flag(let before)): return .flag(before && isAny.negated)
        default: return nil
        }
    }
}

extension Explorer.Outcome {
    /// Whether it ends the loop.
    var isLast: Bool { !flow.isNext }
}

extension Interpreter.Flow {
    var isNext: Bool {
        if case .next = self { true } else { false }
    }

    /// Whether it says nothing of a case.
    fileprivate var isPlain: Bool {
        if case .answer(let values) = self { values.allSatisfy { PlainValue($0) != nil } } else { true }
    }
}

extension [Explorer.Outcome] {
    /// How all of them end, where that is the same.
    fileprivate var commonFlow: Interpreter.Flow? {
        func isSame(_ one: Interpreter.Flow, _ other: Interpreter.Flow) -> Bool {
            switch (one, other) {
            case (.leave, .leave): true
            case (.answer(let some), .answer(let others)):
                some.count == others.count && zip(some, others).allSatisfy { $0.isSame(as: $1) }
            default: false
            }
        }
        guard let first, allSatisfy({ isSame($0.flow, first.flow) }) else { return nil }
        return first.flow
    }
}

extension Value {
    /// The variable that it is.
    fileprivate var variable: String? {
        switch self {
        case .integer(.variable(let variable)), .money(.variable(let variable)): variable.name
        case .flag(.variable(let name)): name
        default: nil
        }
    }
}
