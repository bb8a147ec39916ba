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
    /// What others take for the bare workload, in the same run; see `docs/decisions/0003-benchmarks.md`.
    package var beside: [Comparison] = []

    /// One that is no floor of ours: it does the same unit of work with nothing around it, in its own way.
    package struct Comparison: Sendable {
        package var name: String
        /// nil: it could not be measured.
        package var cost: Cost?
        /// Why not, or what there is to know.
        package var note: String?
    }

    package init(
        name: String, ours: Cost, floor: Cost, bound: Bound?, isOfWall: Bool = false,
        beside: [Comparison] = []
    ) {
        self.name = name
        self.ours = ours
        self.floor = floor
        self.bound = bound
        measure = isOfWall ? .wall : .cpu
        self.beside = beside
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

    /// How many times that of another one ours is.
    package func ratio(to other: Comparison) -> Double? {
        other.cost.flatMap { $0.cpu > 0 ? ours.cpu / $0.cpu : nil }
    }

    var ratio: Double { compared.floor > 0 ? compared.ours / compared.floor : 0 }
    package var isAboveBound: Bool { bound.map { !$0.allows(compared.ours, compared.floor) } ?? false }
}
