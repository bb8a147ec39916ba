import ArgumentParser
import ForeignFacts
import Foundation
import TextFormats

/// `make conformance`: what the tests of other library systems expect, put to this desk.
@main
struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Put facts about other library systems to the desk, each under a policy of its own.",
        discussion: """
            A file holds one JSON object a line, in the schema that --schema prints, or in the words of another system: id, \
            source, area, given, when, expect. Exits with 0 when it ran, with 1 if fewer facts hold than the threshold \
            asks for, with 2 if a file holds something else.
            """)

    @Argument(
        help: "Files of facts; otherwise Conformance/ils_cases.jsonl and those of Conformance/Foreign and /Neutral.")
    var files: [String] = []

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    @Option(help: "How many facts of a hundred must hold.")
    var threshold: Double?

    @Option(help: "Show one fact: the policy made of it, what was done, and what came of it.")
    var show: String?

    @Flag(help: "Print the schema of neutral facts: its objects, operations and results.")
    var schema = false

    @Option(help: "Print the policy made of one fact, and nothing else.")
    var policy: String?

    func validate() throws {
        if let threshold, !(0...100).contains(threshold) { throw ValidationError("--threshold takes 0 to 100.") }
    }

    func run() throws {
        if schema { return print(SchemaPage.text, terminator: "") }
        let files = try named()
        let facts = try files.map { try read($0) }
        if let id = show ?? policy {
            guard let fact = facts.joined().first(where: { $0.id == id }) else {
                throw complaint("there is no fact \(id)")
            }
            let result = FactResult(trying: fact)
            print(show == nil ? result.policies.joined(separator: "\n") : result.details)
            return
        }
        let reports = facts.map { ConformanceReport(trying: $0) }
        let all = ConformanceReport(reports.flatMap(\.results))
        if json {
            print(all.json.text(pretty: true))
        } else {
            for (file, report) in zip(files, reports) {
                print(files.count > 1 ? "\(file)\n\(report.text)\n" : report.text)
            }
        }
        if let threshold, all.share < threshold { throw ExitCode(1) }
    }

    private func named() throws -> [String] {
        if !files.isEmpty { return files }
        let facts = ["Conformance/Foreign", "Conformance/Neutral"].flatMap { folder in
            let own = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return own.filter { $0.hasSuffix(".jsonl") }.sorted().map { "\(folder)/\($0)" }
        }
        return ["Conformance/ils_cases.jsonl"] + facts
    }

    private func read(_ path: String) throws -> [Fact] {
        guard let data = FileManager.default.contents(atPath: path) else { throw complaint("\(path) cannot be read") }
        do {
            return try Fact.reading([UInt8](data))
        } catch {
            throw complaint("\(path): \(error)")
        }
    }

    private func complaint(_ message: String) -> ExitCode {
        FileHandle.standardError.write(Data("conformance: \(message)\n".utf8))
        return ExitCode(2)
    }
}
