import ArgumentParser
import Circulation
import Desk
import Storage
import TextFormats

/// `moonshelf doctor`
struct DoctorCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check that the tables are what the events tell, and what else must hold.",
        discussion: """
            Changes nothing. Failures of policies are listed; they break nothing. With --checkpoint a run that was broken \
            off is gone on with, and a later run looks at the events that came since; the tables are compared whole.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Answer in JSON.") var json = false

    @Option(
        help: ArgumentHelp(
            "The end of the log from an earlier 'doctor --json': it must still be part of the log.",
            valueName: "SEQUENCE:HASH"))
    var anchor: [String] = []

    @Option(
        help: ArgumentHelp("The file in which to keep how far it is with the events.", valueName: "PATH"),
        completion: .file())
    var checkpoint: String?
    var stopsOrderly: Bool { true }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let anchors = try anchor.map(DoctorCommand.link)
        // Report now what would keep a server from starting.
        _ = try workplace.servingSettings()
        let report = try workplace.desk(.reading).examine(anchors: anchors, checkpoint: checkpoint)
        let console = workplace.console
        if json {
            console.print(json: DoctorCommand.json(report))
        } else {
            for broken in report.broken {
                console.print(
                    SafeText.line("\(broken.invariant): \(broken.table) \(broken.id): \(broken.message)"))
            }
            for failure in report.failures {
                console.print(
                    SafeText.line(
                        "note: a policy failed at \(failure.at), asked for \(failure.point): \(failure.message)"))
            }
            console.print(report.isSound ? "The store is sound." : "\(report.broken.count) things are broken.")
        }
        return report.isSound ? .done : .refused
    }

    private static func link(_ text: String) throws -> EventChain.Link {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = Int64(parts[0]), sequence > 0, parts[1].utf8.count == 64 else {
            throw CommandFailure.usage(
                "'--anchor \(text)' is not SEQUENCE:HASH, as 'doctor --json' tells it in 'head'.")
        }
        return EventChain.Link(sequence: sequence, hash: parts[1].lowercased())
    }

    private static func json(_ report: DoctorReport) -> JSON {
        [
            "ok": .bool(report.isSound), "head": .string("\(report.head.sequence):\(report.head.hash)"),
            "broken": .array(
                report.broken.map {
                    [
                        "invariant": .string($0.invariant), "table": .string($0.table), "id": .string($0.id),
                        "message": .string($0.message),
                    ]
                }),
            "policy_failures": .array(
                report.failures.map {
                    [
                        "event": .integer($0.event), "at": .string($0.at.description), "point": .string($0.point),
                        "policy": .string($0.policy), "message": .string($0.message),
                    ]
                }),
        ]
    }
}
