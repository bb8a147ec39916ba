import Circulation
import Desk
import Foundation
import TestSupport
import Testing

@testable import benchmarks

@Suite("Growth")
struct GrowthTests {
    private static func curve(_ figures: [(size: Int, rows: Int, instructions: Int, milliseconds: Double)])
        -> GrowthCurve
    {
        GrowthCurve(
            kind: "function", unit: "loans.some",
            figures: figures.map {
                GrowthFigure(
                    size: $0.size, rows: $0.rows, statements: 1, instructions: $0.instructions,
                    cpu: $0.milliseconds * 1_000_000)
            })
    }

    @Test(
        "what a page and each record of a list take is to be the same in a library ten times as large",
        arguments: [
            // The first page of a list, in a small library not full yet.
            ([(100, 2, 3_000, 1), (1_000, 20, 30_000, 10), (10_000, 20, 31_000, 11)], []),
            // A list that gives all, at the same cost for each.
            ([(1_000, 300, 30_000, 10), (10_000, 3_000, 300_000, 100)], [.rows]),
            // A count, and a page for which all is looked through.
            ([(1_000, 1, 3_000, 10), (10_000, 1, 30_000, 100)], [.instructions]),
            ([(1_000, 20, 3_000, 1), (10_000, 20, 30_000, 1)], [.instructions]),
            // What grows without statements that are counted.
            ([(1_000, 20, 3_000, 1), (10_000, 20, 3_000, 10)], [.cpu]),
            // Next to nothing, however it grows.
            ([(1_000, 1, 100, 0.1), (10_000, 1, 1_000, 1)], []),
            // Two decades at once count as two.
            ([(1_000, 1, 3_000, 1), (100_000, 1, 4_500, 1)], []),
        ] as [([(Int, Int, Int, Double)], [GrowthExcess.Measure])])
    func verdicts(figures: [(Int, Int, Int, Double)], measures: [GrowthExcess.Measure]) {
        let curve = Self.curve(figures.map { (size: $0.0, rows: $0.1, instructions: $0.2, milliseconds: $0.3) })
        #expect(GrowthExcess.found(in: curve).map(\.measure) == measures)
    }

    @Test("an excess that is not listed is a fault, and so is a listed one that is none any more")
    func list() throws {
        let list = try GrowthExcessList(
            text: "# unit\nloans.a\trows\tFor a reason.\nloans.b\tcpu\tSlow.\n", file: "list")
        let known = GrowthExcess(unit: "loans.a", measure: .rows, growth: 10)
        let slow = GrowthExcess(unit: "loans.b", measure: .cpu, growth: 10)
        #expect(list.reason(known) == "For a reason.")
        #expect(list.faults([known, slow], measured: ["loans.a", "loans.b"]) == [])
        #expect(list.faults([known], measured: ["loans.a"]) == [])
        #expect(list.faults([known], measured: ["loans.a", "loans.b"], withCPU: false) == [])
        #expect(
            list.faults([known], measured: ["loans.a", "loans.b"])
                == ["loans.b (cpu) is no excess any more: take it off the list"])
        let new = GrowthExcess(unit: "loans.a", measure: .instructions, growth: 9.96)
        #expect(
            list.faults([known, new], measured: ["loans.a"])
                == ["loans.a grows 10.0 times a decade (instructions): mend it, or say why in the list of excesses"])
        let failed = GrowthExcess(unit: "never_lent", failure: "too many")
        #expect(
            list.faults([failed], measured: ["never_lent"])
                == ["never_lent fails: too many: mend it, or say why in the list of excesses"])
    }

    @Test(
        "a line of the list that says nothing is refused with its number and what is expected",
        arguments: ["loans.a\trows", "loans.a\tlines\tWhy", "loans.a\trows\t", "a\trows\tx\na\trows\ty"])
    func badLists(text: String) {
        let error = #expect(throws: BenchFailure.self) { try GrowthExcessList(text: "#\n\n" + text, file: "list") }
        #expect(
            error?.description.hasPrefix(text.hasPrefix("a\t") ? "list:4: 'a'" : "list:3: a unit, one of rows,") == true
        )
    }

    @Test(
        "blocks that a server looks at may grow by a level of an index",
        arguments: [(14, 149, false), (100, 160, false), (100, 161, true), (1_000, 10_000, true)])
    func blocks(small: Int, large: Int, isExcess: Bool) {
        let figures = [(1_000, small), (10_000, large)].map {
            GrowthFigure(size: $0.0, rows: 1, statements: 1, instructions: 0, blocks: $0.1, cpu: 0)
        }
        let found = GrowthExcess.found(in: GrowthCurve(kind: "function", unit: "loans.some", figures: figures))
        #expect(found.map(\.measure) == (isExcess ? [.blocks] : []))
    }

    @Test(
        "over PostgreSQL blocks are counted, and what goes through all is found",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
    func server() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("growth-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try PostgresServer(settings: BlockCounter.settings + ["fsync = off"])
        let units = GrowthUnit.all.filter { $0.name == "loans.get" } + [Self.walk]
        let (curves, failed) = try await Growth.measure(
            units, sizes: [40, 1_000], runs: 1, folder: folder, server: server)
        #expect(failed.map(\.words) == [])
        #expect(curves.allSatisfy { $0.figures.allSatisfy { $0.blocks > 0 && $0.instructions == 0 && $0.cpu > 0 } })
        let found = curves.flatMap { GrowthExcess.found(in: $0) }.filter { $0.measure == .blocks }
        #expect(found.map(\.unit) == [Self.walk.name])
    }

    private static let walk = GrowthUnit(kind: .function, name: "all loans") { library in
        try library.desk.read { session in
            try session.loans.each(LoanQuery()) { _ in true }
            return 1
        }
    }

    @Test("every function, route, page and report works in libraries of two sizes, and what goes through all is found")
    func shortRun() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("growth-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let units = GrowthUnit.all + [Self.walk]
        for kind in GrowthUnit.Kind.allCases { #expect(units.count { $0.kind == kind } > 10, "\(kind)") }
        #expect(units.contains { $0.name == "loans.get" } && units.contains { $0.name == "/titles/{title}" })
        let (curves, failed) = try await Growth.measure(units, sizes: [40, 400], runs: 0, folder: folder)
        #expect(failed.map(\.words) == [])
        #expect(curves.count == units.count)
        #expect(curves.allSatisfy { $0.figures.allSatisfy { $0.statements > 0 || $0.instructions == 0 } })
        let found = curves.flatMap { GrowthExcess.found(in: $0) }
        #expect(found.contains { $0.unit == Self.walk.name && $0.measure == .instructions && $0.growth > 5 })
        #expect(!found.contains { $0.unit == "loans.get" || $0.unit == "/titles/{title}" })
        let report = GrowthReport(curves: curves, excesses: found, known: try GrowthExcessList(text: "", file: ""))
        #expect(report.tsv.split(separator: "\n").count == 1 + 2 * units.count)
        #expect(report.page.contains("<svg class=\"chart\""))
    }
}
