import ArgumentParser
import Foundation

/// What is measured of the program, and of no machine.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks", abstract: "Measure the program.",
        subcommands: [Speeds.self, Checkouts.self, Growth.self, Company.self],
        defaultSubcommand: Speeds.self)
}

/// `make bench`: speeds of ours, each with its floor measured in the same run.
struct Speeds: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speeds",
        abstract: "Measure speeds, each against the same work with nothing around it, in the same run.",
        discussion: "Exits with 1 if a ratio is above its bound.")

    @Option(help: "How many checkouts and how many decisions to measure.")
    var rounds = 2_000

    @Option(help: "Measure only this: \(Speeds.names.joined(separator: ", ")).")
    var only: String?

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(rounds) else { throw ValidationError("--rounds takes 1 to 10000.") }
        if let only, !Speeds.names.contains(only) {
            throw ValidationError("--only takes one of: \(Speeds.names.joined(separator: ", ")).")
        }
    }

    func run() throws {
        let bench = Bench(size: .full, rounds: rounds, folder: Bench.buildFolder)
        var figures: [Figure] = []
        for (name, measure) in Speeds.all where only == nil || only == name {
            figures += try measure(bench)
        }
        print(json ? FigureReport.json(figures) : FigureReport.table(figures))
        if figures.contains(where: \.isAboveBound) { throw ExitCode(1) }
    }

    private static let all: [(name: String, measure: @Sendable (Bench) throws -> [Figure])] = [
        ("policy", PolicyBenchmark.measure),
        ("decision", DecisionBenchmark.measure),
        ("checkout", CheckoutBenchmark.measure),
        ("shadow", ShadowBenchmark.measure),
        ("replay", ReplayBenchmark.measure),
        ("sweep", SweepBenchmark.measure),
        ("search", SearchBenchmark.measure),
        ("start", StartBenchmark.measure),
        ("server", ServerCheckoutBenchmark.measure),
        ("plugin", PluginBenchmark.measure),
        ("proof", ProofBenchmark.measure),
    ]

    static var names: [String] { all.map(\.name) }
}
