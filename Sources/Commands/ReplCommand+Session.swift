import ArgumentParser
import LuaRuntime
import Scripting
import Terminal

extension ReplCommand {
    /// What a session takes over from the command line.
    func commands(_ granted: Set<Capability>, in workplace: Workplace) -> [SessionCommand] {
        [
            SessionCommand(
                ":run", "SCRIPT [ARGS]", "run a report or a chore, with what this session may do", completing: .files
            ) { _, words in
                let allowed = Capability.grantable.filter(granted.contains).flatMap { ["--allow", $0.rawValue] }
                return ReplCommand.perform(["run"] + allowed + words.words, in: workplace)
            },
            SessionCommand(
                ":policy", "ACTION [FILE]",
                "show, use, check, test, explain, history, diff or rollback, as 'moonshelf policy'",
                completing: .words(ReplCommand.policyActions)
            ) { _, words in
                let action = words.words.first ?? "show"
                guard ReplCommand.policyActions.contains(action) else {
                    return ReplCommand.failure(
                        "There is no ':policy \(action)'; there are \(ReplCommand.policyActions.joined(separator: ", "))."
                    )
                }
                if ["use", "rollback"].contains(action) && !granted.contains(.settingsWrite) {
                    return ReplCommand.failure(
                        "':policy \(action)' changes the store: start with --write or --allow settings.write.")
                }
                return ReplCommand.perform(["policy"] + (words.words.isEmpty ? ["show"] : words.words), in: workplace)
            },
        ]
    }

    private static let policyActions = ["check", "diff", "explain", "history", "rollback", "show", "test", "use"]

    private static func failure(_ message: String) -> ScriptFailure { ScriptFailure(LuaHostError(message)) }

    /// Does what a command line asks for, at this session's store and clock.
    ///
    /// - Returns: why it could not; what it found wrong, it has written.
    private static func perform(_ arguments: [String], in workplace: Workplace) -> ScriptFailure? {
        do {
            guard let command = try Moonshelf.parseAsRoot(arguments) as? any DeskCommand else {
                return failure("This is no command of a session.")
            }
            _ = try command.perform(in: workplace.with(command.options))
            return nil
        } catch let error as CommandFailure {
            workplace.console.endProgress()
            return failure(error.words)
        } catch  where Moonshelf.exitCode(for: error).isSuccess {
            workplace.console.print(Moonshelf.fullMessage(for: error, columns: workplace.console.output.width))
            return nil
        } catch  where Moonshelf.exitCode(for: error) == .validationFailure {
            return failure(Moonshelf.message(for: error))
        } catch {
            workplace.console.endProgress()
            return failure(CommandFailure(error).words)
        }
    }
}
