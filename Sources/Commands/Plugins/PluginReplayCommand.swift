import ArgumentParser
import Circulation
import Desk
import LuaSyntax
import Plugins
import Reports
import Schedule
import Scripting
import TextFormats
import Workbench

/// `moonshelf plugin replay PLUGIN`
struct PluginReplayCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Let the library's past happen once more with a plugin in force, and say what it would have done.",
        discussion: """
            The events are folded into a scratch store, one after another; the plugin is handed those that it wants, and \
            its jobs run at their times. What it writes there stays there: the library is only read, and nothing is sent. \
            What the plugin itself did in that past is left out. Ends with 0, also where handlers failed.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("A plugin in force, or a folder.", valueName: "PLUGIN"), completion: .directory)
    var name: String

    @OptionGroup var past: PastOptions

    @Option(help: ArgumentHelp("Give a setting a value; repeatable.", valueName: "key=value"))
    var set: [String] = []

    @Flag(help: "Answer in JSON.")
    var json = false

    @Option(help: ArgumentHelp("Also write a page.", valueName: "FILE"), completion: .file())
    var html: String?

    var answersInJSON: Bool { json }
    var stopsOrderly: Bool { true }

    /// So much is shown one by one on a page.
    private static let mostOnPage = 1_000

    func validate() throws { try FileEnding.checkPage(html) }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let desk = try workplace.desk(.reading)
        let candidate = try ChosenPlugin(name, set: set, desk, workplace).candidate
        let zone = try desk.read { try $0.settings.library().zone }
        let (from, until) = try past.instants(in: zone)
        let spool = DifferenceSpool()
        var shown: [PluginDoing] = []
        defer { console.endProgress() }
        do {
            let replay = try PluginReplay(of: candidate, .init(from: from, until: until), at: desk) { job, after in
                try Self.next(of: job, after: after, in: zone)
            } progress: { events, total in
                console.progress("\(events) of \(total) events (\(total > 0 ? events * 100 / total : 100)%)")
            } tell: { doing in
                if html != nil, shown.count < Self.mostOnPage { shown.append(doing) }
                if json { return try spool.append(Array(doing.json.text().utf8)) }
                console.endProgress()
                console.print(SafeText.line("\(doing.at)  \(doing.words)"))
                for line in doing.lines { console.print("    \(SafeText.line(line))") }
            }
            console.endProgress()
            try show(replay, spool, console)
            if let html {
                let page = HTMLReport(replay.document(showing: shown)).render()
                try WholeFile.write(page: page, to: html, console)
            }
        } catch let fault as PluginFault {
            throw CommandFailure(fault)
        } catch let failure as SpoolFailure {
            throw CommandFailure.cannotSpool(failure)
        }
        return .done
    }

    /// When a job is due next, in the library's zone unless it names another.
    private static func next(of job: Contribution, after moment: Instant, in zone: Zone) throws -> Instant? {
        do {
            let scheduled = try ScheduledJob(name: job.name, arguments: [], text: job.text)
            return scheduled.timing.next(after: moment, in: scheduled.zone(of: zone))
        } catch {
            throw CommandFailure(
                .refused, code: "bad_job", message: "job '\(SafeText.line(job.name))': \(error)",
                file: PluginFolder.mainName, line: job.range.start.line)
        }
    }

    private func show(_ replay: PluginReplay, _ spool: DifferenceSpool, _ console: Console) throws {
        guard json else {
            let options = RenderOptions(
                usesColour: console.output.usesColour, width: console.output.isTerminal ? console.output.width : nil)
            return console.write(ReportFormat.table.render(replay.document(), options: options))
        }
        console.write("{\"doings\":[")
        try spool.write { console.write($0) }
        var summary = replay.counts.json
        summary["plugin"] = .string(replay.candidate.manifest.name)
        summary["version"] = .string(replay.candidate.manifest.version)
        summary["from"] = replay.period.from.map { .string($0.description) } ?? .null
        summary["until"] = replay.period.until.map { .string($0.description) } ?? .null
        console.print("]," + JSON.object(summary).text().dropFirst())
    }
}

/// The part of the past that a command looks at.
struct PastOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The first day that is asked again; without it, the first there is.", valueName: "DATE"))
    var from: String?

    @Option(help: ArgumentHelp("The last day that is asked again; without it, the last there is.", valueName: "DATE"))
    var to: String?

    /// - Throws: ``CommandFailure`` for what is no date, and for an end before the beginning.
    func instants(in zone: Zone) throws -> (from: Instant?, until: Instant?) {
        let first = try from.map { try PolicyUseCommand.instant($0, in: zone) }
        let until = try to.map { text in
            guard let last = try? CivilDate(parsing: text) else {
                return try PolicyUseCommand.instant(text, in: zone, of: "--to")
            }
            return zone.instant(of: try last.adding(days: 1), .midnight)
        }
        if let first, let until, until <= first { throw CommandFailure.usage("--to is before --from.") }
        return (first, until)
    }
}

extension CommandFailure {
    static func cannotSpool(_ failure: SpoolFailure) -> CommandFailure {
        CommandFailure(
            .cannotWrite, code: "cannot_write",
            message: "The temporary file of the replay cannot be written: \(failure.reason)")
    }
}
