import ArgumentParser
import Circulation
import Desk
import Plugins
import TextFormats

/// `moonshelf plugin failures [NAME]`
struct PluginFailuresCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "failures",
        abstract: "The events that plugins could not handle, with the error of each, and errors of what they add.",
        discussion: """
            Of a route, a page, a job, a command and a channel the last error is kept, until another version comes into force \
            or 'plugin retry'. Ends with 1 if there are any.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("Of one plugin.", valueName: "NAME"))
    var name: String?

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let failures = try workplace.desk(.reading).read { session in
            let names =
                try name.map { [try InForce($0, session).parts.plugin.name] }
                ?? session.plugins.list().map(\.name)
            return try names.flatMap { try session.plugins.failures(of: $0) }
        }
        if json {
            console.print(json: .array(failures.map(Self.json)))
        } else if failures.isEmpty {
            console.print("No event was set aside, and nothing failed that was called.")
        }
        for failure in failures where !json {
            let again = failure.isAsked ? ", to be tried again" : ""
            let what =
                failure.isCall
                ? "\(failure.kind), last at \(failure.failedAt)"
                : "event \(failure.event), \(failure.kind), tried \(failure.tries) times\(again)"
            console.print(SafeText.line("\(failure.plugin): \(what): \(failure.fault)"))
            if let trace = failure.fault.trace {
                for line in trace.split(separator: "\n") { console.print(SafeText.line("    \(line)")) }
            }
        }
        return failures.isEmpty ? .done : .refused
    }

    private static func json(_ failure: PluginFailure) -> JSON {
        let fault = failure.fault
        return [
            "plugin": .string(failure.plugin), "event": failure.isCall ? .null : .integer(failure.event),
            "kind": .string(failure.kind),
            "tries": .integer(failure.tries), "sha256": .string(failure.sha256), "code": .string(fault.code),
            "message": .string(fault.message), "file": fault.file.map { .string($0) } ?? .null,
            "line": fault.line.map { .integer($0) } ?? .null, "trace": fault.trace.map { .string($0) } ?? .null,
            "failed_at": .string(failure.failedAt.description), "is_asked": .bool(failure.isAsked),
        ]
    }
}

/// `moonshelf plugin retry NAME`
struct PluginRetryCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Have events that were set aside tried once more, by the version in force.",
        discussion: """
            They are tried with the next work of the plugin, before what is new. Errors of what was called are forgotten: \
            callers try again by themselves.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("Only this event; otherwise all that were set aside.", valueName: "SEQUENCE"))
    var event: Int64?

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let count = try workplace.desk(.writing).write { try $0.plugins.retry(name, event: event) }.orFailure()
        if json {
            workplace.console.print(json: ["count": .integer(count)])
        } else {
            workplace.console.print("\(count) \(count == 1 ? "event is" : "events are") tried again.")
        }
        return .done
    }
}
