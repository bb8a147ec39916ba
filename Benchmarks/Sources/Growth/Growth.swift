import ArgumentParser
import Foundation
import TestSupport

/// `make growth`: what takes more in a larger library.
struct Growth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Count what functions, routes, pages and reports take in libraries of several sizes.",
        discussion: """
            A page takes the same in a library of any size, a list what its rows take. Exits with 1 where something grows more \
            than \(GrowthExcess.most) times from one library to one ten times as large and is not in the list of excesses, and \
            where something in that list does not grow any more.
            """)

    /// The sizes for which the list of excesses says what is known.
    private static let usual = "3,4,5"

    @Option(help: "The sizes, as powers of ten, by commas.")
    var decades = Growth.usual

    @Option(help: "How often each is measured for its time; 0: count alone.")
    var runs = 3

    @Option(help: "Only what has this in its name.")
    var only: String?

    @Option(help: "Only these, by commas: \(GrowthUnit.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var kinds: String?

    @Option(help: "Where the libraries are: \(MeasuredStore.allCases.map(\.rawValue).joined(separator: ", ")).")
    var store = MeasuredStore.sqlite.rawValue

    @Option(help: "The list of known excesses; without it that of the store.")
    var excesses: String?

    @Option(help: "Where the table goes.")
    var tsv: String?

    @Option(help: "Where the page with plots goes.")
    var html: String?

    func validate() throws { _ = (try sizes(), try units(), try measuredStore()) }

    func run() async throws {
        let (store, place) = (try measuredStore(), try measuredStore() == .sqlite ? "" : "-\(store)")
        let excesses = excesses ?? Bench.package.appendingPathComponent("Benchmarks/excesses\(place).tsv").path
        let tsv = tsv ?? Bench.buildFolder.appendingPathComponent("growth\(place).tsv").path
        let html = html ?? Bench.buildFolder.appendingPathComponent("growth\(place).html").path
        let known = try GrowthExcessList(text: String(contentsOfFile: excesses, encoding: .utf8), file: excesses)
        let units = try units()
        let sizes = try sizes()
        let server = store == .postgres ? try PostgresServer(settings: BlockCounter.settings) : nil
        defer { server?.stop() }
        let (curves, failed) = try await Self.measure(
            units, sizes: sizes, runs: runs, folder: Bench.buildFolder, server: server)
        let found = curves.flatMap { GrowthExcess.found(in: $0) } + failed
        let report = GrowthReport(curves: curves, excesses: found, known: known)
        try report.tsv.write(toFile: tsv, atomically: true, encoding: .utf8)
        try report.page.write(toFile: html, atomically: true, encoding: .utf8)
        print("\(curves.count) units, \(found.count) excesses: \(tsv), \(html)")
        // In smaller libraries lists are not full, in larger ones some are full at last.
        let measured = decades == Self.usual ? Set(units.map(\.name)) : []
        let faults = known.faults(found, measured: measured, withCPU: runs > 0)
        for fault in faults { print(fault) }
        if !faults.isEmpty { throw ExitCode(1) }
    }

    /// What each unit takes in each library, made in the folder, and what could not be measured.
    static func measure(
        _ units: [GrowthUnit], sizes: [Int], runs: Int, folder: URL, server: PostgresServer? = nil
    ) async throws -> (curves: [GrowthCurve], failed: [GrowthExcess]) {
        var failed: [GrowthExcess] = []
        var curves = units.map { GrowthCurve(kind: $0.kind.rawValue, unit: $0.name, figures: []) }
        for size in sizes {
            let library = try GrownLibrary(titles: size, folder: folder, on: server)
            for (place, unit) in units.enumerated() where !failed.contains(where: { $0.unit == unit.name }) {
                do {
                    var figure = try await GrowthFigure.measure(unit, library, size: size, runs: runs)
                    if runs == 0 { figure.cpu = 0 }
                    curves[place].figures.append(figure)
                } catch {
                    failed.append(GrowthExcess(unit: unit.name, failure: "\(error), with \(size) titles"))
                }
            }
            try library.close()
        }
        return (curves.filter { $0.figures.count == sizes.count }, failed)
    }

    private func measuredStore() throws -> MeasuredStore {
        guard let store = MeasuredStore(rawValue: store) else {
            throw ValidationError("--store takes \(MeasuredStore.allCases.map(\.rawValue).joined(separator: " or ")).")
        }
        return store
    }

    private func sizes() throws -> [Int] { try Self.sizes(decades) }

    /// How many titles there are in libraries of these powers of ten.
    static func sizes(_ decades: String) throws -> [Int] {
        try decades.split(separator: ",").map { word in
            guard let power = Int(word), (2...7).contains(power) else {
                throw ValidationError("--decades takes numbers from 2 to 7, by commas.")
            }
            return (0..<power).reduce(1) { size, _ in size * 10 }
        }.sorted()
    }

    private func units() throws -> [GrowthUnit] {
        let wanted = try kinds?.split(separator: ",").map { word in
            guard let kind = GrowthUnit.Kind(rawValue: String(word)) else {
                throw ValidationError(
                    "--kinds takes \(GrowthUnit.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return kind
        }
        return GrowthUnit.all.filter { unit in
            (wanted?.contains(unit.kind) ?? true) && (only.map(unit.name.contains) ?? true)
        }
    }
}
