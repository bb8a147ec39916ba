import Floors
import Storage

/// What one unit took in a library of one size.
package struct GrowthFigure: Hashable, Sendable {
    /// Titles of the library.
    package var size: Int
    /// How many records it gave.
    package var rows: Int
    package var statements: Int
    /// Of SQLite's machine, for all statements: what the index of words does within is not among them.
    package var instructions: Int
    /// Blocks of tables and indexes that a server looked at; 0 over SQLite.
    package var blocks: Int
    /// Nanoseconds; the least of several runs. 0: it was not measured.
    package var cpu: Double

    package init(size: Int, rows: Int, statements: Int, instructions: Int, blocks: Int = 0, cpu: Double) {
        self.size = size
        self.rows = rows
        self.statements = statements
        self.instructions = instructions
        self.blocks = blocks
        self.cpu = cpu
    }

    /// Does the unit and counts.
    ///
    /// - Parameter runs: how often, after once for what is read and kept.
    static func measure(_ unit: GrowthUnit, _ library: GrownLibrary, size: Int, runs: Int) async throws -> GrowthFigure
    {
        _ = try await unit.run(library)
        var figure = GrowthFigure(size: size, rows: 0, statements: 0, instructions: 0, cpu: .infinity)
        for _ in 0..<max(1, runs) {
            _ = library.recorder.take()
            let start = floor_cpu()
            var elsewhere: UInt64 = 0
            if let counter = library.counter {
                let counted = try await counter.count { figure.rows = try await unit.run(library) }
                (figure.blocks, elsewhere) = counted
            } else {
                figure.rows = try await unit.run(library)
            }
            figure.cpu = min(figure.cpu, Double(floor_cpu() - start + elsewhere))
            let statements = library.recorder.take()
            figure.statements = statements.count
            figure.instructions = statements.reduce(0) { $0 + $1.instructions }
        }
        return figure
    }
}

/// What a unit took in libraries of several sizes, the smallest first.
package struct GrowthCurve: Hashable, Sendable {
    package var kind: String
    package var unit: String
    package var figures: [GrowthFigure]

    package init(kind: String, unit: String, figures: [GrowthFigure]) {
        self.kind = kind
        self.unit = unit
        self.figures = figures
    }
}
