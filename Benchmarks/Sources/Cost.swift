import Floors

/// What one unit of work took, in nanoseconds.
package struct Cost {
    /// Of all threads of the process and, where it works with a server, of that.
    package var cpu: Double
    package var wall: Double

    package init(cpu: Double, wall: Double) {
        self.cpu = cpu
        self.wall = wall
    }

    static func measure(units: Int, elsewhere: () -> UInt64 = { 0 }, _ body: () throws -> Void) rethrows -> Cost {
        let cpu = floor_cpu() + elsewhere()
        let wall = floor_wall()
        try body()
        let spent = (cpu: floor_cpu() + elsewhere() - cpu, wall: floor_wall() - wall)
        return Cost(cpu: Double(spent.cpu) / Double(units), wall: Double(spent.wall) / Double(units))
    }
}

/// Somebody else who does the same unit of work.
struct Racer {
    var name: String
    /// CPU time, in nanoseconds, that another process has spent for it so far.
    var elsewhere: () -> UInt64
    var run: (Range<Int>) throws -> Void
}

/// Ours, its floor and others, run by turns, so that what else the machine does falls on both alike.
struct Race {
    private(set) var ours: [Cost] = []
    private(set) var floors: [Cost] = []
    /// Of each other one in their order.
    private(set) var others: [[Cost]]

    /// - Parameters:
    ///   - batches: how often each runs.
    ///   - warmUp: how many of these are not counted.
    ///   - units: units of work in a batch; each batch is given the range of its own.
    ///   - elsewhere: CPU time, in nanoseconds, that others have spent for us so far.
    init(
        batches: Int, warmUp: Int = 1, units: Int, elsewhere: () -> UInt64 = { 0 }, beside others: [Racer] = [],
        ours: (Range<Int>) throws -> Void, floor: (Range<Int>) throws -> Void
    ) throws {
        self.others = others.map { _ in [] }
        for batch in 0..<batches {
            let range = batch * units..<(batch + 1) * units
            let first = try Cost.measure(units: units, elsewhere: elsewhere) { try ours(range) }
            let second = try Cost.measure(units: units, elsewhere: elsewhere) { try floor(range) }
            let further = try others.map { other in
                try Cost.measure(units: units, elsewhere: other.elsewhere) { try other.run(range) }
            }
            guard batch >= warmUp || batches == 1 else { continue }
            self.ours.append(first)
            floors.append(second)
            for (place, cost) in further.enumerated() { self.others[place].append(cost) }
        }
    }
}

extension [Cost] {
    /// The medians over all batches, which a busy machine moves least.
    var median: Cost {
        Cost(cpu: Self.median(map(\.cpu)), wall: Self.median(map(\.wall)))
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let middle = sorted.dropFirst(sorted.count / 2).first else { return 0 }
        return sorted.count % 2 == 1 ? middle : (middle + sorted[sorted.count / 2 - 1]) / 2
    }
}
