import ArgumentParser
import Circulation
import Desk
import Foundation
import LuaRuntime
import Market
import Reports
import Scripting
import Storage
import TextFormats
import Workbench

extension ReplayPlan.Mode: ExpressibleByArgument {}

/// `moonshelf policy replay`
struct PolicyReplayCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Decide the library's past once more, by another policy, and say what would have changed.",
        discussion: """
            Recorded requests (granted and refused), renewals, returns, losses and holds are put to the candidate, each with \
            the facts as they were: the events are folded up to it, and the case that the decision log keeps is held \
            against them. With --mode candidate the past happens once more at a desk of its own: loans that the candidate \
            refuses are not there, their returns are void, and those that it alone grants come back at their due time. \
            What the sweeps would have sent and what loans would have cost is compared as well.

            Where the facts are as they were, the candidate is asked only what it can answer otherwise than the version that \
            decided: what differs between the two is found as 'moonshelf policy compare' finds it. The report is the same.

            Nothing is written. Ends with 0 whether anything differs or not, unless --fail-on-difference is given; with 3 \
            if the candidate is no policy.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The policy to try: a file, the beginning of a version's SHA-256, or 'current'.", valueName: "FILE"),
        completion: .file(extensions: ["lua"]))
    var candidate: String

    @Option(
        help: """
            'recorded' asks each request with the facts as they were; 'candidate' lets the facts follow from what the \
            candidate decided before.
            """)
    var mode = ReplayPlan.Mode.recorded

    @OptionGroup var past: PastOptions

    @Option(help: ArgumentHelp("Ask no more than so many requests, chosen by chance.", valueName: "NUMBER"))
    var sample: Int64?

    @Option(help: ArgumentHelp("With --sample: the seed of chance.", valueName: "NUMBER"))
    var seed: UInt64 = 1

    @Flag(help: "Ask the candidate also what it can only answer as it was answered.") var askAll = false

    @Flag(help: "Answer in JSON.") var json = false

    @Option(help: ArgumentHelp("Also write a page with charts.", valueName: "FILE"), completion: .file())
    var html: String?

    @Flag(help: "End with 1 if anything would have changed.")
    var failOnDifference = false
    var stopsOrderly: Bool { true }

    func validate() throws {
        try FileEnding.checkPage(html)
        if sample != nil && mode == .candidate {
            throw ValidationError("--sample goes with --mode recorded: in the other each request changes what follows.")
        }
        if let sample, sample < 1 { throw ValidationError("--sample takes a number from 1 on.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let desk = try desk(in: workplace)
        let (bundle, plan) = try desk.read { session in
            (try self.bundle(session), try self.plan(in: session.settings.library().zone))
        }
        defer { console.endProgress() }
        let replay: PolicyReplay
        do {
            replay = try PolicyReplay(of: bundle, plan, at: desk) { events, total in
                console.progress("\(events) of \(total) events (\(total > 0 ? events * 100 / total : 100)%)")
            }
            console.endProgress()
            try show(replay, on: console)
            for sentence in replay.effort { console.note("note: \(sentence)") }
        } catch let failure as SpoolFailure {
            throw CommandFailure.cannotSpool(failure)
        }
        if let html { try WholeFile.write(page: replay.page, to: html, workplace.console) }
        return failOnDifference && replay.hasDifferences ? .refused : .done
    }

    /// The desk of the store, with policies limited by instructions instead of time, so that a replay is the same on
    /// every machine.
    private func desk(in workplace: Workplace) throws -> Desk {
        let store = try workplace.store(.reading)
        let currency = try store.read { try $0.settings.library()?.currency } ?? .eur
        let limits = LuaLimits(memory: LuaLimits.policy.memory, instructions: 20_000_000)
        return Desk(
            store: store, policies: LuaPolicyLoader(currency: currency, limits: limits), clock: try workplace.clock(),
            actor: .desk, extensions: [MarketExtension()])
    }

    private func bundle(_ session: DeskSession) throws -> PolicyBundle {
        if !FileManager.default.fileExists(atPath: candidate) {
            let versions = PolicyVersions(session: session)
            if candidate == "current" {
                guard let found = try versions.find(nil) else { throw CommandFailure.usage(PolicyVersions.none) }
                return found.bundle
            }
            if let found = try versions.find(candidate) { return found.bundle }
        }
        return try ParsedPolicy(file: candidate).bundle
    }

    private func plan(in zone: Zone) throws -> ReplayPlan {
        let (first, until) = try past.instants(in: zone)
        return ReplayPlan(mode: mode, from: first, until: until, sample: sample, seed: seed, asksAll: askAll)
    }

    private func show(_ replay: PolicyReplay, on console: Console) throws {
        guard json else {
            let options = RenderOptions(
                usesColour: console.output.usesColour, width: console.output.isTerminal ? console.output.width : nil)
            return console.write(ReportFormat.table.render(replay.document, options: options))
        }
        try replay.writeJSON { console.write($0) }
        console.write("\n")
    }
}
