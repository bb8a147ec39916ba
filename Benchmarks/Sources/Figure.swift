/// One speed, or size, with what it is held against.
package struct Figure {
    /// What is compared.
    package enum Measure: String, Hashable, Sendable {
        case cpu
        /// Where the work is shared between threads so that it is done sooner, or where somebody waits for it.
        case wall
        /// Memory at most.
        case memory
    }

    /// What was measured.
    package var name: String
    package var ours: Cost
    /// The same work from plain C, or within the database's server.
    package var floor: Cost
    /// The most that `ours` may be by `floor`; nil where nothing is promised.
    package var bound: Bound?
    package var measure = Measure.cpu
    /// What the bare workload of the comparison takes; see `docs/decisions/0003-benchmarks.md`.
    var bare: String?

    package init(
        name: String, ours: Cost, floor: Cost, bound: Bound?, isOfWall: Bool = false, bare: String? = nil
    ) {
        self.name = name
        self.ours = ours
        self.floor = floor
        self.bound = bound
        measure = isOfWall ? .wall : .cpu
        self.bare = bare
    }

    /// A figure of bytes.
    init(name: String, bytes: Int64, floor: Int64, bound: Bound?) {
        self.name = name
        ours = Cost(cpu: Double(bytes), wall: Double(bytes))
        self.floor = Cost(cpu: Double(floor), wall: Double(floor))
        self.bound = bound
        measure = .memory
    }

    private var compared: (ours: Double, floor: Double) {
        measure == .wall ? (ours.wall, floor.wall) : (ours.cpu, floor.cpu)
    }

    var ratio: Double { compared.floor > 0 ? compared.ours / compared.floor : 0 }
    package var isAboveBound: Bool { bound.map { !$0.allows(compared.ours, compared.floor) } ?? false }
}
