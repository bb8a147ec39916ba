import ArgumentParser
import Foundation
import LuaRuntime
import Storage
import TextFormats

/// The command `moonshelf`.
struct Moonshelf: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moonshelf", abstract: "A scriptable circulation desk: lending rules are Lua files.",
        discussion: """
            A store holds the library; make one with 'moonshelf init'. Without --store the store is \
            $MOONSHELF_STORE, the one that moonshelf.toml names, or sqlite:moonshelf.db.
            """,
        version: "moonshelf \(Version.current)",
        subcommands: [
            InitCommand.self, ImportCommand.self, ExportCommand.self, RunCommand.self, EvalCommand.self,
            ReplCommand.self, PolicyCommand.self, PluginCommand.self, PluginAddedCommand.self, ScriptCommand.self,
            ReportCommand.self,
            PatronsCommand.self, NoticesCommand.self, OutboxCommand.self,
            ScheduleCommand.self, ServeCommand.self, LanguagesCommand.self,
            AccountCommand.self, CopyCommand.self, BackupCommand.self,
            RestoreCommand.self, DoctorCommand.self, APICommand.self, ManualCommand.self, ReportMakeCommand.self,
            PictureCommand.self,
        ])

    @OptionGroup(title: "Options of every command") var options: GlobalOptions

}

/// A command that does its work with a workplace and returns its exit status.
protocol DeskCommand: ParsableCommand {
    var root: Moonshelf { get }
    var options: GlobalOptions { get }
    /// Whether the answer is JSON, failures included.
    var answersInJSON: Bool { get }
    /// Whether Ctrl-C ends it between two statements of the store instead of anywhere.
    var stopsOrderly: Bool { get }
    /// Does the work.
    func perform(in workplace: Workplace) throws -> ExitStatus
}

extension DeskCommand {
    var answersInJSON: Bool { false }
    var stopsOrderly: Bool { false }
}

/// A command that answers in JSON where its flag says so.
protocol JSONCommand: DeskCommand {
    var json: Bool { get }
}

extension JSONCommand {
    var answersInJSON: Bool { json }
}

/// The program: one call from `main.swift`, or from a test.
package enum Program {
    /// Runs the command that the arguments name.
    ///
    /// The one place where any error turns into words and an exit status. Runs on a thread of its own, whose stack is
    /// large enough for the deepest Lua.
    package static func execute(
        _ arguments: [String], console: Console, environment: [String: String]
    ) -> Int32 {
        // A file that outgrows `ulimit -f` is an error of the write, to be reported, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        // The parent process may have blocked these signals, which a child inherits: Ctrl-C must still reach this
        // process.
        var ours = sigset_t()
        sigemptyset(&ours)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&ours, number) }
        pthread_sigmask(SIG_UNBLOCK, &ours, nil)
        do {
            return try LuaThread.run(stack: 16 << 20) {
                run(arguments, console: console, environment: environment).rawValue
            }
        } catch {
            console.note("moonshelf: no thread could be made to work on: \(error)")
            return ExitStatus.internalFault.rawValue
        }
    }

    private static func run(_ arguments: [String], console: Console, environment: [String: String]) -> ExitStatus {
        let command: any ParsableCommand
        do {
            command = try Moonshelf.parseAsRoot(arguments)
        } catch {
            return answerParser(error, console: console)
        }
        guard let command = command as? any DeskCommand else {
            var command = command
            do {
                try command.run()
                return .done
            } catch {
                return answerParser(error, console: console)
            }
        }
        return perform(command, console: console, environment: environment)
    }

    private static func perform(
        _ command: any DeskCommand, console: Console, environment: [String: String]
    ) -> ExitStatus {
        if command.stopsOrderly { StopSignals.listen() }
        let workplace = Workplace(
            options: command.options.over(command.root.options), console: console, environment: environment)
        var job: JobInHand?
        let status = answering(command, console: console) {
            job = try JobInHand(workplace)
            return try command.perform(in: workplace)
        }
        job?.end(status)
        return status
    }

    /// Runs the body and reports what it throws.
    private static func answering(
        _ command: any DeskCommand, console: Console, _ body: () throws -> ExitStatus
    ) -> ExitStatus {
        do {
            let status = try body()
            if console.outputFailed {
                throw CommandFailure(.cannotWrite, code: "cannot_write", message: "Standard output cannot be written.")
            }
            return status
        } catch let error as CleanExit {
            return answerParser(error, console: console)
        } catch let error as ValidationError {
            return answerParser(error, console: console)
        } catch {
            var failure = CommandFailure(error)
            if failure.code == "interrupted" {
                if let signal = StopSignals.request.signal {
                    failure = .stopped(by: signal)
                } else if Interruption.signal != 0 {
                    failure.status = ExitStatus(signal: Interruption.signal)
                }
            }
            console.endProgress()
            console.note(command.answersInJSON ? failure.json.text() : failure.text)
            return failure.status
        }
    }

    /// Help goes to standard output, a wrong usage to standard error.
    private static func answerParser(_ error: any Error, console: Console) -> ExitStatus {
        let text = ParserWords.text(for: error, columns: console.output.width)
        if Moonshelf.exitCode(for: error).isSuccess {
            console.print(text)
            return .done
        }
        console.note(text)
        return .wrongUsage
    }
}
