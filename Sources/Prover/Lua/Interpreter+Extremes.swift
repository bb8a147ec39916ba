import LuaSyntax

/// Loops that look for the least or the greatest number among the elements of a list of the case, such as `for _, loan in
/// ipairs(loans) do if not first or loan.due < first then first = loan.due end end`.
extension Interpreter {
    /// Goes through a list of which a loop keeps the least or the greatest number; nil where it does anything else.
    func extreme(
        of list: List, _ length: Number, _ names: [LocalDeclaration], _ block: Block, _ changes: ChangeFinder,
        _ scope: Scope, _ site: Site
    ) throws -> Flow? {
        guard length.constant == nil, changes.isPlain, !changes.mayEnd,
            changes.changed.count == 1, let id = changes.changed.first, let box = scope.boxes[id],
            block.keepsOneOf(id), !path.hasChosen({ Path.isOfElement($0, of: list.name) })
        else { return nil }
        let (start, before) = (box.value, carried)
        /// What the element at a place leaves of a value: whether another, and which.
        func kept(at place: Int64, from value: Value) throws -> Kept? {
            let outcomes = try path.outcomes(changing: [ObjectIdentifier(box)]) {
                carried = before
                try change(box, to: value, site)
                if place > 0, try !path.holds(.constant(place) <= length) { return Explorer.Outcome(values: [value]) }
                try bind(names, toElementOf: list, at: place, scope)
                _ = try execute(block, scope)
                return Explorer.Outcome(values: [box.value])
            }
            return outcomes.flatMap { Kept($0, from: value, texts) }
        }
        for direction in Extreme.Direction.allCases where direction.isPossible(from: start) {
            // Each element that may be kept at all is kept where what was before is as far away as can be.
            let farthest = start.measure.map { $0.value(direction.farthest) } ?? start
            guard let any = try kept(at: List.any, from: farthest), any.isKept != .constant(false),
                let number = any.number, try isRule(direction, any, number, kept, site)
            else { continue }
            var elements: [Int64: Extreme.Element] = [List.any: .init(isMeant: any.isKept, number: number.number)]
            for place in 1...list.rounds {
                guard let own = try kept(at: place, from: farthest) else { return nil }
                elements[place] = .init(isMeant: own.isKept, number: own.number?.number ?? .constant(0))
            }
            try reached(in: list, length, [box], names, block, scope)
            try count(site)
            let extreme = Extreme(
                list: list.name, direction: direction, elements: elements, start: start.measure?.number)
            if extreme.start == nil, try !path.holds(extreme.isAny(on: path)) { return .next }
            guard let result = try path.extreme(extreme, site) else { return nil }
            if let name = changes.names[id] { path.say(result, "`\(name)`") }
            try change(box, to: number.value(result), site)
            return .next
        }
        return nil
    }

    /// Notes what of a loop's body is reached, where that is asked: two rounds come to all of it.
    func reached(
        in list: List, _ length: Number, _ boxes: [Box], _ names: [LocalDeclaration], _ block: Block, _ scope: Scope
    ) throws {
        guard let wayEnds else { return }
        let before = carried
        _ = try path.outcomes(changing: Set(boxes.map(ObjectIdentifier.init))) {
            carried = before
            for place in 1...min(2, list.rounds) where try path.holds(.constant(place) <= length) {
                try bind(names, toElementOf: list, at: place, scope)
                _ = try execute(block, scope)
            }
            try wayEnds()
            return Explorer.Outcome(values: [])
        }
    }

    /// Whether a loop keeps just the numbers that lie beyond what was kept before, whatever that is.
    private func isRule(
        _ direction: Extreme.Direction, _ any: Kept, _ number: Value.Measure,
        _ kept: (Int64, Value) throws -> Kept?, _ site: Site
    ) throws -> Bool {
        guard Extreme.isWithinBounds(number.number) else { return false }
        let start = try path.number("\(site.file):\(site.line) begins with", -Self.mostAdded...Self.mostAdded)
        guard let general = try kept(List.any, number.value(start)),
            let left = general.left.measure, left.isAlike(number)
        else { return false }
        let isKept = any.isKept && direction.lies(number.number, beyond: start)
        return try path.isAlways(left.number.equals(.either(isKept, number.number, start)))
    }

    /// What an element leaves of a value.
    private struct Kept {
        /// Whether it leaves another.
        var isKept = Condition.constant(false)
        /// The other; nil where there is none.
        var number: Value.Measure?
        /// What is there after it.
        var left: Value

        /// nil where what the ways come to cannot be put together.
        init?(_ outcomes: [Explorer.Outcome], from value: Value, _ texts: Texts) {
            let others = outcomes.filter { !$0.values[0].isSame(as: value) }
            left = value
            if others.isEmpty { return }
            isKept = .some(others.map(\.way))
            guard
                let number = Value.joined(others.map { ($0.way, $0.values[0]) }, from: value, texts),
                let measure = number.measure
            else { return nil }
            self.number = measure
            if value.measure == nil { return }
            guard let all = Value.joined(outcomes.map { ($0.way, $0.values[0]) }, from: value, texts) else {
                return nil
            }
            left = all
        }
    }
}

/// The least or the greatest number of elements of a list.
struct Extreme {
    enum Direction: CaseIterable {
        case greatest, least

        /// Beyond this lies every number.
        var farthest: Number { .constant(self == .greatest ? -Interpreter.mostAdded : Interpreter.mostAdded) }

        /// Whether numbers can lie beyond what there is at first.
        func isPossible(from start: Value) -> Bool {
            switch start {
            case .null: true
            case .unlimited: self == .least
            case .float(let value): value == (self == .greatest ? -.infinity : .infinity)
            default: start.measure != nil
            }
        }

        func lies(_ number: Number, beyond other: Number) -> Condition {
            self == .greatest ? other < number : number < other
        }

        func reaches(_ number: Number, _ other: Number) -> Condition {
            self == .greatest ? other <= number : number <= other
        }
    }

    /// Begins what such a number is called; behind it stands the list.
    static let name = "the extreme of "

    struct Element {
        /// Whether it counts.
        let isMeant: Condition
        let number: Number
    }

    let list: String
    let direction: Direction
    /// By their places; at ``List/any`` the one that stands for all behind those that are looked at one by one.
    let elements: [Int64: Element]
    /// What it is where no element lies beyond; nil: then there is none.
    let start: Number?

    /// Whether any element counts.
    func isAny(on path: Path) throws -> Condition {
        try path.isAny(of: list) { elements[$0]?.isMeant ?? .constant(false) }
    }

    /// Whether it is as great as a number, or as small.
    func reaches(_ number: Number, on path: Path) throws -> Condition {
        let isReached = try path.isAny(of: list) { place in
            guard let element = elements[place] else { return .constant(false) }
            return element.isMeant && direction.reaches(element.number, number)
        }
        return isReached || (start.map { direction.reaches($0, number) } ?? .constant(false))
    }

    /// Whether 64 bits hold what is reckoned with a number.
    static func isWithinBounds(_ number: Number) -> Bool {
        guard let bounds = number.bounds else { return false }
        return bounds.lowerBound >= -Interpreter.mostAdded && bounds.upperBound <= Interpreter.mostAdded
    }

    /// The least and the greatest that it can be; nil where 64 bits may not hold it.
    fileprivate var bounds: ClosedRange<Int64>? {
        var numbers = elements.values.filter { $0.isMeant != .constant(false) }.map(\.number)
        if let start { numbers.append(start) }
        let bounds = numbers.compactMap(\.bounds)
        guard bounds.count == numbers.count, let least = bounds.map(\.lowerBound).min(),
            let most = bounds.map(\.upperBound).max(), least >= -Interpreter.mostAdded, most <= Interpreter.mostAdded
        else { return nil }
        return least...most
    }

    fileprivate var name: String {
        let parts = elements.sorted { $0.key < $1.key }.map { "\($1.isMeant.smt) \($1.number.smt)" }
        return "\(Self.name)\(list) by \(direction) \(parts.joined(separator: ", ")) from \(start?.smt ?? "none")"
    }
}

extension Path {
    /// The number that is the least or the greatest; nil where it cannot be reckoned with.
    func extreme(_ extreme: Extreme, _ site: Site) throws -> Number? {
        guard let bounds = extreme.bounds else { return nil }
        let name = extreme.name
        explorer.gathered.extremes[name] = extreme
        let why = site.unsettled("the \(extreme.direction) of a list of which the length is not known")
        loosen(name, why)
        approximate(why)
        return try number(name, bounds)
    }

    /// States how the least and the greatest numbers of lists that a condition compares stand to what they are compared with.
    func relateExtremes(in condition: Condition) throws {
        if explorer.gathered.extremes.isEmpty { return }
        switch condition {
        case .constant, .variable, .relation: return
        case .not(let inner): try relateExtremes(in: inner)
        case .all(let parts), .any(let parts): for part in parts { try relateExtremes(in: part) }
        case .equal(let left, let right):
            try relate(left, atMost: right)
            try relate(right, atMost: left)
        case .atMost(let left, let right): try relate(left, atMost: right)
        }
    }

    private func relate(_ left: Number, atMost right: Number) throws {
        for number in [left, right] { try relateExtremes(within: number) }
        for name in left.variables.union(right.variables).sorted() {
            guard let extreme = explorer.gathered.extremes[name] else { continue }
            if left.variables.contains(name), right.variables.contains(name) { continue }
            let other: (number: Number, isAtLeast: Bool)? =
                right.variables.contains(name) ? right.least(left, of: name) : left.most(right, of: name)
            guard let other, !other.number.variables.contains(where: { Path.isOfElement($0, of: extreme.list) }) else {
                continue
            }
            try relate(name, extreme, other.number, isAtLeast: other.isAtLeast)
        }
    }

    /// The same for what numbers hang on.
    private func relateExtremes(within number: Number) throws {
        switch number {
        case .constant, .variable: return
        case .sum(let parts): for part in parts { try relateExtremes(within: part) }
        case .scaled(let inner, _), .quotient(let inner, _), .remainder(let inner, _):
            try relateExtremes(within: inner)
        case .product(let one, let other): for part in [one, other] { try relateExtremes(within: part) }
        case .choice(let condition, let one, let other):
            try relateExtremes(in: condition)
            for part in [one, other] { try relateExtremes(within: part) }
        }
    }

    private func relate(_ name: String, _ extreme: Extreme, _ number: Number, isAtLeast: Bool) throws {
        guard let bounds = extreme.bounds else { return }
        // Of the greatest it is known whether it reaches a number: it does not lie above another where it does not reach the next.
        let step: Int64 = extreme.direction == .greatest ? (isAtLeast ? 0 : 1) : (isAtLeast ? -1 : 0)
        let number = number + .constant(step)
        let itself = Number.variable(.init(name: name, least: bounds.lowerBound, most: bounds.upperBound))
        let reaches = extreme.direction.reaches(itself, number)
        if reaches.constant != nil { return }
        let isThere = try extreme.start == nil ? extreme.isAny(on: self) : .constant(true)
        try assume(isThere.implies(reaches.equals(extreme.reaches(number, on: self))))
    }
}

extension Number {
    /// What a variable in it is at least, or at most, where it is at least another; nil where that is not seen.
    fileprivate func least(_ other: Number, of name: String) -> (number: Number, isAtLeast: Bool)? {
        switch self {
        case .variable(let variable): return variable.name == name ? (other, true) : nil
        case .sum(let parts):
            guard let part = parts.only(with: name) else { return nil }
            return part.least(other - parts.without(part), of: name)
        case .scaled(let inner, let factor):
            return factor > 0
                ? inner.least(other.dividedUp(by: factor), of: name)
                : inner.most((other * .constant(-1)).divided(by: -factor), of: name)
        case .quotient(let inner, let divisor): return inner.least(other * .constant(divisor), of: name)
        default: return nil
        }
    }

    /// The same where it is at most another.
    fileprivate func most(_ other: Number, of name: String) -> (number: Number, isAtLeast: Bool)? {
        switch self {
        case .variable(let variable): return variable.name == name ? (other, false) : nil
        case .sum(let parts):
            guard let part = parts.only(with: name) else { return nil }
            return part.most(other - parts.without(part), of: name)
        case .scaled(let inner, let factor):
            return factor > 0
                ? inner.most(other.divided(by: factor), of: name)
                : inner.least((other * .constant(-1)).dividedUp(by: -factor), of: name)
        case .quotient(let inner, let divisor):
            return inner.most((other + .constant(1)) * .constant(divisor) + .constant(-1), of: name)
        default: return nil
        }
    }
}

extension [Number] {
    /// The one of them in which a variable stands; nil where it stands in several.
    fileprivate func only(with name: String) -> Number? {
        let parts = filter { $0.variables.contains(name) }
        return parts.count == 1 ? parts[0] : nil
    }

    /// The sum of the others.
    fileprivate func without(_ part: Number) -> Number { filter { $0 != part }.reduce(.constant(0), +) }
}

extension Value {
    /// A number, and what it measures.
    struct Measure {
        let number: Number
        /// The value of the same kind for another number.
        let value: (Number) -> Value

        /// Whether another measures the same.
        func isAlike(_ other: Measure) -> Bool {
            value(.constant(0)).isSame(as: other.value(.constant(0)))
        }
    }

    /// What it measures, of what numbers can be told apart and put in order; nil for other values.
    var measure: Measure? {
        switch self {
        case .integer(let number): Measure(number: number) { .integer($0) }
        case .money(let number): Measure(number: number) { .money($0) }
        case .period(let number, let unit): Measure(number: number) { .period($0, unit) }
        case .date(let number): Measure(number: number) { .date($0) }
        case .instant(let number, let nature): Measure(number: number) { .instant($0, nature) }
        default: nil
        }
    }
}

extension Block {
    /// Whether what a variable is given is never reckoned from what it was, as sums and counts are.
    fileprivate func keepsOneOf(_ variable: Int) -> Bool {
        var finder = SumFinder(variable: variable)
        walk(&finder)
        return !finder.isFound
    }
}

/// Finds assignments that reckon a variable from what it was.
private struct SumFinder: LuaVisitor {
    let variable: Int
    private(set) var isFound = false

    init(variable: Int) { self.variable = variable }

    mutating func enter(_ statement: Statement) {
        guard case .assignment(let targets, let values) = statement.kind else { return }
        for (target, value) in zip(targets, values) {
            guard case .variable(let name) = target.kind, name.declaration == variable else { continue }
            guard case .binary(let binary) = value.withoutParentheses.kind,
                binary.links.contains(where: \.operation.reckons)
            else { continue }
            for operand in [binary.first] + binary.links.map(\.operand) {
                if case .variable(let name) = operand.withoutParentheses.kind, name.declaration == variable {
                    isFound = true
                }
            }
        }
    }
}

extension BinaryOperator {
    /// Whether it makes a number of two.
    fileprivate var reckons: Bool {
        switch self {
        case .and, .or, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: false
        default: true
        }
    }
}
