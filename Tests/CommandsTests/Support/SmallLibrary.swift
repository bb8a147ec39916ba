import Foundation
import Synchronization
import TestSupport
import Testing
import TextFormats

/// The databases that the commands work over.
enum StoreChoice: String, CaseIterable, CustomTestStringConvertible {
    case file, postgres

    /// Those that there are here.
    static let allCases: [StoreChoice] = PostgresServer.isMissing ? [.file] : [.file, .postgres]

    var testDescription: String { rawValue }

    /// The address of a place for a new store; nil: the commands' own choice, a file in their folder.
    func address() throws -> String? {
        guard self == .postgres else { return nil }
        let server = try PostgresServer.shared
        return server.url(try server.database())
    }

    /// The address of a copy of the store at an address.
    fileprivate func copy(of address: String?) throws -> String? {
        guard let name = address.flatMap({ URL(string: $0)?.lastPathComponent }) else { return nil }
        let server = try PostgresServer.shared
        return server.url(try server.database(copying: name))
    }
}

/// A store in a folder of its own, or in a database, with three titles, nine patrons and a policy in force.
///
/// "Odyssey" has sixty copies, "C" two, "Emma" one. The patrons `p1` to `p8` may have five loans, `clerk` as many as
/// there are copies.
struct SmallLibrary: ~Copyable {
    let folder: TemporaryFolder
    /// Where the store is if not in the folder.
    let address: String?

    /// The ISBN of the title with sixty copies.
    static let odyssey = "9780140449136"
    /// The ISBN of the title with one copy.
    static let emma = "9780141439587"
    /// The ISBN of the title with two copies.
    static let programming = "9780131103627"

    static let policy = """
        return policy {
            api = 1,
            name = "small",
            limits = { { category = "staff", max = unlimited }, { max = 5 } },
            rules = { { loan = days(14), renewals = 2, fine = money "0.20", per = days(1) } },
            notices = {
                { stage = "first", after = days(1), channel = "email", subject = "Overdue", body = "Please return it." },
            },
        }
        """

    /// - Parameters:
    ///   - store: in which database.
    ///   - policy: the source of the policy that is put into force.
    ///   - now: the moment at which the library is made; the policy is in force from then on.
    init(
        _ store: StoreChoice = .file, policy: String = SmallLibrary.policy, now: String = "2026-01-01T00:00:00Z"
    ) throws {
        let original = try SmallLibraryOriginals.library(
            .init(store: store, policy: policy, now: now))
        let address = try store.copy(of: original.address)
        let folder = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: original.folder.url.path) {
            try FileManager.default.copyItem(
                at: original.folder.url.appending(path: name), to: folder.url.appending(path: name))
        }
        self.folder = folder
        self.address = address
    }

    struct NotMade: Error {
        let result: BuiltCommand.Result
    }

    var command: BuiltCommand { Self.command(in: folder, address) }

    fileprivate static func command(in folder: borrowing TemporaryFolder, _ address: String?) -> BuiltCommand {
        var command = folder.command
        if let address { command.environment["MOONSHELF_STORE"] = address }
        return command
    }

    @discardableResult
    func run(_ arguments: String...) throws -> BuiltCommand.Result {
        try command.run(arguments)
    }

    /// What an expression gives, as its text without the end of the line.
    func eval(_ text: String, _ options: String...) throws -> String {
        let result = try command.run(["eval"] + options + [text])
        guard result.status == 0 else { throw NotMade(result: result) }
        return result.output.trimmingCharacters(in: .newlines)
    }

    /// Whether `doctor` finds the store sound.
    func isSound() throws -> Bool {
        let result = try run("doctor", "--json")
        return try result.status == 0 && result.json()["ok"]?.boolValue == true
    }
}

/// The libraries that the small ones are copies of: each is made once in a process, as `init` takes longer than most tests.
private enum SmallLibraryOriginals {
    struct Recipe: Hashable {
        let store: StoreChoice
        let policy: String
        let now: String
    }

    /// One library, made by the first who asks for it; the others wait for that.
    final class Original: Sendable {
        let folder: TemporaryFolder
        let address: String?

        init(_ recipe: Recipe) throws {
            let folder = try TemporaryFolder()
            for name in ["data", "policies"] {
                try FileManager.default.createDirectory(
                    at: folder.url.appending(path: name), withIntermediateDirectories: true)
            }
            try folder.write(
                """
                {"library": {"name": "Small Library", "zone": "Europe/Berlin", "currency": "EUR"},
                 "categories": [{"code": "public", "name": "Public"}, {"code": "staff", "name": "Staff"}],
                 "branches": [{"code": "main", "name": "Main"}]}
                """, to: "data/settings.json")
            try folder.write(
                """
                isbn,title,authors,year,genres,item_type,branch,copies
                \(SmallLibrary.odyssey),Odyssey,Homer,-700,epic,book,main,60
                \(SmallLibrary.programming),The C Programming Language,Kernighan|Ritchie,1988,,book,main,2
                \(SmallLibrary.emma),Emma,Jane Austen,1815,novel,book,main,1
                """, to: "data/titles.csv")
            let patrons = (1...8).map { "p\($0),Patron,Number \($0),public,main" } + ["clerk,Clerk,Staff,staff,main"]
            try folder.write(
                (["username,name,surname,category,home_branch"] + patrons).joined(separator: "\n") + "\n",
                to: "data/patrons.csv")
            try folder.write(recipe.policy, to: "policies/university.lua")
            let address = try recipe.store.address()
            let made = try SmallLibrary.command(in: folder, address).run(
                "init", "--sample", "--data", "data", "--now", recipe.now)
            guard made.status == 0 else { throw SmallLibrary.NotMade(result: made) }
            self.folder = folder
            self.address = address
        }
    }

    private static let originals = {
        atexit { SmallLibraryOriginals.remove() }
        return Mutex<[Recipe: Original]>([:])
    }()

    private static func remove() {
        originals.withLock { $0 = [:] }
    }

    /// - Throws: ``SmallLibrary/NotMade`` if `init` fails.
    static func library(_ recipe: Recipe) throws -> Original {
        try originals.withLock { originals in
            if let original = originals[recipe] { return original }
            let original = try Original(recipe)
            originals[recipe] = original
            return original
        }
    }
}
