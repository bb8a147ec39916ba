/// One speed with what it is held against.
package struct Figure {
    /// What was measured.
    package var name: String
    package var ours: Cost
    /// The same work from plain C, or within the database's server.
    package var floor: Cost
    /// The most that `ours` may be of `floor` in CPU time; nil where nothing is promised.
    package var bound: Double?
    /// What the bare workload of the comparison takes; see `docs/decisions/0003-benchmarks.md`.
    var bare: String?

    var ratio: Double { floor.cpu > 0 ? ours.cpu / floor.cpu : 0 }
    var isAboveBound: Bool { bound.map { ratio > $0 } ?? false }
}
