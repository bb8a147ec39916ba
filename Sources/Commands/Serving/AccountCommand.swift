import ArgumentParser
import Circulation
import Desk
import Secrets
import Server
import TextFormats

/// `moonshelf account`
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Give people ways into the server.",
        discussion: """
            People who sign up by themselves need none of this; the first administrator does: \
            'moonshelf account add --role admin USERNAME'.
            """,
        subcommands: [
            AccountAddCommand.self, AccountPasswordCommand.self, AccountInviteCommand.self, AccountKeyCommand.self,
        ])
}

/// Whom an account is, was or will be for: what all of these commands take.
struct AccountHolder: ParsableArguments {
    @Argument(help: "What they log in by.")
    var username: String
}

/// `moonshelf account add`
struct AccountAddCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an account.",
        discussion: "The password is asked for; where no terminal is, it is the first line of standard input.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @OptionGroup var holder: AccountHolder

    @Option(help: "patron, staff or admin.")
    var role = "patron"

    @Option(help: "A category's code; the first one if left out.")
    var category: String?

    @Option(help: "Used if you forget your password.")
    var email: String?

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard let role = Patron.Role(rawValue: role) else {
            throw CommandFailure.usage("--role: '\(role)' is none of patron, staff and admin.")
        }
        let desk = try workplace.desk(.writing)
        let (first, branch) = try desk.read { session in
            (try session.settings.categories().first?.code, try session.settings.branches().first?.code)
        }
        let patron = Patron(
            username: holder.username, email: email, category: category ?? first ?? "patron",
            homeBranch: branch ?? "main",
            role: role)
        // Reasons against the account are reported before a password is asked for.
        _ = try desk.rehearse { try $0.patrons.add(patron) }.orFailure()
        let accounts = try AccountManager(desk, terms: try workplace.servingSettings().terms)
        let password = try PasswordPrompt(workplace.console).ask(for: holder.username, twice: true)
        let made = try accounts.signUp(patron, password: password, from: .console).orFailure()
        if json {
            workplace.console.print(json: [
                "id": .integer(made.id), "username": .string(made.username), "role": .string(made.role.rawValue),
            ])
        } else {
            workplace.console.print("\(made.username) is patron \(made.id), \(made.role.rawValue).")
        }
        return .done
    }
}

/// `moonshelf account password`
struct AccountPasswordCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Set a password, and end the account's sessions.",
        discussion: "The password is asked for; where no terminal is, it is the first line of standard input.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @OptionGroup var holder: AccountHolder

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.writing)
        let accounts = try AccountManager(desk, terms: try workplace.servingSettings().terms)
        guard try desk.read({ try $0.patrons.get(.username(holder.username)) }) != nil else {
            throw CommandFailure(.refused, code: "unknown_patron", message: "There is no '\(holder.username)'.")
        }
        let password = try PasswordPrompt(workplace.console).ask(for: holder.username, twice: true)
        _ = try accounts.setPassword(password, of: .username(holder.username)).orFailure()
        if json {
            workplace.console.print(json: ["username": .string(holder.username), "sessions_ended": true])
        } else {
            workplace.console.print("The password is set; sessions of \(holder.username) have ended.")
        }
        return .done
    }
}

/// `moonshelf account key`
struct AccountKeyCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make a key for a program that acts for an account, and print it, this once.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @OptionGroup var holder: AccountHolder

    @Option(help: "What it is for.")
    var label: String

    @Option(help: "After how many days it ends.")
    var days = AccountService.daysOfKey

    @Option(
        help:
            "What it lets ask for: all, read, groups of routes such as loans, or loans:read. May be given several times."
    )
    var scope: [String] = []

    @Option(help: "The highest role in which it acts: patron, staff or admin.")
    var mostRole = "admin"

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard (1...AccountService.mostDaysOfKey).contains(days) else {
            throw CommandFailure.usage("--days: a key is valid for 1 to \(AccountService.mostDaysOfKey) days.")
        }
        guard let role = Patron.Role(rawValue: mostRole) else {
            throw CommandFailure.usage("--most-role: '\(mostRole)' is none of patron, staff and admin.")
        }
        if let wrong = scope.first(where: { !RouteTable.scopes.contains($0) }) {
            throw CommandFailure.usage(
                "--scope: '\(wrong)' is none of \(RouteTable.scopes.joined(separator: ", ")).")
        }
        let accounts = try AccountManager(try workplace.desk(.writing))
        let order = AccountManager.KeyRequest(
            label: label, expiresAt: try workplace.clock().now().adding(hours: 24 * days),
            scope: scope.isEmpty ? .all : AccessScope(words: scope), mostRole: role)
        let key = try accounts.issueKey(to: .username(holder.username), order).orFailure()
        if json {
            workplace.console.print(json: [
                "username": .string(holder.username), "label": .string(label), "key": .string(key.secret.text),
            ])
        } else {
            workplace.console.print(key.secret.text)
        }
        return .done
    }
}
