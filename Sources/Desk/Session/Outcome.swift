package import Circulation

/// What became of a request to change something: done, or answered with no. A fault is an error instead.
package enum Outcome<Value> {
    case done(Value)
    case refused(Refusal)
}

extension Outcome {
    /// The value if it was done.
    package var value: Value? {
        if case .done(let value) = self { value } else { nil }
    }

    /// The refusal if it was refused.
    package var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    /// The same outcome with its value changed.
    package func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Outcome<Other> {
        switch self {
        case .done(let value): .done(try transform(value))
        case .refused(let refusal): .refused(refusal)
        }
    }
}

extension Outcome: Sendable where Value: Sendable {}
extension Outcome: Equatable where Value: Equatable {}
