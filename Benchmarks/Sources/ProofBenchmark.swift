import Floors
import Foundation
import Scripting
import Workbench

/// Proofs of all that the shipped policies promise, held against decisions of a bare Lua function from C: twenty million of
/// them, since no number of cases proves anything.
package enum ProofBenchmark {
    private static let policies = ["public", "university", "textbooks", "bitbooks"]
    private static let decisions: Int64 = 20_000_000

    package static func measure(_ bench: Bench) throws -> [Figure] {
        guard let floor = floor_lua_open(PolicyBenchmark.source) else {
            throw BenchFailure("the floor's Lua cannot be loaded")
        }
        defer { floor_lua_close(floor) }
        let isFull = bench.size == .full
        let race = try Race(batches: 1, units: 1) { _ in
            for name in isFull ? policies : policies.suffix(1) { try prove(name) }
        } floor: { _ in
            _ = floor_lua_call(floor, isFull ? decisions : 1_000)
        }
        return [
            Figure(
                name: "proofs of the shipped policies", ours: race.ours.median, floor: race.floors.median,
                bound: isFull ? 2 : nil)
        ]
    }

    private static func prove(_ name: String) throws {
        let folder = Bench.package.appendingPathComponent("policies")
        let tests = folder.appendingPathComponent("\(name)_test.lua").path
        let proof = PolicyProof(
            try ParsedPolicy(file: folder.appendingPathComponent("\(name).lua").path),
            tests: (try String(contentsOfFile: tests, encoding: .utf8), tests), time: .seconds(600))
        let report = try proof.report()
        guard report.count(.proved) == report.results.count else { throw BenchFailure("\(name): \(report.summary)") }
    }
}
