import Circulation
import Desk
import DeskSupport
import Foundation
import Secrets
import Storage
import Testing

@Suite("Accounts", .everyStore)
struct AccountTests {
    private let library: Library
    private let accounts: AccountManager

    init() throws {
        library = try Library(policy: nil)
        accounts = try AccountManager(library.desk, terms: AccountTerms(shortestPassword: 8), cost: .least)
    }

    private static let password = "correct horse"

    private func signUp(_ username: String, email: String? = "ann@example.org") throws -> Patron {
        let patron = Patron(username: username, email: email, category: "patron", homeBranch: "main")
        return try #require(try accounts.signUp(patron, password: Self.password).value)
    }

    @Test("who signed up logs in by the password and is let in by the token, others are not")
    func logsIn() throws {
        let patron = try signUp("ann")
        let entry = try #require(try accounts.logIn("ann", password: Self.password))
        #expect(entry.patron == patron)
        #expect(try accounts.holder(of: entry.token.text)?.patron == patron)
        #expect(try accounts.logIn("ann", password: "correct horsf") == nil)
        #expect(try accounts.logIn("bob", password: Self.password) == nil)
        #expect(try accounts.holder(of: SecretToken(kind: "mss").text) == nil)
        #expect(try accounts.holder(of: "'; DROP TABLE access_tokens; --") == nil)
    }

    @Test("a wrong password and an unknown username ask the store the same, so that the duration reveals nothing")
    func alike() throws {
        let recorder = StatementRecorder()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("accounts-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = StoreLocation.file(folder.appendingPathComponent("library.db").path)
        let store = try SQLiteStore.open(place, create: true, recorder: recorder)
        defer { try? store.close() }
        let accounts = try AccountManager(try Library(store: store, policy: nil).desk, cost: .least)
        let ann = Patron(username: "ann", category: "patron", homeBranch: "main")
        _ = try accounts.signUp(ann, password: Self.password)
        func asked(_ username: String) throws -> [String] {
            _ = recorder.take()
            #expect(try accounts.verify(username, password: "correct horsf") == nil)
            return recorder.take().map(\.text)
        }
        let (known, unknown) = (try asked("ann"), try asked("bob"))
        #expect(known == unknown && known.contains { $0.contains("FROM patrons JOIN credentials") }, "\(known)")
    }

    @Test("a username is one person's, and a weak password makes no account")
    func refusals() throws {
        _ = try signUp("ann")
        let other = Patron(username: "ann", category: "patron", homeBranch: "main")
        #expect(try accounts.signUp(other, password: "yet another one").refusal?.code == "exists")
        #expect(try accounts.logIn("ann", password: "another one") == nil)
        let bob = Patron(username: "bob.johnson", category: "patron", homeBranch: "main")
        for weak in ["", "seven77", "Bob.Johnson", String(repeating: "x", count: 1025)] {
            #expect(try accounts.signUp(bob, password: weak).refusal?.code == "weak_password")
        }
        #expect(try library.desk.read { try $0.patrons.get(.username("bob.johnson")) } == nil)
    }

    @Test("neither password nor token stands anywhere in the store, and no hash in an event")
    func nothingKept() throws {
        let patron = try signUp("ann")
        let entry = try #require(try accounts.logIn("ann", password: Self.password))
        let key = try #require(try accounts.issueKey(to: .id(patron.id), label: "my program").value)
        let events = try library.desk.read { try $0.events.list(EventQuery()) }.map(\.payload).joined()
        for secret in [Self.password, entry.token.text, entry.token.digest, key.text, key.digest, "argon2"] {
            #expect(!events.contains(secret))
        }
        #expect(events.contains("password_set") && events.contains("key_issued"))
    }

    @Test("a session ends at its time, a key when it is revoked, and only by its owner")
    func endings() throws {
        let ann = try signUp("ann")
        let bob = try signUp("ben")
        let entry = try #require(try accounts.logIn("ann", password: Self.password))
        let key = try #require(try accounts.issueKey(to: .id(ann.id), label: "desk").value)
        try library.clock.advance(microseconds: 12 * 3_600_000_000)
        #expect(try accounts.holder(of: entry.token.text) == nil)
        let held = try #require(try accounts.holder(of: key.text))
        let stolen = try library.desk.write { try $0.accounts.revoke(held.token.id, of: bob.id) }
        #expect(stolen.refusal?.code == "unknown_token")
        let revoked = try library.desk.write { try $0.accounts.revoke(held.token.id, of: ann.id) }
        #expect(revoked.value == held.token.id)
        #expect(try accounts.holder(of: key.text) == nil)
        #expect(try library.desk.read { try $0.accounts.tokens(of: ann.id, .session) } == [])
        #expect(try accounts.formerHolder(of: entry.token.text)?.id == ann.id)
        #expect(try accounts.formerHolder(of: key.text) == nil)
        try library.clock.advance(microseconds: AccountService.daysRemembered * 86_400_000_000 + 1)
        #expect(try accounts.logIn("ben", password: Self.password) != nil)
        #expect(try accounts.formerHolder(of: entry.token.text) == nil)
    }

    @Test("a new password ends all sessions but the one in which it was set")
    func changes() throws {
        let ann = try signUp("ann")
        let first = try #require(try accounts.logIn("ann", password: Self.password))
        let second = try #require(try accounts.logIn("ann", password: Self.password))
        let here = try #require(try accounts.holder(of: second.token.text)).token.id
        #expect(try accounts.setPassword("another password", of: .id(ann.id), keeping: here).value == ann)
        #expect(try accounts.holder(of: first.token.text) == nil)
        #expect(try accounts.holder(of: second.token.text)?.patron == ann)
        #expect(try accounts.logIn("ann", password: Self.password) == nil)
        #expect(try accounts.logIn("ann", password: "another password") != nil)
    }

    @Test("a forgotten password is set once by the last token, and all sessions end")
    func forgotten() throws {
        let ann = try signUp("ann")
        let entry = try #require(try accounts.logIn("ann", password: Self.password))
        let older = try #require(try accounts.forgot("ann"))
        #expect(try accounts.forgot("ann") == nil, "one that was just mailed stays good")
        try library.clock.advance(microseconds: 11 * 60_000_000)
        let token = try #require(try accounts.forgot("ann")).token.text
        #expect(try accounts.forgot("nobody") == nil)
        #expect(try accounts.reset(older.token.text, password: "a new password").refusal?.code == "invalid_token")
        #expect(try accounts.reset(token, password: "short").refusal?.code == "weak_password")
        #expect(try accounts.holder(of: token) == nil)
        #expect(try accounts.reset(token, password: "a new password").value == ann)
        #expect(try accounts.reset(token, password: "yet another").refusal?.code == "invalid_token")
        #expect(try accounts.holder(of: entry.token.text) == nil)
        #expect(try accounts.logIn("ann", password: "a new password") != nil)
        let late = try #require(try accounts.forgot("ann")).token.text
        try library.clock.advance(microseconds: 30 * 60_000_000)
        #expect(try accounts.reset(late, password: "a third password").refusal?.code == "invalid_token")
    }

    @Test("of twenty who use one token at once, one sets the password")
    func race() async throws {
        _ = try signUp("ann")
        let token = try #require(try accounts.forgot("ann")).token.text
        let accounts = accounts
        let winners = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let password = "password no. \(number)"
                    return try accounts.reset(token, password: password).value == nil ? nil : password
                }
            }
            var winners: [String] = []
            for try await winner in group { if let winner { winners.append(winner) } }
            return winners
        }
        #expect(winners.count == 1)
        #expect(try accounts.logIn("ann", password: winners.first ?? "") != nil)
    }

    @Test("a password is hashed anew when the cost has risen, and only by who knows it")
    func rehashes() throws {
        let ann = try signUp("ann")
        let dearer = PasswordCost(memory: 16, passes: 1)
        let risen = try AccountManager(library.desk, cost: dearer)
        #expect(try risen.verify("ann", password: "wrong password") == nil)
        #expect(try hash(of: ann).isMade(at: .least))
        #expect(try risen.verify("ann", password: Self.password) == ann)
        #expect(try hash(of: ann).isMade(at: dearer))
        #expect(try accounts.verify("ann", password: Self.password) == ann)
    }

    private func hash(of patron: Patron) throws -> PasswordHash {
        let encoded = try library.store.read { try $0.credentials.hash(ofUsername: patron.username)?.hash }
        return PasswordHash(encoded: try #require(encoded))
    }

    @Test("with the patron go password and tokens")
    func removal() throws {
        let ann = try signUp("ann")
        let entry = try #require(try accounts.logIn("ann", password: Self.password))
        _ = try library.desk.write { try $0.patrons.remove(.id(ann.id)) }
        #expect(try accounts.holder(of: entry.token.text) == nil)
        #expect(try accounts.logIn("ann", password: Self.password) == nil)
        #expect(try library.desk.examine().isSound)
    }
}
