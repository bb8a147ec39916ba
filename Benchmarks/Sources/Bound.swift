/// The most that a speed of ours may be, by its floor.
package enum Bound: Hashable, Sendable {
    /// So many times the floor.
    case times(Double)
    /// So much more than the floor.
    case more(milliseconds: Double)

    func allows(_ ours: Double, _ floor: Double) -> Bool {
        switch self {
        case .times(let most): ours <= most * floor
        case .more(let milliseconds): ours - floor <= milliseconds * 1_000_000
        }
    }
}

extension Bound: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    package init(floatLiteral value: Double) { self = .times(value) }
    package init(integerLiteral value: Int) { self = .times(Double(value)) }
}
