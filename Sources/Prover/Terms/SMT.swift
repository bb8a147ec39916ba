// Terms as SMT-LIB 2.6 writes them.

extension Number {
    /// The term; names stand between bars.
    var smt: String {
        switch self {
        case .constant(let value): value < 0 ? "(- \(value.magnitude))" : "\(value)"
        case .variable(let variable): variable.name.smtName
        case .sum(let numbers): "(+ \(numbers.map(\.smt).joined(separator: " ")))"
        case .scaled(let number, let factor): "(* \(Number.constant(factor).smt) \(number.smt))"
        case .product(let left, let right): "(* \(left.smt) \(right.smt))"
        // SMT-LIB rounds down for positive divisors.
        case .quotient(let number, let divisor): "(div \(number.smt) \(divisor))"
        case .remainder(let number, let divisor): "(mod \(number.smt) \(divisor))"
        case .choice(let condition, let one, let other): "(ite \(condition.smt) \(one.smt) \(other.smt))"
        }
    }
}

extension Condition {
    var smt: String {
        switch self {
        case .constant(let value): "\(value)"
        case .variable(let name): name.smtName
        case .not(let inner): "(not \(inner.smt))"
        case .all(let conditions): "(and \(conditions.map(\.smt).joined(separator: " ")))"
        case .any(let conditions): "(or \(conditions.map(\.smt).joined(separator: " ")))"
        case .equal(let left, let right): "(= \(left.smt) \(right.smt))"
        case .atMost(let left, let right): "(<= \(left.smt) \(right.smt))"
        case .relation(let relation): "(relation \(relation.subject.smt))"
        }
    }
}

extension String {
    /// As a quoted symbol, which may have neither a bar nor a backslash.
    var smtName: String {
        var name = "|"
        for scalar in unicodeScalars {
            switch scalar {
            case "|", "\\", "%": name += "%\(String(scalar.value, radix: 16));"
            default: name.unicodeScalars.append(scalar)
            }
        }
        return name + "|"
    }
}
