/// Cases of one kind that have conditions in common.
struct RegionPart {
    let kind: DecisionChange.Kind
    /// In the order in which they were decided.
    var literals: [Literal]
    let example: Int
}

/// The conditions of which others are put together.
struct Atoms {
    private let named: Set<Condition>
    private(set) var all: [Condition] = []
    private var places: [Condition: Int] = [:]

    /// - Parameter named: what is taken as a whole.
    init(_ named: Set<Condition>) { self.named = named }

    mutating func collect(_ condition: Condition) {
        if case .not(let inner) = condition { return collect(inner) }
        if !named.contains(condition) {
            switch condition {
            case .constant, .relation: return
            case .all(let parts), .any(let parts): return parts.forEach { collect($0) }
            default: break
            }
        }
        guard places[condition] == nil else { return }
        places[condition] = all.count
        all.append(condition)
    }

    /// Whether a condition holds where those atoms do whose bits are set.
    func value(_ condition: Condition, _ bits: Int) -> Bool {
        if let place = places[condition] { return bits >> place & 1 == 1 }
        switch condition {
        case .not(let inner): return !value(inner, bits)
        case .all(let parts): return parts.allSatisfy { value($0, bits) }
        case .any(let parts): return parts.contains { value($0, bits) }
        case .constant(let value): return value
        default: return true
        }
    }
}

/// Makes the regions of one kind as few and as wide as they go: together they stay the same cases.
struct RegionMaker {
    private let parts: [RegionPart]
    private let examples: [(index: Int, values: Assignment)]
    private var atoms: Atoms
    /// Where any part is, by the bits of the atoms; empty where there are too many.
    private var isMet: [Bool] = []
    /// Where no case can be.
    private var isImpossible: [Bool] = []

    /// With more atoms the parts stay as they are.
    private static let mostAtoms = 12

    init(_ parts: [RegionPart], _ named: Set<Condition>, _ examples: [(index: Int, values: Assignment)]) {
        (self.parts, self.examples) = (parts, examples)
        atoms = Atoms(named)
        for part in parts { for literal in part.literals { atoms.collect(literal.condition) } }
        guard atoms.all.count <= Self.mostAtoms else { return }
        let size = 1 << atoms.all.count
        isMet = (0..<size).map { bits in parts.contains { holds($0, bits) } }
        let exclusions = AtomExclusions(atoms.all)
        isImpossible = (0..<size).map(exclusions.exclude)
    }

    private func holds(_ part: RegionPart, _ bits: Int) -> Bool {
        part.literals.allSatisfy { atoms.value($0.condition, bits) == $0.holds }
    }

    /// Whether all cases that the literals allow lie in a part; false where there are too many atoms to say so.
    static func cover(_ literals: Set<Literal>, by parts: [RegionPart], _ named: Set<Condition>) -> Bool {
        var atoms = Atoms(named)
        for literal in literals { atoms.collect(literal.condition) }
        for part in parts { for literal in part.literals { atoms.collect(literal.condition) } }
        guard atoms.all.count <= mostAtoms else { return parts.contains { literals.isSuperset(of: $0.literals) } }
        func hold(_ literals: some Sequence<Literal>, _ bits: Int) -> Bool {
            literals.allSatisfy { atoms.value($0.condition, bits) == $0.holds }
        }
        let exclusions = AtomExclusions(atoms.all)
        return (0..<(1 << atoms.all.count)).allSatisfy { bits in
            !hold(literals, bits) || exclusions.exclude(bits) || parts.contains { hold($0.literals, bits) }
        }
    }

    /// Each with a case that lies in it.
    var regions: [(literals: [Literal], example: Int)] {
        if isMet.isEmpty { return parts.map { (plain($0), $0.example) } }
        var isCovered = isImpossible
        var cubes: [(cube: Cube, example: Int)] = []
        for (index, values) in examples {
            guard let bits = bits(of: values), isMet[bits], !isCovered[bits] else { continue }
            let cube = widened(bits)
            cover(cube, &isCovered)
            cubes.append((cube, index))
        }
        var regions: [(literals: [Literal], example: Int)] = []
        for part in parts {
            let isLeft = isMet.indices.contains { !isCovered[$0] && isMet[$0] && holds(part, $0) }
            guard isLeft else { continue }
            regions.append((plain(part), part.example))
            cubes.removeAll { cube, _ in all(of: cube).allSatisfy { holds(part, $0) || isImpossible[$0] } }
            for bits in isMet.indices where holds(part, bits) { isCovered[bits] = true }
        }
        return joined(cubes.map { (literals(of: $0.cube), $0.example) } + regions)
    }

    /// Regions that differ in one code alone become one: `dvd or bluray`.
    private func joined(
        _ regions: [(literals: [Literal], example: Int)]
    ) -> [(literals: [Literal], example: Int)] {
        var joined: [(literals: [Literal], example: Int)] = []
        for region in regions {
            let place = joined.firstIndex { known in
                known.literals.count == region.literals.count && Self.codes(known.literals, region.literals) != nil
            }
            guard let place, let (before, after) = Self.codes(joined[place].literals, region.literals) else {
                joined.append(region)
                continue
            }
            let parts = if case .any(let parts) = before.condition { parts } else { [before.condition] }
            let whole = Literal(condition: .any(parts + [after.condition]), holds: true)
            joined[place].literals = joined[place].literals.map { $0 == before ? whole : $0 }
        }
        return joined
    }

    /// The one literal in which two regions differ, where both are codes of one chain.
    private static func codes(_ one: [Literal], _ other: [Literal]) -> (Literal, Literal)? {
        let (rest, otherRest) = (one.filter { !other.contains($0) }, other.filter { !one.contains($0) })
        guard rest.count == 1, otherRest.count == 1, rest[0].holds, otherRest[0].holds else { return nil }
        let parts = if case .any(let parts) = rest[0].condition { parts } else { [rest[0].condition] }
        return CaseWords.chain(parts + [otherRest[0].condition]).map { _ in (rest[0], otherRest[0]) }
    }

    /// The literals of a part, those that are put together of several with their parts where all must hold.
    private func plain(_ part: RegionPart) -> [Literal] {
        var plain: [Literal] = []
        func add(_ condition: Condition, _ holds: Bool) {
            switch condition {
            case .not(let inner): add(inner, !holds)
            case .all(let parts) where holds: for part in parts { add(part, true) }
            case .any(let parts) where !holds: for part in parts { add(part, false) }
            default: plain.append(Literal(condition: condition, holds: holds))
            }
        }
        for literal in part.literals {
            if atoms.all.contains(literal.condition) {
                plain.append(literal)
            } else {
                add(literal.condition, literal.holds)
            }
        }
        return plain
    }

    private func bits(of values: Assignment) -> Int? {
        var bits = 0
        for (place, atom) in atoms.all.enumerated() where values.value(atom) ?? false { bits |= 1 << place }
        return bits
    }

    // MARK: - Cubes

    /// Those bits that matter, and how they are.
    private struct Cube {
        var mask: Int
        let bits: Int
    }

    /// Leaves atoms out as long as nothing comes in that is no part: what does not hold first.
    private func widened(_ bits: Int) -> Cube {
        var cube = Cube(mask: isMet.count - 1, bits: bits)
        let places = atoms.all.indices.sorted { left, right in
            let (isLeft, isRight) = (bits >> left & 1, bits >> right & 1)
            return isLeft == isRight ? left > right : isLeft < isRight
        }
        for place in places {
            var wider = cube
            wider.mask &= ~(1 << place)
            if all(of: wider).allSatisfy({ isMet[$0] || isImpossible[$0] }) { cube = wider }
        }
        return cube
    }

    private func all(of cube: Cube) -> some Sequence<Int> {
        isMet.indices.lazy.filter { $0 & cube.mask == cube.bits & cube.mask }
    }

    private func cover(_ cube: Cube, _ isCovered: inout [Bool]) {
        for bits in all(of: cube) { isCovered[bits] = true }
    }

    private func literals(of cube: Cube) -> [Literal] {
        atoms.all.indices.filter { cube.mask >> $0 & 1 == 1 }.map {
            Literal(condition: atoms.all[$0], holds: cube.bits >> $0 & 1 == 1)
        }
    }
}

/// Which atoms cannot be so together.
private struct AtomExclusions {
    private var pairs: [(mask: Int, bits: Int)] = []

    init(_ atoms: [Condition]) {
        for (place, atom) in atoms.enumerated() {
            for (otherPlace, other) in atoms.enumerated().dropFirst(place + 1) {
                for (holds, otherHolds) in [(true, true), (true, false), (false, true), (false, false)]
                where Self.exclude(atom, holds, other, otherHolds) {
                    let mask = 1 << place | 1 << otherPlace
                    pairs.append((mask, (holds ? 1 << place : 0) | (otherHolds ? 1 << otherPlace : 0)))
                }
            }
        }
    }

    func exclude(_ bits: Int) -> Bool { pairs.contains { bits & $0.mask == $0.bits } }

    private static func exclude(_ one: Condition, _ holds: Bool, _ other: Condition, _ otherHolds: Bool) -> Bool {
        if case .variable(let part) = one, case .variable(let field) = other {
            return isBelow(part, holds, field, otherHolds) || isBelow(field, otherHolds, part, holds)
        }
        guard let (number, span) = range(one, holds), let (otherNumber, otherSpan) = range(other, otherHolds) else {
            return false
        }
        return number == otherNumber && !span.overlaps(otherSpan)
    }

    /// A part that is not there has no fields.
    private static func isBelow(_ part: String, _ isThere: Bool, _ field: String, _ holds: Bool) -> Bool {
        holds && !isThere && part.hasSuffix(" is there") && field.hasPrefix("\(part.dropLast(9)).")
    }

    /// Where a number lies.
    private static func range(_ atom: Condition, _ holds: Bool) -> (Number, ClosedRange<Int64>)? {
        switch atom {
        case .atMost(.constant(let least), let number) where number.constant == nil && least > .min:
            (number, holds ? least...Int64.max : Int64.min...(least - 1))
        case .atMost(let number, .constant(let most)) where number.constant == nil && most < .max:
            (number, holds ? Int64.min...most : (most + 1)...Int64.max)
        case .equal(let number, .constant(let value)) where holds: (number, value...value)
        case .equal(.constant(let value), let number) where holds: (number, value...value)
        default: nil
        }
    }
}
