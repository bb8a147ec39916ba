/// What a condition says of one number: that it lies between two bounds.
private struct NumberBounds {
    let number: Number
    var least = Int64.min
    var most = Int64.max

    init?(_ literal: Literal) {
        switch literal.condition {
        case .atMost(.constant(let value), let number) where number.constant == nil:
            self.number = number
            if literal.holds { least = value } else if value > .min { most = value - 1 }
        case .atMost(let number, .constant(let value)) where number.constant == nil:
            self.number = number
            if literal.holds { most = value } else if value < .max { least = value + 1 }
        case .equal(let number, .constant(let value)) where literal.holds && number.constant == nil,
            .equal(.constant(let value), let number) where literal.holds && number.constant == nil:
            self.number = number
            (least, most) = (value, value)
        default: return nil
        }
    }

    func implies(_ other: NumberBounds) -> Bool {
        number == other.number && least >= other.least && most <= other.most
    }
}

extension [Literal] {
    /// Without bounds of numbers that others imply.
    var withoutImplied: [Literal] {
        let bounds = map(NumberBounds.init)
        return indices.filter { place in
            guard let own = bounds[place] else { return true }
            return !indices.contains { other in
                guard other != place, let known = bounds[other], known.implies(own) else { return false }
                // Of two that say the same the first stays.
                return !own.implies(known) || other < place
            }
        }
        .map { self[$0] }
    }
}
