import ArgumentParser
import Circulation
import Desk
import Scripting
import Storage
import TextFormats
import Threads
import Workbench

/// `moonshelf policy shadow FILE`
struct PolicyShadowCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "shadow",
        abstract: "Let a policy decide beside the one in force, and show what it decides otherwise.",
        discussion: """
            With FILE, that policy stands beside the one in force from now on: what is decided in the library, by whatever \
            process, is put to it as well, with the same facts, a moment later. Its answers change nothing. 'serve' and \
            'schedule watch' look on, and so does --show, which lists what it decides otherwise; a failure of it is such a \
            difference too. The latest 1000 differences are kept, by their places in the decision log. Without FILE, as --show.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The policy.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var file: String?

    @Option(help: ArgumentHelp("Why, for those who see it.", valueName: "WHY"))
    var note = ""

    @Flag(help: "List what it decides otherwise, the latest last.")
    var show = false

    @Flag(help: "Go on showing what it decides otherwise, as it happens, until this is stopped.")
    var follow = false

    @Option(help: ArgumentHelp("Show the latest so many.", valueName: "COUNT"))
    var limit = 100

    @Flag(help: "Take it away, with what is known of its differences.")
    var stop = false

    @Flag(help: "Answer in JSON; with --follow a line for each difference.") var json = false

    func validate() throws {
        if file != nil && (show || follow || stop) || stop && (show || follow) {
            throw ValidationError("Give one of FILE, --show and --stop.")
        }
        if file == nil && !note.isEmpty { throw ValidationError("--note goes with FILE.") }
        if !(0...ShadowProgress.mostKept).contains(limit) {
            throw ValidationError("--limit is 0 to \(ShadowProgress.mostKept).")
        }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.writing)
        let console = workplace.console
        if let file {
            let bundle = try workplace.policy(file: file).bundle
            let shadow = try desk.write { try $0.shadow.begin(bundle, note: note) }.orFailure(in: file)
            return tell("beside the one in force", shadow, console)
        }
        if stop { return tell("taken away", try desk.write { try $0.shadow.end() }.orFailure(), console) }
        return try list(desk, console)
    }

    private func tell(_ word: String, _ shadow: ShadowPolicy, _ console: Console) -> ExitStatus {
        if json {
            console.print(json: [
                "policy": .string(shadow.policy), "name": .string(shadow.name), "note": .string(shadow.note),
                "since": .string(shadow.since.description),
            ])
        } else {
            console.print(SafeText.line("\(word): \(shadow.policy.prefix(12))  \(shadow.name)"))
        }
        return .done
    }

    private func list(_ desk: Desk, _ console: Console) throws -> ExitStatus {
        _ = try desk.followShadow()
        guard let report = try desk.read({ try ShadowReport($0, limit: limit) }) else {
            if json { console.print(json: .null) } else { console.print("No policy stands beside the one in force.") }
            return .refused
        }
        if json && !follow {
            console.print(json: report.json)
            return .done
        }
        print(report, console)
        if !json { console.print(SafeText.line(report.summary)) }
        return follow ? try watch(desk, console, after: report) : .done
    }

    private func print(_ report: ShadowReport, _ console: Console) {
        for difference in report.differences {
            console.print(json ? report.json(difference).text() : SafeText.line(report.line(difference)))
        }
    }

    private func watch(_ desk: Desk, _ console: Console, after report: ShadowReport) throws -> ExitStatus {
        let stop = StopSignals.ofCommand
        StopSignals.listen(for: .command)
        var place = report.progress.position
        while stop.wait(.seconds(1)) {
            _ = try desk.followShadow { stop.signal != nil }
            guard let report = try desk.read({ try ShadowReport($0, after: place) }) else {
                console.note("It stands there no more.")
                return .done
            }
            print(report, console)
            place = report.progress.position
        }
        return stop.signal.map { ExitStatus(signal: $0) } ?? .done
    }
}

/// Has the policy beside the one in force decide what was decided, beside a process that goes on.
enum ShadowWorker {
    /// - Throws: ``CommandFailure`` where the system grants no thread.
    static func begin(_ desk: Desk, _ workplace: Workplace) throws -> WorkerThread {
        let lines = LineSink(workplace.console)
        let stop = StopSignals.ofCommand
        // Those who lend meanwhile do not wait for a commit of its own.
        let desk = desk.sharingCommits()
        let thread = WorkerThread(name: "shadow") {
            var said = ""
            repeat {
                do {
                    _ = try desk.followShadow { stop.signal != nil }
                    said = ""
                } catch {
                    let words = CommandFailure(error).words
                    // What goes on being wrong is said once.
                    if words != said { lines.note("shadow: \(words)") }
                    said = words
                }
            } while stop.wait(.seconds(1))
        }
        guard let thread else {
            throw CommandFailure(.tryAgain, code: "no_thread", message: "The system grants no thread for the shadow.")
        }
        return thread
    }
}
