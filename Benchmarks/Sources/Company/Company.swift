import ArgumentParser
import Foundation
import TestSupport

/// `make company`: how long a checkout takes while others are at work.
struct Company: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "company",
        abstract: "Measure checkouts over HTTP alone and while others are at work.",
        discussion: """
            A desk lends and takes back, one copy after the other, at a server of its own, in a library made for each try. \
            Exits with 1 where the 99th percentile of a checkout is above \(Self.words(CompanyVerdict.mostAlone)) alone, or in \
            company above \(Self.words(CompanyVerdict.most)) and more than twice that alone, in each of the tries.
            """)

    @Option(help: "The titles of the library, as a power of ten.")
    var decade = 4

    @Option(help: "Only these stores, by commas: \(MeasuredStore.allCases.map(\.rawValue).joined(separator: ", ")).")
    var stores: String?

    @Option(help: "Only in this company, by commas: \(CompanyKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var only: String?

    @Option(help: "How many seconds each is measured.")
    var seconds = 3.0

    @Option(help: "How often each is measured; the best counts.")
    var tries = 3

    @Option(help: "How many readers there are.")
    var readers = 64

    @Option(help: "How many desks lend at once; only one is held against the bounds.")
    var desks = 1

    @Option(help: "Where the table goes.")
    var tsv = Bench.buildFolder.appendingPathComponent("company.tsv").path

    @Option(help: "Where the page with plots goes.")
    var html = Bench.buildFolder.appendingPathComponent("company.html").path

    func validate() throws {
        _ = (try chosen(MeasuredStore.self, stores, "--stores"), try chosen(CompanyKind.self, only, "--only"))
        guard (2...7).contains(decade) else { throw ValidationError("--decade takes 2 to 7.") }
        guard (0.1...600).contains(seconds) else { throw ValidationError("--seconds takes 0.1 to 600.") }
        guard (1...100).contains(tries) else { throw ValidationError("--tries takes 1 to 100.") }
        guard (1...100).contains(desks) else { throw ValidationError("--desks takes 1 to 100.") }
        guard (1...150).contains(readers) else { throw ValidationError("--readers takes 1 to 150.") }
    }

    func run() throws {
        let titles = (0..<decade).reduce(1) { size, _ in size * 10 }
        // What is compared with a desk that is alone needs one.
        let kinds = Set(try chosen(CompanyKind.self, only, "--only")).union([.alone])
        var figures: [CompanyFigure] = []
        for store in try chosen(MeasuredStore.self, stores, "--stores") {
            guard store == .sqlite || !PostgresServer.isMissing else {
                print("\(store.rawValue): \(PostgresServer.reason)")
                continue
            }
            let setting = try CompanySetting(store: store, titles: titles, folder: Bench.buildFolder)
            for kind in CompanyKind.allCases where kinds.contains(kind) {
                let tried = try (0..<tries).map { _ in
                    try setting.measure(kind, seconds: seconds, readers: readers, desks: desks)
                }
                if let best = tried.min(by: { $0.late < $1.late }) { figures.append(best) }
            }
        }
        let report = CompanyReport(figures: figures)
        try report.tsv.write(toFile: tsv, atomically: true, encoding: .utf8)
        try report.page.write(toFile: html, atomically: true, encoding: .utf8)
        print(report.table)
        print("\(tsv), \(html)")
        if desks == 1, figures.contains(where: { CompanyVerdict.isAbove($0, in: figures) }) { throw ExitCode(1) }
    }

    private func chosen<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type, _ words: String?, _ option: String
    ) throws -> [Choice] where Choice.RawValue == String {
        guard let words else { return Array(Choice.allCases) }
        return try words.split(separator: ",").map { word in
            guard let choice = Choice(rawValue: String(word)) else {
                let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(option) takes \(known), by commas.")
            }
            return choice
        }
    }

    private static func words(_ nanoseconds: Double) -> String { "\(Int(nanoseconds / 1_000_000)) ms" }
}
