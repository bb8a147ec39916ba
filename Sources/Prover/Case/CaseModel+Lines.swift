import Circulation

// What is about to be paid for.
extension CaseModel {
    /// What a line of a sale costs: price times quantity times periods.
    func amount(of line: String) throws -> Number {
        let amount = try self.path.number("\(line).amount", ProofDomain.amounts(of: "amount"))
        let price = try self.path.number("\(line).price", ProofDomain.amounts(of: "price"))
        let isOne = try ["quantity", "periods"].map { name in
            let number = try self.path.number("\(line).\(name)", ProofDomain.bounds(of: name))
            note("\(line).\(name)", .integer(number))
            return number.equals(.constant(1))
        }
        note("\(line).price", .money(price))
        self.path.wish(.every(isOne))
        try self.path.assume(Condition.every(isOne).implies(amount.equals(price)))
        return amount
    }

    /// What is reckoned of numbers of one line by multiplying them, by its name; nil: it is made of something else.
    static func productOfLine(_ product: Number) -> String? {
        guard case .product(let left, let right) = product, let one = factors(left), let other = factors(right) else {
            return nil
        }
        let factors = one + other
        guard let line = factors[0].firstIndex(of: "]").map({ factors[0][...$0] }), line.hasPrefix("lines["),
            factors.allSatisfy({ $0.hasPrefix(line) })
        else { return nil }
        return factors.joined(separator: times)
    }

    private static func factors(_ number: Number) -> [String]? {
        switch number {
        case .variable(let variable): factors(ofProduct: variable.name) ?? [variable.name]
        case .product(let left, let right): factors(left).flatMap { one in factors(right).map { one + $0 } }
        default: nil
        }
    }

    /// The numbers that a variable is the product of; nil: it is none.
    static func factors(ofProduct name: String) -> [String]? {
        let factors = name.split(separator: times).map(String.init)
        return factors.count > 1 ? factors : nil
    }

    private static let times = " times "
}
