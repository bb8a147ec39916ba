import ArgumentParser
import Foundation
import LuaRuntime
import Reports
import Scripting

extension ReportOutput: ExpressibleByArgument {}

/// What `run` and `eval` have in common.
struct ScriptSettings: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Allow what the script needs, such as loans.write; repeatable, or with commas.", valueName: "CAPABILITY"),
        completion: .list(Capability.grantable.map(\.rawValue)))
    var allow: [String] = []

    @Option(help: ArgumentHelp("Which sandbox: script, or policy for the smaller one.", valueName: "PROFILE"))
    var profile: ScriptProfile = .script

    @OptionGroup var answer: AnswerSettings

    /// What was granted, each name checked.
    func capabilities() throws -> Set<Capability> {
        var granted: Set<Capability> = []
        for name in allow.flatMap({ $0.split(separator: ",") }) where !name.isEmpty {
            do {
                granted.insert(try Capability.named(name.trimmingCharacters(in: .whitespaces)))
            } catch {
                throw CommandFailure.usage("--allow: \(error.message)")
            }
        }
        return granted
    }

    /// `200ms`, `5s`, `2m`.
    static func duration(_ text: String) throws -> Duration {
        let units: [(String, Int64)] = [("ms", 1), ("s", 1_000), ("m", 60_000)]
        for (unit, milliseconds) in units where text.hasSuffix(unit) {
            if let count = Int64(text.dropLast(unit.count)), (1...86_400_000).contains(count) {
                return .milliseconds(count * milliseconds)
            }
            break
        }
        throw CommandFailure.usage("--time-limit: '\(text)' is not a time; expected 200ms, 5s or 2m.")
    }

    /// `512K`, `64M`, `1G`.
    static func bytes(_ text: String) throws -> Int {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        if let unit = text.uppercased().last, let factor = factors[unit], let count = Int(text.dropLast()),
            (1...1_000_000).contains(count), count <= (64 << 30) / factor
        {
            return count * factor
        }
        throw CommandFailure.usage("--memory-limit: '\(text)' is not an amount of memory; expected 512K, 64M or 1G.")
    }
}

/// What a run of a script, or of what a plugin adds, may use up, and how its answer is written.
struct AnswerSettings: ParsableArguments {
    @Option(help: ArgumentHelp("End the script after so much of its processor time.", valueName: "200ms"))
    var timeLimit: String?

    @Option(help: ArgumentHelp("End the script when it uses more memory.", valueName: "64M"))
    var memoryLimit: String?

    @Flag(help: "Do everything, show what would change, and undo it; nothing is sent or queued.")
    var dryRun = false

    @Option(help: ArgumentHelp("The branch to work at, instead of the first.", valueName: "BRANCH"))
    var branch: String?

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp(
            "How the answer is written: table, json, csv, md, html or pdf; otherwise as the file's name says, or as table.",
            valueName: "FORMAT"))
    var chosenFormat: ReportOutput?

    @Option(
        help: ArgumentHelp("Write the answer to a file, which is replaced once it is whole.", valueName: "FILE"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Mail the answer as a file, by the mail server of moonshelf.toml; repeatable.", valueName: "ADDRESS"))
    var mail: [String] = []

    /// How the answer is written. What cannot be was refused before.
    var format: ReportOutput { (try? form()) ?? .table }

    private func form() throws -> ReportOutput? {
        try FileEnding.form(of: output, chosen: chosenFormat, endings: FileEnding.reports)
    }

    func validate() throws { _ = try form() }

    /// - Throws: `ValidationError` where a flag `--json` stands beside another form.
    func check(_ json: Bool) throws {
        if json, format != .table, format != .json { throw ValidationError("Give --json or --format, not both.") }
    }

    /// The same where a flag `--json` stands for the form.
    func answering(inJSON json: Bool) -> AnswerSettings {
        var settings = self
        if json { settings.chosenFormat = .json }
        return settings
    }

    func limits() throws -> LuaLimits {
        var limits = LuaLimits.script
        if let timeLimit { limits.deadline = try ScriptSettings.duration(timeLimit) }
        if let memoryLimit { limits.memory = try ScriptSettings.bytes(memoryLimit) }
        return limits
    }
}

/// The sandboxes that a person may ask for.
enum ScriptProfile: String, ExpressibleByArgument, CaseIterable {
    case script, policy
}
