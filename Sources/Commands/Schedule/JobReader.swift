import ArgumentParser
import Circulation
import Foundation
import LuaSyntax
import Outbound
import Reports
import Schedule
import Scripting
import TOMLKit
import TextFormats

/// Reads one of the tables `[[jobs]]`.
struct JobReader {
    let table: TOMLTable
    let file: String
    /// Its place among the jobs, from 1 on.
    let place: Int
    /// Whether the configuration sets mail up.
    let canMail: Bool
    /// The line of a key.
    let line: (String) -> Int?

    /// Commands that a job may not run: they would wait for a person, or for the scheduler itself.
    private static let unfit = ["repl", "schedule", "help", "man"]
    private static let known = [
        "name", "cron", "every", "zone", "script", "command", "arguments", "capabilities", "format", "output", "branch",
        "time_limit", "memory_limit", "cpu_limit", "address_space", "catch_up", "mail_to", "mail_on_failure",
    ]

    func failure(_ key: String, _ words: String) -> CommandFailure {
        let name = table["name"]?.string.map { "job '\($0)'" } ?? "job \(place)"
        return CommandFailure(
            .wrongUsage, code: "configuration", message: "\(name), '\(key)': \(words).", file: file, line: line(key))
    }

    func job() throws(CommandFailure) -> ScheduledJob {
        for key in table.keys where !Self.known.contains(key) {
            let nearest = NameSuggestion.nearest(to: key, among: Self.known).map { "; did you mean '\($0)'?" }
            throw failure(
                key, "there is no such key\(nearest ?? "; there are " + Self.known.joined(separator: ", "))")
        }
        let name = try name()
        for key in ScheduledJob.timingKeys + ["cpu_limit"] { _ = try text(key) }
        var job: ScheduledJob
        do throws(JobFault) {
            job = try ScheduledJob(name: name) { table[$0]?.string }
            if let limit = table["cpu_limit"]?.string {
                job.processorLimit = try ScheduledJob.seconds(limit, of: "cpu_limit")
            }
        } catch {
            throw failure(error.key, error.words)
        }
        job.report = try report(name)
        job.arguments = try arguments(job.report)
        if let amount = try text("address_space") {
            guard let bytes = try? ScriptSettings.bytes(amount), bytes >= 512 << 20 else {
                throw failure("address_space", "'\(amount)' is not an amount from 512M on; expected one such as 2G")
            }
            job.addressSpace = Int64(bytes)
        }
        job.mailTo = try addresses("mail_to")
        job.mailOnFailure = try addresses("mail_on_failure")
        job.warning = warning()
        return job
    }

    private func name() throws(CommandFailure) -> String {
        guard let name = try text("name"), !name.isEmpty else {
            throw failure("name", "is missing; each job has one of its own")
        }
        guard name.unicodeScalars.count <= 60 && name == SafeText.line(name) else {
            throw failure("name", "must have at most 60 characters, none of them for control")
        }
        guard PluginPart(name) == nil else {
            throw failure("name", "'\(name)' would be the name of a plugin's job; expected one of another form")
        }
        return name
    }

    // MARK: - What is done

    /// The file that a script writes. What is mailed must be one, unless it can stand in the mail itself.
    private func report(_ name: String) throws(CommandFailure) -> String? {
        if let output = try text("output") { return output }
        guard table["script"] != nil, table["mail_to"] != nil, let format = try format(), format != .table else {
            return nil
        }
        return "reports/\(TextFolding.slug(name))-{date}-{time}.\(format.fileExtension)"
    }

    private func format() throws(CommandFailure) -> ReportOutput? {
        guard let word = try text("format") else { return nil }
        guard let format = ReportOutput(rawValue: word) else {
            let formats = ReportOutput.allCases.map(\.rawValue).joined(separator: ", ")
            throw failure("format", "'\(word)' is none; expected one of \(formats)")
        }
        return format
    }

    /// What the program is started with.
    private func arguments(_ report: String?) throws(CommandFailure) -> [String] {
        let own = try list("arguments")
        let command = try list("command")
        guard let script = try text("script") else { return try self.command(command) + own }
        guard command.isEmpty else { throw failure("command", "goes without 'script'; a job has one of them") }
        return ["run"] + (try options(report)) + [script] + own
    }

    /// A command of the program, checked.
    private func command(_ words: [String]) throws(CommandFailure) -> [String] {
        guard let name = words.first else {
            throw failure(
                "script", "is missing; expected the path of a Lua file, or command = [\"notices\", \"sweep\"]")
        }
        let commands = Moonshelf.configuration.subcommands.map { $0._commandName }.filter { !Self.unfit.contains($0) }
        guard commands.contains(name) else {
            let list = commands.joined(separator: ", ")
            throw failure("command", "'\(name)' is not a command that runs by itself; there are \(list)")
        }
        for key in ["capabilities", "format", "output", "branch", "memory_limit"] where table[key] != nil {
            throw failure(key, "goes with 'script'; give a command its options in 'command'")
        }
        return words
    }

    /// The options of a script.
    private func options(_ report: String?) throws(CommandFailure) -> [String] {
        var options: [String] = []
        if let format = try format() { options += ["--format", format.rawValue] }
        if let report { options += ["--output", report] }
        if let branch = try text("branch") { options += ["--branch", branch] }
        let capabilities = try list("capabilities")
        for capability in capabilities {
            do {
                _ = try Capability.named(capability)
            } catch {
                throw failure("capabilities", "\(error.message.trimmedOfFullStop)")
            }
        }
        if !capabilities.isEmpty { options += ["--allow", capabilities.joined(separator: ",")] }
        if let limit = try text("memory_limit") {
            guard (try? ScriptSettings.bytes(limit)) != nil else {
                throw failure(
                    "memory_limit", "'\(limit)' is not an amount of memory; expected one such as 512K, 64M or 1G")
            }
            options += ["--memory-limit", limit]
        }
        return options
    }

    /// What will keep the job from running unless it is corrected: reported early, and without stopping other jobs.
    private func warning() -> String? {
        guard let script = table["script"]?.string, PluginPart(script) == nil else { return nil }
        let path = URL(filePath: script, relativeTo: URL(filePath: file).deletingLastPathComponent())
            .path(percentEncoded: false)
        guard let data = FileManager.default.contents(atPath: path) else { return "There is no script \(path)." }
        let source = ScriptSource(text: String(decoding: data, as: UTF8.self), name: script)
        do {
            let granted = Set(table["capabilities"]?.array?.compactMap(\.string) ?? [])
            let missing = try ScriptRunner.needs(of: source).map(\.rawValue).filter { !granted.contains($0) }.sorted()
            guard !missing.isEmpty else {
                let arguments = table["arguments"]?.array?.compactMap(\.string) ?? []
                return try ScriptRunner.fault(of: arguments, for: source).map { "\(script): \($0)." }
            }
            let words = missing.map { "\"\($0)\"" }.joined(separator: ", ")
            return "\(script) needs what the job does not allow: capabilities = [\(words)]."
        } catch {
            return CommandFailure(script: ScriptFailure(error, of: script)).words
        }
    }

    // MARK: - Values

    private func addresses(_ key: String) throws(CommandFailure) -> [String] {
        let texts: [String]
        if let text = table[key]?.string { texts = [text] } else { texts = try list(key) }
        for text in texts where MailParty(text) == nil {
            throw failure(key, "'\(text)' is not an address that mail can go to")
        }
        if !texts.isEmpty && !canMail {
            throw failure(key, "needs a table [mail] with the mail server: docs/delivery.md")
        }
        return texts
    }

    private func text(_ key: String) throws(CommandFailure) -> String? {
        guard let value = table[key] else { return nil }
        guard let text = value.string else { throw failure(key, "must be a text in quotation marks") }
        return text
    }

    private func list(_ key: String) throws(CommandFailure) -> [String] {
        guard let value = table[key] else { return [] }
        let words = "must be a list of texts, such as [\"a\", \"b\"]"
        guard let array = value.array else { throw failure(key, words) }
        var texts: [String] = []
        for entry in array {
            guard let text = entry.string else { throw failure(key, words) }
            texts.append(text)
        }
        return texts
    }
}

extension String {
    /// Without the full stop at its end, where the sentence goes on.
    fileprivate var trimmedOfFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
