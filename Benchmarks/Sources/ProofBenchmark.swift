import Floors
import Foundation
import Scripting
import Workbench

/// Proofs of all that the shipped policies promise, and all differences of two large policies, held against decisions of a bare
/// Lua function from C: twenty million of them, since no number of cases proves anything, and as many as take two seconds.
package enum ProofBenchmark {
    private static let policies = ["public", "university", "textbooks", "bitbooks"]
    private static let decisions: Int64 = 20_000_000
    private static let decisionsBesideComparison: Int64 = 7_500_000

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
        let rows = isFull ? 4_000 : 40
        let (one, other) = try (table(rows, isChanged: false), table(rows, isChanged: true))
        let comparison = try Race(batches: isFull ? 3 : 1, units: 1) { _ in
            try compare(one, other, changed: rows / changedEach)
        } floor: { _ in
            _ = floor_lua_call(floor, isFull ? decisionsBesideComparison : 1_000)
        }
        return [
            Figure(
                name: "proofs of the shipped policies", ours: race.ours.median, floor: race.floors.median,
                bound: isFull ? 2 : nil),
            Figure(
                name: "all differences of two tables of \(rows) rows", ours: comparison.ours.median,
                floor: comparison.floors.median, bound: isFull ? 1 : nil),
        ]
    }

    /// One row of so many is changed.
    private static let changedEach = 40

    /// A table with a row for each category, item type and branch, of which some lend for other times than in the other table.
    private static func table(_ rows: Int, isChanged: Bool) throws -> ParsedPolicy {
        let text = (0..<rows).map { row in
            let days = isChanged && row % changedEach == 7 ? 3 + row % 3 * 8 : 7 * (1 + row % 4)
            return "{ category = \"c\(row % 20)\", item_type = \"t\(row / 20 % 20)\", branch = \"b\(row / 400)\","
                + " loan = days(\(days)), renewals = \(row % 6), fine = money \"0.\(10 + row % 3 * 10)\" }"
        }
        return try ParsedPolicy(
            name: "policy.lua",
            source: "return policy { api = 1, rules = {\n\(text.joined(separator: ",\n")),\n{ loan = days(14) } } }")
    }

    /// - Parameter changed: how many rows are not the same in both. Each lends, renews and sets due times otherwise.
    private static func compare(_ one: ParsedPolicy, _ other: ParsedPolicy, changed: Int) throws {
        let report = try ComparedPolicies(one, other).report()
        guard report.regions >= 2 * changed, report.unknown == 0 else {
            throw BenchFailure("\(report.regions) differences of \(changed) rows, \(report.unknown) unknown")
        }
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
