import ArgumentParser
import Circulation
import Desk
import Foundation
import Secrets
import Server
import TextFormats

/// `moonshelf account invite`
struct AccountInviteCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make links by which people set their first password, and print them, this once.",
        discussion: """
            For accounts that came in from another system, which gives no passwords along: each link is good once, until \
            it ends, a password is set, or another is made. Prints rows of username, name, e-mail address and link, to be \
            handed out. Patrons who have a password ask for another on /forgotten.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: "Whom they are for.")
    var usernames: [String] = []

    @Flag(help: "For every patron who has never had a password, staff and administrators left out.")
    var all = false

    @Option(help: "After how many days a link ends.")
    var days: Int64 = 14

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if all != usernames.isEmpty { throw ValidationError("Name people, or give --all.") }
        if !(1...AccountManager.mostDaysOfInvitation).contains(days) {
            throw ValidationError("--days must be from 1 to \(AccountManager.mostDaysOfInvitation).")
        }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let settings = try workplace.servingSettings()
        let url = settings.hasURL ? settings.server.url : "http://\(settings.http ?? .standard)"
        let accounts = try AccountManager(try workplace.desk(.writing), terms: settings.terms)
        let keys = all ? try accounts.withoutPassword().map { PatronKey.id($0) } : usernames.map { .username($0) }
        var rows: [[String]] = []
        for key in keys {
            switch try accounts.invite(key, days: days) {
            case .done(let entry):
                rows.append([
                    entry.patron.username, entry.patron.fullName, entry.patron.email ?? "",
                    "\(url)/reset?token=\(entry.token.text)",
                ])
            // A password may have been set since the list was made.
            case .refused(let refusal) where !(all && refusal.code == "has_password"):
                throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
            case .refused: continue
            }
        }
        let names = ["username", "name", "email", "link"]
        guard !json else {
            let objects = rows.map { row -> JSON in
                var object: JSONObject = [:]
                for (name, text) in zip(names, row) { object[name] = .string(text) }
                return .object(object)
            }
            workplace.console.print(json: .array(objects))
            return .done
        }
        var writer = CSVWriter(guardsFormulas: true)
        for row in [names] + rows { writer.record(row) }
        workplace.console.print(String(writer.text.dropLast()))
        return .done
    }
}
