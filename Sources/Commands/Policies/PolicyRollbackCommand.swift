import ArgumentParser
import Circulation
import Desk
import Scripting
import TextFormats

/// `moonshelf policy rollback`
struct PolicyRollbackCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Put the version into force that was so before the present one.",
        discussion: "What is to come into force later stays; 'moonshelf policy cancel' takes that back.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        switch try workplace.desk(.writing).write({ try $0.policies.rollback(note: note) }) {
        case .done(let activation):
            if json {
                workplace.console.print(json: .object(PolicyVersions.json(activation, files: nil)))
            } else {
                workplace.console.print("In force: \(PolicyVersions.line(activation))")
            }
            return .done
        case .refused(let refusal):
            throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        }
    }
}

/// `moonshelf policy cancel`
struct PolicyCancelCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Take back a policy that is to come into force later.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "The beginning of its SHA-256; without it, the only one that is to come.", valueName: "VERSION"))
    var version: String?

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

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
        switch outcome {
        case .done(let activation):
            if json {
                workplace.console.print(json: .object(PolicyVersions.json(activation, files: nil)))
            } else {
                workplace.console.print("Taken back: \(PolicyVersions.line(activation))")
            }
            return .done
        case .refused(let refusal):
            throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        }
    }
}
