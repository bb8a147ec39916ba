import ArgumentParser
import Circulation
import Desk
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
                ":prove", "FILE [OPTIONS]",
                "prove what a policy promises, all of it or some: :prove public.lua --promise child",
                completing: .files { ReplCommand.options(of: PolicyProveCommand.self) }
            ) { repl, words in ReplCommand.perform(["policy", "prove"] + words.words, in: session, repl) },
            ReplCommand.actions(
                ":policy", of: PolicyCommand.self, "show",
                or: [
                    "use", "check", "test", "prove", "explain", "history", "diff", "rollback",
                ], changing: ["use", "rollback"], "[FILE]", session),
            ReplCommand.actions(
                ":plugin", of: PluginCommand.self, "list",
                or: [
                    "show", "use", "check", "test", "replay", "history", "diff", "rollback", "settings", "disable",
                    "enable",
                    "failures", "retry",
                ], changing: ["use", "rollback", "disable", "enable", "retry"], "[FOLDER]", session),
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
                ":emit", "EVENT [FIELDS]",
                "hand a made-up event to the plugins and say what each would do: :emit loan.made { patron = 'ada' }",
                completing: ReplCommand.eventCompleting
            ) { repl, words in session.emit(words, repl) },
        ]
    }

    /// A command of the session whose actions are those of a command of the program.
    ///
    /// - Parameters:
    ///   - usual: the action without a word.
    ///   - changing: the actions that change the store.
    ///   - arguments: what may follow an action.
    private static func actions(
        _ word: String, of parent: any ParsableCommand.Type, _ usual: String, or others: [String],
        changing: Set<String>, _ arguments: String, _ session: ReplSession
    ) -> SessionCommand {
        let name = parent.configuration.commandName ?? ""
        let actions = [usual] + others
        let words = "\(actions.dropLast().joined(separator: ", ")) or \(actions.last ?? "")"
        return SessionCommand(
            word, "ACTION \(arguments)", "\(words), as 'moonshelf \(name)'", completing: completing(actions, of: parent)
        ) { repl, typed in
            let action = typed.words.first ?? usual
            guard actions.contains(action) else {
                return failure(
                    "There is no '\(word) \(action)'; there are \(actions.sorted().joined(separator: ", ")).")
            }
            let changes = changing.contains(action) || action == "settings" && typed.words.contains("--set")
            if changes && !session.granted.contains(.settingsWrite) {
                return failure("'\(word) \(action)' changes the store: start with --write or --allow settings.write.")
            }
            return perform([name] + (typed.words.isEmpty ? [usual] : typed.words), in: session, repl)
        }
    }

    private static func commandsOfPlugins(_ session: ReplSession) -> [Completion.Candidate] {
        let commands = try? PluginCall.parts(of: .commands, session.workplace, session.desk)
        return (commands ?? []).map { Completion.Candidate($0.part.name, about: $0.entry.text("help") ?? "") }
    }

    private static func completing(
        _ actions: [String], of parent: any ParsableCommand.Type
    ) -> SessionCommand.Completing {
        let commands = actions.sorted().compactMap { action in
            parent.configuration.subcommands.first { $0.configuration.commandName == action }
        }
        return .actions(
            commands.map {
                Completion.Candidate($0.configuration.commandName ?? "", about: $0.configuration.abstract)
            }
        ) { action in
            commands.first { $0.configuration.commandName == action }.map(options) ?? []
        }
    }

    private static var eventCompleting: SessionCommand.Completing {
        .actions(EventKinds.all.map { Completion.Candidate($0.declaration.name, about: $0.declaration.summary) }) { _ in
            []
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
