import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf policy prune`
struct PolicyPruneCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Take old decisions out of the log by which they are explained and replayed.",
        discussion: """
            The log keeps the case of every decision with all its facts, and grows with each checkout. What was decided \
            stays as it is: loans, fees and events, which 'doctor' still proves. 'policy replay' and 'loans.explain' have \
            nothing to say about what was taken out.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(
        help: ArgumentHelp("Decisions older than this, such as P2Y, P18M, P52W or P400D.", valueName: "AGE"))
    var olderThan: String?

    @Option(help: ArgumentHelp("Decisions before this day.", valueName: "DATE"))
    var before: String?

    @Flag(help: "Say how many there are, and take out none.")
    var dryRun = false

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        guard (olderThan == nil) != (before == nil) else {
            throw ValidationError("Give --older-than or --before.")
        }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(dryRun ? .reading : .writing)
        let moment = try desk.read { try self.moment($0) }
        let count: Int64
        if dryRun {
            count = try desk.read { try $0.policies.countDecisions(before: moment) }
        } else {
            count = try desk.pruneDecisions(before: moment).orFailure().count
        }
        if json {
            workplace.console.print(json: [
                "before": .string(moment.description), "decisions": .integer(count), "dry_run": .bool(dryRun),
            ])
        } else {
            let verb = dryRun ? "would be taken out" : "taken out"
            workplace.console.print("\(count) decisions before \(moment) \(verb).")
        }
        return .done
    }

    private func moment(_ session: DeskSession) throws -> Instant {
        let zone = try session.settings.library().zone
        if let before { return try PolicyUseCommand.instant(before, in: zone, of: "--before") }
        let text = olderThan ?? ""
        guard let age = Self.age(text), age.count > 0, age.unit != .openDays,
            let back = try? Period(-age.count, age.unit).added(to: session.now, in: zone, calendar: .alwaysOpen)
        else { throw CommandFailure.usage("--older-than: '\(text)' is not an age; expected one such as P2Y or P400D.") }
        return back
    }

    /// A period, in years too.
    private static func age(_ text: String) -> Period? {
        guard text.hasPrefix("P"), text.hasSuffix("Y") else { return try? Period(parsing: text) }
        guard let years = Int64(text.dropFirst().dropLast()), (1...1_000).contains(years) else { return nil }
        return .months(years * 12)
    }
}
