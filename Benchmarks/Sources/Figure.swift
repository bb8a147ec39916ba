/// One speed with what it is held against.
package struct Figure {
    /// What was measured.
    package var name: String
    package var ours: Cost
    /// The same work from plain C, or within the database's server.
    package var floor: Cost
    /// The most that `ours` may be of `floor`, in CPU time unless `isOfWall`; nil where nothing is promised.
    package var bound: Double?
    /// Whether the ratio is one of wall time: where the work is shared between threads so that it is done sooner.
    package var isOfWall = false
    /// What the bare workload of the comparison takes; see `docs/decisions/0003-benchmarks.md`.
    var bare: String?

    var ratio: Double {
        let (ours, floor) = isOfWall ? (ours.wall, floor.wall) : (ours.cpu, floor.cpu)
        return floor > 0 ? ours / floor : 0
    }
    var isAboveBound: Bool { bound.map { ratio > $0 } ?? false }
}
