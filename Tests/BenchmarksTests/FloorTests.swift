import Foundation
import TestSupport
import Testing
import benchmarks

/// That benchmarks measure what they say; never how fast it is.
@Suite("Floors")
struct FloorTests {
    private func withBench<Result>(_ body: (Bench) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("floors-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        var bench = Bench(size: .init(patrons: 60, titles: 60, openLoans: 50), rounds: 8, folder: folder)
        bench.server = { PostgresServer.isMissing ? nil : try PostgresServer.shared }
        return try body(bench)
    }

    @Test("the floor of a checkout writes the rows that a checkout writes, or there is no figure")
    func checkout() throws {
        let figures = try withBench(CheckoutBenchmark.measure)
        #expect(figures.map(\.bound) == [1.5])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
        expectOthers(figures[0])
    }

    /// That others have done the bare workload and came to the same as C did, or that it says why not.
    private func expectOthers(_ figure: Figure) {
        #expect(
            figure.beside.map { $0.name.prefix { $0 != " " } }.sorted() == ["C", "PL/pgSQL", "Redis,"],
            "\(figure.beside)")
        for other in figure.beside {
            let isMissing = other.name.hasPrefix("PL") && PostgresServer.isMissing || other.cost == nil
            #expect(isMissing ? other.note?.contains("not installed") == true : other.cost.map { $0.cpu > 0 } == true)
            #expect((figure.ratio(to: other) ?? 1) > 0)
        }
        #expect(figure.beside.first?.cost != nil)
    }

    @Test(
        "the floor of a checkout over PostgreSQL writes the rows that a checkout writes",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
    func serverCheckout() throws {
        let figures = try withBench(ServerCheckoutBenchmark.measure)
        #expect(figures.map(\.bound) == [2])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
        expectOthers(figures[0])
    }

    @Test("the floor of a decision runs the statements that a decision runs")
    func decision() throws {
        let figures = try withBench(DecisionBenchmark.measure)
        #expect(figures.map(\.bound) == [2])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
    }

    @Test("a shadow is asked about each checkout, or there is no figure")
    func shadow() throws {
        let figures = try withBench(ShadowBenchmark.measure)
        #expect(figures.map(\.bound) == [1.1])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
    }

    @Test("a replay finds in the recorded past what was recorded, or there is no figure")
    func replay() throws {
        let figures = try withBench(ReplayBenchmark.measure)
        #expect(figures.map(\.bound) == [2])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
    }

    @Test("C and Swift read the same answer from the same Lua function")
    func policy() throws {
        let figures = try withBench(PolicyBenchmark.measure)
        #expect(figures.map(\.bound) == [3, nil, nil])
    }

    @Test("the floor of a sweep writes the rows that a sweep writes, and memory is that of the command itself")
    func sweep() throws {
        let figures = try withBench(SweepBenchmark.measure)
        #expect(figures.map(\.bound) == [2, 3, 1.2])
        #expect(figures.map(\.measure) == [.cpu, .cpu, .memory])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
        expectOthers(figures[0])
        // Less than a megabyte would be no process of ours.
        #expect(figures.last.map { $0.ours.cpu > 1_048_576 } == true)
    }

    @Test("each search that is measured finds something by one query of the index")
    func search() throws {
        let figures = try withBench(SearchBenchmark.measure)
        #expect(figures.map(\.bound) == [1.5, 1.5, 1.5])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
    }

    @Test("a cold start is that of a process from its beginning to its end")
    func start() throws {
        let figures = try withBench(StartBenchmark.measure)
        #expect(figures.map(\.bound) == [.more(milliseconds: 30)])
        #expect(figures.allSatisfy { $0.ours.cpu > 0 && $0.floor.cpu > 0 })
    }

    @Test(
        "a bound is a multiple of the floor, or so many milliseconds more",
        arguments: [
            (Bound.times(2), 200.0, true), (.times(2), 201, false), (.more(milliseconds: 30), 30_000_100, true),
            (.more(milliseconds: 30), 30_000_101, false),
        ])
    func bounds(bound: Bound, ours: Double, isKept: Bool) {
        let figure = Figure(
            name: "", ours: Cost(cpu: ours, wall: 0), floor: Cost(cpu: 100, wall: 0), bound: bound)
        #expect(figure.isAboveBound == !isKept)
    }
}
