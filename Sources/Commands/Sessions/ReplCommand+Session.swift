import ArgumentParser
import Circulation
import LineEditing
import LuaRuntime
import Plugins
import Scripting
import Terminal

extension ReplCommand {
    /// What a session takes from the command line.
    func commands(of session: ReplSession) -> [SessionCommand] {
        let granted = session.granted
        return [
            SessionCommand(":begin", "", "begin a trial: what follows is done on a copy, until ':commit'") { repl, _ in
                session.begin(repl)
            },
            SessionCommand(":commit", "", "do what was tried in the library, in one transaction") { repl, _ in
                session.commit(repl)
            },
            SessionCommand(":rollback", "", "forget what was tried") { repl, _ in session.rollback(repl) },
            SessionCommand(
                ":now", "[DATE]",
                "let the clock stand at a moment, such as 2026-12-24 or +14; without one it goes again"
            ) { _, words in session.travel(words) },
            SessionCommand(
                ":as", "[PATRON]", "ask the desk as a patron would, online; without one as staff again",
                completing: .patrons
            ) { _, words in session.act(words) },
            SessionCommand(
                ":run", "SCRIPT [ARGS]", "run a report or a chore, with what this session may do",
                completing: .files { ReplCommand.options(of: RunCommand.self) }
            ) { repl, words in
                let allowed = Capability.grantable.filter(granted.contains).flatMap { ["--allow", $0.rawValue] }
                return ReplCommand.perform(["run"] + allowed + words.words, in: session, repl)
            },
            SessionCommand(
                ":x", "NAME [ARGUMENTS]", "do what a plugin adds, within what this session may",
                completing: .actions(ReplCommand.commandsOfPlugins(session)) { _ in [] }
            ) { repl, words in
                do {
                    let parts = try PluginCall.parts(of: .commands, session.workplace, session.desk)
                    let rights = parts.filter { [$0.part.name, $0.part.description].contains(words.words.first) }
                        .flatMap(\.plugin.rights)
                    let missing = rights.filter { right in !granted.contains { $0.rawValue == right } }
                    guard missing.isEmpty else {
                        return ReplCommand.failure(
                            "The plugin may do what this session may not: start with --allow "
                                + missing.joined(separator: ","))
                    }
                } catch {
                    return ReplCommand.failure(CommandFailure(error).words)
                }
                return ReplCommand.perform(["x"] + words.words, in: session, repl)
            },
            SessionCommand(
                ":policy", "ACTION [FILE]",
                "show, use, check, test, explain, history, diff or rollback, as 'moonshelf policy'",
                completing: ReplCommand.policyCompleting
            ) { repl, words in
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
                return ReplCommand.perform(
                    ["policy"] + (words.words.isEmpty ? ["show"] : words.words), in: session, repl)
            },
        ]
    }

    private static func commandsOfPlugins(_ session: ReplSession) -> [Completion.Candidate] {
        let commands = try? PluginCall.parts(of: .commands, session.workplace, session.desk)
        return (commands ?? []).map { Completion.Candidate($0.part.name, about: $0.entry.text("help") ?? "") }
    }

    private static let policyActions = ["check", "diff", "explain", "history", "rollback", "show", "test", "use"]

    private static var policyCompleting: SessionCommand.Completing {
        let commands = policyActions.compactMap { action in
            PolicyCommand.configuration.subcommands.first { $0.configuration.commandName == action }
        }
        return .actions(
            commands.map {
                Completion.Candidate($0.configuration.commandName ?? "", about: $0.configuration.abstract)
            }
        ) { action in
            commands.first { $0.configuration.commandName == action }.map(options) ?? []
        }
    }

    /// The options of the command itself.
    private static func options(of command: any ParsableCommand.Type) -> [Completion.Candidate] {
        let arguments = (try? CommandDescription(of: command))?.arguments ?? []
        return arguments.filter { $0.kind != .positional && $0.section == nil }.compactMap { option in
            let about = option.abstract.replacing("\n", with: " ")
            return option.names.last.map { Completion.Candidate($0, about: about, ending: " ") }
        }
    }

    private static func failure(_ message: String) -> ScriptFailure { ScriptFailure(LuaHostError(message)) }

    /// Runs a command line with this session's store and clock.
    ///
    /// - Returns: why it failed; findings are already printed.
    private static func perform(_ arguments: [String], in session: ReplSession, _ repl: Repl) -> ScriptFailure? {
        if case .lock? = session.trial {
            return failure("This trial is one transaction, which other commands would wait for; ':rollback' ends it.")
        }
        let workplace = session.workplace
        do {
            guard let command = try Moonshelf.parseAsRoot(arguments) as? any DeskCommand else {
                return failure("This is not a command of a session.")
            }
            let place = try session.place.with(command.options)
            // It may ask a question.
            _ = try repl.lendingTerminal { try command.perform(in: place) }
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
