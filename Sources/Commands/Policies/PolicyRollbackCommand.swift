import ArgumentParser
import Circulation
import Desk
import Scripting
import TextFormats

/// `moonshelf policy rollback`
struct PolicyRollbackCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Put the version into force that was so before the present one.",
        discussion: "What is to come into force later stays; 'moonshelf policy cancel' takes that back.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let activation = try workplace.desk(.writing).write { try $0.policies.rollback(note: note) }.orFailure()
        return PolicyVersions.tell("In force", activation, json: json, workplace.console)
    }
}

/// `moonshelf policy cancel`
struct PolicyCancelCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Take back a policy that is to come into force later.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "The beginning of its SHA-256; without it, the only one that is to come.", valueName: "VERSION"))
    var version: String?

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let outcome = try workplace.desk(.writing).write { session in
            let upcoming = try session.policies.upcoming()
                .filter { version.map($0.policy.hasPrefix) ?? true }
            guard let first = upcoming.first else {
                throw CommandFailure(
                    .refused, code: "not_scheduled", message: "No such policy is to come into force later.")
            }
            if upcoming.count > 1 {
                let those = upcoming.map { "\n  \(PolicyVersions.line($0))" }.joined()
                throw CommandFailure.usage("Several are to come into force; give more of the version:\(those)")
            }
            return try session.policies.withdraw(first.id)
        }
        return PolicyVersions.tell("Taken back", try outcome.orFailure(), json: json, workplace.console)
    }
}
