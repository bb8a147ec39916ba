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
            The file holds one JSON object a line: id, source, area, given, when, expect. Exits with 0 when it ran, with 1 \
            if fewer facts hold than the threshold asks for, with 2 if the file holds something else.
            """)

    @Argument(help: "The file of facts; otherwise Conformance/ils_cases.jsonl.")
    var file: String?

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    @Option(help: "How many facts of a hundred must hold.")
    var threshold: Double?

    @Option(help: "Show one fact: the policy made of it, what was done, and what came of it.")
    var show: String?

    @Option(help: "Print the policy made of one fact, and nothing else.")
    var policy: String?

    func validate() throws {
        if let threshold, !(0...100).contains(threshold) { throw ValidationError("--threshold takes 0 to 100.") }
    }

    func run() throws {
        let facts = try read()
        if let id = show ?? policy {
            guard let fact = facts.first(where: { $0.id == id }) else { throw complaint("there is no fact \(id)") }
            let result = FactResult(trying: fact)
            print(show == nil ? result.policies.joined(separator: "\n") : result.details)
            return
        }
        let report = ConformanceReport(trying: facts)
        print(json ? report.json.text(pretty: true) : report.text)
        if let threshold, report.share < threshold { throw ExitCode(1) }
    }

    private func read() throws -> [Fact] {
        let path = file ?? "Conformance/ils_cases.jsonl"
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
