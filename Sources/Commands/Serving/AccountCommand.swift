import ArgumentParser
import Circulation
import Desk
import Foundation
import Secrets
import TextFormats

/// `moonshelf account`
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Give people ways into the server.",
        discussion: """
            People who sign up by themselves need none of this; the first administrator does: \
            'moonshelf account add --role admin USERNAME'.
            """,
        subcommands: [AccountAddCommand.self, AccountPasswordCommand.self, AccountKeyCommand.self])
}

/// `moonshelf account add`
struct AccountAddCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an account.",
        discussion: "The password is asked for; where no terminal is, it is the first line of standard input.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: "What they log in by.")
    var username: String

    @Option(help: "patron, staff or admin.")
    var role = "patron"

    @Option(help: "A category's code; the first one if left out.")
    var category: String?

    @Option(help: "Where a forgotten password is asked for.")
    var email: String?

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard let role = Patron.Role(rawValue: role) else {
            throw CommandFailure.usage("--role: '\(role)' is none of patron, staff and admin.")
        }
        let desk = try workplace.desk(.writing)
        let (first, branch) = try desk.read { session in
            (try session.settings.categories().first?.code, try session.settings.branches().first?.code)
        }
        let patron = Patron(
            username: username, email: email, category: category ?? first ?? "patron", homeBranch: branch ?? "main",
            role: role)
        let password = try PasswordPrompt(workplace.console).ask(for: username, twice: true)
        let accounts = try AccountDesk(desk, terms: try workplace.servingSettings().terms)
        switch try accounts.signUp(patron, password: password) {
        case .done(let made):
            workplace.console.print("\(made.username) is patron \(made.id), \(made.role.rawValue).")
            return .done
        case .refused(let refusal): throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        }
    }
}

/// `moonshelf account password`
struct AccountPasswordCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Set somebody's password, and end their sessions.",
        discussion: "The password is asked for; where no terminal is, it is the first line of standard input.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: "Whose.")
    var username: String

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.writing)
        let accounts = try AccountDesk(desk, terms: try workplace.servingSettings().terms)
        guard try desk.read({ try $0.patrons.get(.username(username)) }) != nil else {
            throw CommandFailure(.refused, code: "unknown_patron", message: "There is no '\(username)'.")
        }
        let password = try PasswordPrompt(workplace.console).ask(for: username, twice: true)
        if let refusal = try accounts.setPassword(password, of: .username(username)).refusal {
            throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        }
        workplace.console.print("The password is set; sessions of \(username) have ended.")
        return .done
    }
}

/// `moonshelf account key`
struct AccountKeyCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make a key for a program that acts for somebody, and print it, this once.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: "For whom it acts.")
    var username: String

    @Option(help: "What it is for.")
    var label: String

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let accounts = try AccountDesk(try workplace.desk(.writing))
        switch try accounts.issueKey(to: .username(username), label: label) {
        case .done(let key):
            workplace.console.print(key.text)
            return .done
        case .refused(let refusal): throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        }
    }
}

/// Asks for a password without showing it.
struct PasswordPrompt {
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    /// - Throws: ``CommandFailure`` where there is none, or the second is another one.
    func ask(for username: String, twice: Bool) throws -> String {
        let name = TextFolding.terminalSafe(username)
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        let password = try hidden("Password for \(name): ")
        if twice, try hidden("Once more: ") != password {
            throw CommandFailure.usage("The two passwords differ.")
        }
        return password
    }

    private func line() throws -> String {
        guard let line = readLine(), !line.isEmpty else {
            throw CommandFailure.usage("A password is expected as the first line of standard input.")
        }
        return line
    }

    private func hidden(_ words: String) throws -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try line() }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        _ = console.error.write(Array(words.utf8))
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            _ = console.error.write(Array("\n".utf8))
        }
        return try line()
    }
}
