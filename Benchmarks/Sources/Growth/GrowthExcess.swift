import Foundation

/// Where something grows with the library that should not.
package struct GrowthExcess: Hashable, Sendable {
    package enum Measure: String, Hashable, Sendable, CaseIterable {
        /// A list gives all that there is, without a page size.
        case rows
        /// What the database does for each record that is given.
        case instructions
        /// The same over PostgreSQL.
        case blocks
        /// Processor time for each record that is given, where the two above are flat.
        case cpu
        /// It fails in a library of a size that it should do.
        case failure
    }

    package var unit: String
    package var measure: Measure
    /// By how many times, from one library to one ten times as large.
    package var growth: Double
    /// Why it failed.
    package var failure: String?

    package init(unit: String, measure: Measure, growth: Double) {
        self.unit = unit
        self.measure = measure
        self.growth = growth
    }

    package init(unit: String, failure: String) {
        self.init(unit: unit, measure: .failure, growth: .infinity)
        self.failure = failure
    }

    /// For a person.
    package var words: String {
        failure.map { "\(unit) fails: \($0)" }
            ?? "\(unit) grows \(String(format: "%.1f", growth)) times a decade (\(measure.rawValue))"
    }

    /// How many times a unit may take in a library ten times as large.
    package static let most = 1.3
    /// What is less than this is no cost, however it grows.
    private static let fewestInstructions = 2_000.0
    /// An index one level deeper is no growth.
    private static let (fewestBlocks, mostBlocks) = (150.0, 1.6)
    private static let leastCPU = 2_000_000.0
    /// Processor time of the same work differs on a busy machine, and with what its caches hold.
    private static let mostCPU = 2.5

    /// What is too much about a curve, judged by its two largest libraries: in small ones lists are not full.
    package static func found(in curve: GrowthCurve) -> [GrowthExcess] {
        guard let large = curve.figures.last, let small = curve.figures.dropLast().last else { return [] }
        let decades = max(0.1, log10(Double(large.size) / Double(max(1, small.size))))
        func growth(_ value: (GrowthFigure) -> Double) -> Double {
            pow(value(large) / max(value(small), 1), 1 / decades)
        }
        func perRow(_ value: Double, _ figure: GrowthFigure) -> Double { value / Double(max(1, figure.rows)) }

        var found: [GrowthExcess] = []
        let rows = growth { Double($0.rows) }
        // Records without a page size, in libraries that already fill a page.
        if small.rows > Int(GrowthUnit.page), rows > most {
            found.append(GrowthExcess(unit: curve.unit, measure: .rows, growth: rows))
        }
        let instructions = growth { perRow(Double($0.instructions), $0) }
        if Double(large.instructions) >= fewestInstructions, instructions > most {
            found.append(GrowthExcess(unit: curve.unit, measure: .instructions, growth: instructions))
        }
        let blocks = growth { perRow(Double($0.blocks), $0) }
        if Double(large.blocks) >= fewestBlocks, blocks > mostBlocks {
            found.append(GrowthExcess(unit: curve.unit, measure: .blocks, growth: blocks))
        }
        let cpu = growth { perRow($0.cpu, $0) }
        if found.isEmpty, large.cpu >= leastCPU, cpu > mostCPU {
            found.append(GrowthExcess(unit: curve.unit, measure: .cpu, growth: cpu))
        }
        return found
    }
}
