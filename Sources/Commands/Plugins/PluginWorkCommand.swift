import ArgumentParser
import Circulation
import Desk
import Plugins
import Schedule
import Scripting
import Storage
import TextFormats
import Threads

/// `moonshelf plugin run NAME --event N`
struct PluginRunCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Hand a plugin one event of the past, say what it would do, and undo it.",
        discussion: """
            PLUGIN is a folder, which has the settings of the plugin of its name that is in force, or the name of one that \
            is. Nothing is kept or sent; 'plugin retry' has an event \
            that was set aside handled.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("A plugin in force, or a folder.", valueName: "PLUGIN"))
    var name: String

    @Option(help: ArgumentHelp("The event's place in the log.", valueName: "SEQUENCE"))
    var event: Int64

    @Option(help: ArgumentHelp("Give a setting a value; repeatable.", valueName: "key=value"))
    var set: [String] = []

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let desk = try workplace.desk(.writing)
        let chosen = try ChosenPlugin(name, set: set, desk, workplace).candidate
        guard let past = try desk.read({ try $0.plugins.event(event) }) else {
            throw CommandFailure.usage("There is no event \(event).")
        }
        let outcome: PluginRehearsal.Outcome
        do {
            let rehearsal = try PluginRehearsal(
                chosen.bundle, rights: chosen.rights, settings: chosen.settings, desk: desk,
                clock: try workplace.clock())
            outcome = try rehearsal.run(past)
        } catch let fault as PluginFault {
            throw CommandFailure(fault)
        }
        show(outcome, past, console)
        return .done
    }

    private func show(_ outcome: PluginRehearsal.Outcome, _ past: Event, _ console: Console) {
        if json {
            console.print(json: [
                "event": .integer(event), "kind": .string(past.kind), "handled": .bool(outcome.isWanted),
                "printed": .array(outcome.printed.map { .string($0) }),
                "would": .array(
                    outcome.events.map { ["name": .string($0.name), "fields": $0.json(withPersonal: true)] }),
                "requests": .array(
                    outcome.requests.map {
                        ["method": .string($0.method), "url": .string($0.url), "body": .string($0.body)]
                    }),
            ])
            return
        }
        guard outcome.isWanted else {
            return console.print("The plugin leaves event \(event), \(past.kind), alone.")
        }
        for line in outcome.lines { console.print(SafeText.lines(line)) }
    }
}

/// `moonshelf plugin work`
struct PluginWorkCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Carry the plugins out, until it is stopped.",
        discussion: """
            'serve' and 'schedule watch' do the same beside their own work. Several may run at once, on several machines: \
            each event of a plugin is in the hands of one. With --until-done it does what waits and ends: with 1 if \
            something failed.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Do what waits, then end.")
    var untilDone = false

    @Flag(help: "Answer in JSON; with --until-done.")
    var json = false

    var answersInJSON: Bool { json }

    func validate() throws {
        if json && !untilDone { throw ValidationError("--json goes with --until-done.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let stop = StopSignals.ofCommand
        StopSignals.listen(for: .command)
        let console = workplace.console
        let desk = try workplace.desk(.writing)
        let running = try PluginRunning(desk, workplace, shows: !json) { [json] line in
            if json { return }
            console.print(line)
        } note: {
            console.note($0)
        }
        guard untilDone else {
            console.print("Working; Ctrl-C ends it.")
            let outbox = try OutboxWorker.begin(desk, workplace)
            running.watch(stop)
            outbox.join()
            return stop.signal.map { ExitStatus(signal: $0) } ?? .done
        }
        var all = PluginWork()
        while stop.signal == nil {
            let work = try running.work(stop)
            all.add(work)
            guard work.isElsewhere, stop.wait(.milliseconds(200)) else { break }
        }
        let sent = try OutboxWorker(desk, workplace).work { stop.signal != nil }
        for problem in all.problems + sent.problems { console.note(SafeText.line(problem)) }
        if json {
            console.print(json: [
                "handled": .integer(all.handled), "put_off": .integer(all.putOff), "set_aside": .integer(all.setAside),
                "next": all.next.map { .string($0.description) } ?? .null,
                "sent": .integer(sent.sent), "problems": .array((all.problems + sent.problems).map { .string($0) }),
            ])
        } else {
            console.print(PluginRunning.words(all))
            if !sent.isIdle { console.print("outbox: \(sent.words).") }
        }
        if let signal = stop.signal { return ExitStatus(signal: signal) }
        return all.putOff + all.setAside > 0 || !(all.problems + sent.problems).isEmpty ? .refused : .done
    }
}

/// Carries plugins out in this process.
final class PluginRunning {
    private let worker: PluginWorker
    private let say: (String) -> Void
    private let note: (String) -> Void

    /// - Parameters:
    ///   - desk: of the one store that this process has open.
    ///   - shows: whether what handlers print is shown.
    ///   - say: takes what was done.
    ///   - note: takes what went wrong, and what handlers log.
    init(
        _ desk: Desk, _ workplace: Workplace, shows: Bool, say: @escaping (String) -> Void,
        note: @escaping (String) -> Void
    ) throws {
        let clock = try workplace.clock()
        let me = JobOwner.ofThisProcess
        // Who lends meanwhile waits for the handler, and not for a commit of its own as well.
        worker = PluginWorker(
            desk: desk.sharingCommits(), clock: clock,
            identity: .init(owner: me.text, machine: SystemClock()) { me.presence(of: $0) },
            output: PluginOutput(print: shows ? say : { _ in }, note: note))
        self.say = say
        self.note = note
    }

    /// Does what is due now.
    func work(_ stop: StopRequest) throws -> PluginWork { try worker.work { stop.signal != nil } }

    /// Works until it is stopped.
    func watch(_ stop: StopRequest) {
        worker.watch(isStopped: { stop.signal != nil }, wait: { stop.wait($0) }) { [self] work in
            for problem in work.problems { note(SafeText.line(problem)) }
            if !work.isIdle { say("plugins: \(Self.words(work))") }
        }
    }

    /// Works beside this thread, until it is stopped, sends what plugins leave in the outbox, and has the policy beside the one
    /// in force decide.
    ///
    /// - Throws: ``CommandFailure`` where the system grants no thread.
    static func begin(_ desk: Desk, _ workplace: Workplace) throws -> [WorkerThread] {
        let lines = LineSink(workplace.console)
        let running = try PluginRunning(desk, workplace, shows: false) {
            lines.print($0)
        } note: {
            lines.note($0)
        }
        let stop = StopSignals.ofCommand
        guard let thread = WorkerThread(name: "plugins", { running.watch(stop) }) else {
            throw CommandFailure(.tryAgain, code: "no_thread", message: "The system grants no thread for plugins.")
        }
        return [thread, try OutboxWorker.begin(desk, workplace), try ShadowWorker.begin(desk, workplace)]
    }

    static func words(_ work: PluginWork) -> String {
        "\(work.handled) handled, \(work.putOff) put off, \(work.setAside) set aside"
            + (work.next.map { "; the next is tried again at \($0)." } ?? ".")
    }
}

/// What plugins print and log, line by line.
final class PluginOutput: ScriptOutput {
    let showsLines = true
    private let out: (String) -> Void
    private let note: (String) -> Void

    init(print: @escaping (String) -> Void, note: @escaping (String) -> Void) {
        out = print
        self.note = note
    }

    func print(_ line: String) { out(SafeText.lines(line)) }
    func log(_ level: ScriptLogLevel, _ line: String) { note("\(level.rawValue): \(SafeText.line(line))") }
    func progress(_ done: Int64, of total: Int64?) {}
}
