// Cases that go a way.
extension Path {
    /// Values that a case has which goes this way.
    ///
    /// - Parameters:
    ///   - isPlain: whether they are to be the plainest that there are.
    ///   - others: those that were looked at already: in something that is so or not it must differ from each.
    func assignment(isPlain: Bool = true, but others: [Assignment] = []) throws -> Assignment? {
        let solver = explorer.solver
        var wanted = facts
        for other in others { wanted.append(try solver.fact(other.differs)) }
        guard try solver.check(wanted) == .possible else { return nil }
        if isPlain {
            var known: Set<Int32> = []
            let wishes = try wishes.map(solver.fact).filter { known.insert($0.id).inserted }
            try add(wishes[...], to: &wanted)
        }
        return try solver.assignment(wanted, of: symbols)
    }

    /// Adds each of some facts, in their order, with which there is still a case. As a rule many can be added at once.
    private func add(_ wishes: ArraySlice<Fact>, to wanted: inout [Fact]) throws {
        if wishes.isEmpty { return }
        let more = wanted + wishes
        if try explorer.solver.check(more) == .possible {
            wanted = more
        } else if wishes.count > 1 {
            let middle = wishes.startIndex + wishes.count / 2
            try add(wishes[..<middle], to: &wanted)
            try add(wishes[middle...], to: &wanted)
        }
    }
}
