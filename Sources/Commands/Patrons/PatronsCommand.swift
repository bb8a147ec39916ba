import ArgumentParser
import Circulation
import Desk
import TextFormats

/// `moonshelf patrons`
struct PatronsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patrons", abstract: "Find patrons who are registered twice, and make their records one.",
        subcommands: [PatronsDuplicatesCommand.self, PatronsMergeCommand.self])
}

/// `moonshelf patrons duplicates`
struct PatronsDuplicatesCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates", abstract: "List patrons who are likely registered twice, both records and why.",
        discussion: """
            Patrons of one birthday are compared by their names, those of one e-mail address too, as an import compares those \
            that it brings. Each is listed with one other record: the surest, and of these the oldest. It reads, and changes \
            nothing; 'moonshelf patrons merge' makes two records one.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("At most so many.", valueName: "NUMBER"))
    var limit = 1_000

    @Option(help: ArgumentHelp("Go on where another list ended: what it said, or its 'next'.", valueName: "PLACE"))
    var after: String?

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    /// How many are looked for in one transaction.
    private static let atOnce = 500

    func validate() throws {
        if !(1...100_000).contains(limit) { throw ValidationError("--limit must be from 1 to 100000.") }
        if let after, DuplicatePlace(after) == nil {
            throw ValidationError("--after takes what another list said, such as born:17:12345.")
        }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(.reading)
        let console = workplace.console
        var found: [DuplicatePatrons] = []
        var (lookedAt, count) = (0, 0)
        var place = after.flatMap(DuplicatePlace.init)
        repeat {
            let wanted = min(Self.atOnce, limit - count)
            let part = try desk.read { try $0.patrons.duplicates(after: place, limit: wanted) }
            if json {
                found += part.found
            } else {
                for pair in part.found { show(pair, on: console) }
            }
            count += part.found.count
            lookedAt += part.lookedAt
            place = part.next
            console.progress("\(lookedAt) looked at, \(count) found")
        } while place != nil && count < limit
        console.endProgress()
        if json {
            console.print(json: [
                "found": .array(found.map(Self.json)), "looked_at": .integer(Int64(lookedAt)),
                "next": place.map { .string($0.description) } ?? .null,
            ])
        } else {
            if count == 0 { console.print("No likely duplicates were found.") }
            if let place { console.note(SafeText.line("There may be more: --after \(Self.word("\(place)")) goes on.")) }
        }
        return .done
    }

    private func show(_ pair: DuplicatePatrons, on console: Console) {
        console.print("\(pair.why.words):")
        for patron in [pair.other, pair.patron] {
            let parts = [
                patron.username, patron.fullName, patron.birthDate?.description, patron.email, patron.phone,
                patron.category, patron.homeBranch,
            ]
            console.print(SafeText.line("  " + parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "  ")))
        }
        let (from, into) = (Self.word(pair.patron.username), Self.word(pair.other.username))
        console.print(SafeText.line("  moonshelf patrons merge \(from) --into \(into)"))
    }

    /// A username as a shell takes it. A number might be the username of someone else.
    private static func word(_ username: String) -> String {
        let isPlain =
            !username.isEmpty
            && username.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".@_".contains($0)) }
        return isPlain ? username : "'\(username.replacing("'", with: "'\\''"))'"
    }

    private static func json(_ pair: DuplicatePatrons) -> JSON {
        ["patron": json(pair.patron), "other": json(pair.other), "why": .string(pair.why.rawValue)]
    }

    private static func json(_ patron: Patron) -> JSON {
        func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
        return [
            "id": .integer(patron.id), "username": .string(patron.username), "name": .string(patron.name),
            "surname": .string(patron.surname), "birth_date": text(patron.birthDate?.description),
            "email": text(patron.email), "phone": text(patron.phone), "category": .string(patron.category),
            "home_branch": .string(patron.homeBranch), "expires_on": text(patron.expiresOn?.description),
        ]
    }
}
