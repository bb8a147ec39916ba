import LuaSyntax

/// Loops that keep the element of a list of the case with the least or the greatest number, such as `for _, loan in
/// ipairs(loans) do if not oldest or loan.due_at < oldest.due_at then oldest = loan end end`, also with that number beside it.
extension Interpreter {
    /// Goes through a list of which a loop keeps such an element; nil where it does anything else.
    func keptElement(
        of list: List, _ length: Number, _ names: [LocalDeclaration], _ block: Block, _ changes: ChangeFinder,
        _ scope: Scope, _ site: Site
    ) throws -> Flow? {
        let boxes = changes.changed.sorted().compactMap { scope.boxes[$0] }
        guard list.contains == nil, length.constant == nil, changes.isPlain, !changes.mayEnd,
            (1...2).contains(boxes.count), boxes.count == changes.changed.count,
            !path.hasChosen({ Path.isOfElement($0, of: list.name) })
        else { return nil }
        for box in boxes where box.value.isNull {
            let search = ElementSearch(
                interpreter: self, list: list, length: length, names: names, block: block, scope: scope, site: site,
                element: box, number: boxes.first { $0 !== box })
            guard let found = try search.found() else { continue }
            try reached(in: list, length, boxes, names, block, scope)
            try count(site)
            try search.keep(found)
            return .next
        }
        return nil
    }
}

/// What a loop keeps, and how it tells whether to keep another.
private struct ElementSearch {
    let interpreter: Interpreter
    let list: List
    let length: Number
    let names: [LocalDeclaration]
    let block: Block
    let scope: Interpreter.Scope
    let site: Site
    /// Nothing at first, then the element.
    let element: Box
    /// Its number, where that is kept too.
    let number: Box?

    private var path: Path { interpreter.path }

    /// What the loop keeps.
    struct Found {
        let extreme: Extreme
        /// Whether an element with the same number as the one before is kept instead of it.
        let isLast: Bool
        /// Whether the element at a place may be kept, and its number.
        let own: Own
        /// The value of its kind for another number, where that is kept too.
        var value: ((Number) -> Value)?
    }

    typealias Own = (Int64) throws -> Extreme.Element?

    /// The element that was kept before where any may have been: of another name than the one that stands for all.
    private var before: Int64 { interpreter.library.witness("\(list.name) with another that was kept") }

    // MARK: - Rounds

    /// What one round does.
    private struct Round {
        /// Whether the element is kept.
        let isKept: Condition
        /// What is kept beside it then.
        let number: Value.Measure?
    }

    private func value(at place: Int64) throws -> Value { try list.element(place) }

    /// The round of the element at a place; nil where it does anything but to keep the element.
    ///
    /// - Parameters:
    ///   - kept: the element that was kept before.
    ///   - start: the number beside it.
    ///   - condition: what is so of the one before.
    private func round(
        at place: Int64, after kept: Value = .null, _ start: Value?, where condition: Condition = .constant(true)
    ) throws -> Round? {
        let carried = interpreter.carried
        let boxes = [element, number].compactMap { $0 }
        let outcomes = try path.outcomes(changing: Set(boxes.map(ObjectIdentifier.init))) {
            interpreter.carried = carried
            try interpreter.change(element, to: kept, site)
            if let number, let start { try interpreter.change(number, to: start, site) }
            guard try path.holds(condition) else { throw Abandoned() }
            if try place < 0 || path.holds(.constant(place) <= length) {
                try interpreter.bind(names, toElementOf: list, at: place, scope)
                _ = try interpreter.execute(block, scope)
            }
            return Explorer.Outcome(values: boxes.map(\.value))
        }
        guard let outcomes else { return nil }
        let own = list.element(named: place)
        let keeping = outcomes.filter { $0.values[0].place == own }
        for outcome in outcomes where outcome.values[0].place != own {
            let isBesideSame = start.map { outcome.values[1].isSame(as: $0) } ?? true
            guard outcome.values[0].isNull == kept.isNull, outcome.values[0].place == kept.place, isBesideSame else {
                return nil
            }
        }
        guard let start else { return Round(isKept: .some(keeping.map(\.way)), number: nil) }
        let joined = Value.joined(keeping.map { ($0.way, $0.values[1]) }, from: start, interpreter.texts)
        if joined?.measure == nil, !keeping.isEmpty { return nil }
        return Round(isKept: .some(keeping.map(\.way)), number: joined?.measure)
    }

    // MARK: - What is kept

    /// nil where the loop does not keep the least, or the greatest, of what it looks at.
    func found() throws -> Found? {
        for direction in Extreme.Direction.allCases {
            if let found = try number == nil ? compared(direction) : numbered(direction) { return found }
        }
        return nil
    }

    /// Where the number is kept beside the element.
    private func numbered(_ direction: Extreme.Direction) throws -> Found? {
        guard let start = number?.value, direction.isPossible(from: start) else { return nil }
        let farthest = start.measure.map { $0.value(direction.farthest) } ?? start
        func first(_ place: Int64) throws -> Round? { try round(at: place, farthest) }
        guard let any = try first(List.any), let number = any.number, Extreme.isWithinBounds(number.number) else {
            return nil
        }
        let mark = try path.number(
            "\(site.file):\(site.line) begins with", -Interpreter.mostAdded...Interpreter.mostAdded)
        guard let condition = try first(before)?.isKept,
            let general = try round(at: List.any, after: value(at: before), number.value(mark), where: condition),
            let left = general.number, left.isAlike(number),
            try path.isAlways(general.isKept.implies(left.number.equals(number.number))),
            let isLast = try isLast(direction, general.isKept, any.isKept, number.number, mark, where: condition),
            let begun = try round(at: List.any, start)
        else { return nil }
        // The first element is kept whatever its number is, or where that lies beyond the number at the beginning.
        let isFree = try path.isAlways(begun.isKept.equals(any.isKept))
        if !isFree {
            guard let least = start.measure, least.isAlike(number), !isLast,
                try path.isAlways(
                    begun.isKept.equals(any.isKept && direction.lies(number.number, beyond: least.number)))
            else { return nil }
        }
        return try found(direction, isLast, from: isFree ? nil : start.measure?.number, number.value) { place in
            guard let round = try first(place) else { return nil }
            return Extreme.Element(isMeant: round.isKept, number: round.number?.number ?? .constant(0))
        }
    }

    /// Where each element is compared with the one that is kept.
    private func compared(_ direction: Extreme.Direction) throws -> Found? {
        let other = before
        func first(_ place: Int64) throws -> Round? { try round(at: place, nil) }
        guard let any = try first(List.any), any.isKept != .constant(false), let one = try first(other) else {
            return nil
        }
        func isKept(_ place: Int64, after kept: Int64) throws -> Condition? {
            let condition = kept == other ? one.isKept : any.isKept
            return try round(at: place, after: value(at: kept), nil, where: condition)?.isKept
        }
        guard let onward = try isKept(List.any, after: other), let back = try isKept(other, after: List.any) else {
            return nil
        }
        let numbers = onward.compared(list.element(named: List.any), list.element(named: other))
        let reverse = back.compared(list.element(named: other), list.element(named: List.any))
        guard numbers.count == reverse.count else { return nil }
        for (index, pair) in numbers.enumerated() where reverse[index] == (pair.kept, pair.own) {
            guard Extreme.isWithinBounds(pair.own), Extreme.isWithinBounds(pair.kept),
                let isLast = try isLast(direction, onward, any.isKept, pair.own, pair.kept, where: one.isKept)
            else { continue }
            return try found(direction, isLast, from: nil) { place in
                guard let round = try first(place), let kept = try isKept(place, after: other) else { return nil }
                let own = kept.compared(list.element(named: place), list.element(named: other))
                // Where nothing is compared no element is kept.
                guard own.indices.contains(index) || kept == .constant(false) else { return nil }
                return Extreme.Element(
                    isMeant: round.isKept, number: own.indices.contains(index) ? own[index].own : .constant(0))
            }
        }
        return nil
    }

    /// Whether an element that is as great as the one before is kept instead of it, where those that lie beyond it are; nil where
    /// others are kept.
    ///
    /// - Parameters:
    ///   - isMeant: whether the element may be kept at all.
    ///   - condition: what is so of the one before.
    private func isLast(
        _ direction: Extreme.Direction, _ isKept: Condition, _ isMeant: Condition, _ number: Number, _ before: Number,
        where condition: Condition = .constant(true)
    ) throws -> Bool? {
        for isLast in [false, true] {
            let isBeyond = isLast ? direction.reaches(number, before) : direction.lies(number, beyond: before)
            if try path.isAlways(condition.implies(isKept.equals(isMeant && isBeyond))) { return isLast }
        }
        return nil
    }

    private func found(
        _ direction: Extreme.Direction, _ isLast: Bool, from start: Number?, _ value: ((Number) -> Value)? = nil,
        _ own: @escaping Own
    ) throws -> Found? {
        var elements: [Int64: Extreme.Element] = [:]
        for place in [List.any] + Array(1...list.rounds) {
            guard let element = try own(place) else { return nil }
            elements[place] = element
        }
        let extreme = Extreme(list: list.name, direction: direction, elements: elements, start: start)
        return Found(extreme: extreme, isLast: isLast, own: own, value: value)
    }

    // MARK: - After the loop

    /// Gives the variables what the loop leaves.
    func keep(_ found: Found) throws {
        let extreme = found.extreme
        let isAny = try extreme.start == nil ? extreme.isAny(on: path) : .constant(true)
        guard try path.holds(isAny) else { return }
        guard let most = try path.extreme(extreme, site) else { throw site.openLoop }
        let isBeyond = extreme.start.map { extreme.direction.lies(most, beyond: $0) } ?? .constant(true)
        guard try path.holds(isBeyond) else { return }
        func isIt(_ element: Extreme.Element?) -> Condition {
            element.map { $0.isMeant && $0.number.equals(most) } ?? .constant(false)
        }
        var elements: [(condition: Condition, record: Record, number: Number)] = []
        for place in 1...list.rounds {
            guard let element = extreme.elements[place], case .record(let record) = try value(at: place) else {
                throw site.openLoop
            }
            try path.assume(
                (.constant(place) <= length && element.isMeant).implies(
                    extreme.direction.reaches(most, element.number)))
            elements.append((.constant(place) <= length && isIt(element), record, element.number))
        }
        if let other = try behind(found, most) { elements.append(other) }
        if found.isLast { elements.reverse() }
        // It is stated of all cases, of those too that do not come here.
        try path.assume((isAny && isBeyond).implies(.some(elements.map(\.condition))))
        let numbers = elements.map(\.number)
        let kept = Record(firstOf: elements.map { ($0.condition, $0.record) }, path, interpreter.texts) {
            index, value in
            // Its own number is the one that was looked for.
            guard let measure = value.measure, measure.number == numbers[index] else { return value }
            return measure.value(most)
        }
        try interpreter.change(element, to: .record(kept), site)
        if let number, let value = found.value { try interpreter.change(number, to: value(most), site) }
    }

    /// The one that is kept where it stands behind those that are looked at one by one; nil where it cannot.
    private func behind(
        _ found: Found, _ most: Number
    ) throws -> (condition: Condition, record: Record, number: Number)? {
        guard let any = found.extreme.elements[List.any], any.isMeant != .constant(false) else { return nil }
        var number = Number.constant(0)
        let behind = (length + .constant(-list.rounds)).greatest(.constant(0))
        let witness = try interpreter.witness(
            in: list, behind, any.isMeant && any.number.equals(most), site,
            called: found.isLast ? "the last with" : "with"
        ) { place in
            guard let own = try found.own(place) else { return nil }
            number = own.number
            return own.isMeant && own.number.equals(most)
        }
        guard let witness else { throw site.openLoop }
        guard let place = witness.place, case .record(let record) = try value(at: place) else { return nil }
        return (witness.isThere, record, number)
    }
}

extension Value {
    /// Where the record stands that it is; nil for other values.
    fileprivate var place: String? {
        if case .record(let record) = self { record.place } else { nil }
    }
}

extension Condition {
    /// The numbers that it compares of two elements of a list, which names of variables tell apart.
    fileprivate func compared(_ own: String, _ kept: String) -> [(own: Number, kept: Number)] {
        switch self {
        case .constant, .variable, .relation, .equal: return []
        case .not(let inner): return inner.compared(own, kept)
        case .all(let parts), .any(let parts): return parts.flatMap { $0.compared(own, kept) }
        case .atMost(let left, let right):
            func isOf(_ number: Number, _ element: String, but other: String) -> Bool {
                let variables = number.variables
                return variables.contains { $0.contains(element) } && !variables.contains { $0.contains(other) }
            }
            if isOf(left, own, but: kept), isOf(right, kept, but: own) { return [(left, right)] }
            if isOf(left, kept, but: own), isOf(right, own, but: kept) { return [(right, left)] }
            return []
        }
    }
}
