import Circulation
import Desk
import DeskSupport
import Secrets
import Storage
import Testing

@Suite("What is no e-mail address")
struct EmailDoorTests {
    private static let wrong = [
        "nonsense", "ann@", "@example.org", "ann example@example.org", "ann@example.org, eve@example.org",
        "ann@example.org\r\nBcc: eve@example.org", "ann@@example.org", "ann@exam_ple.org", " ", "Ann <ann@example.org>",
    ]

    private let library: Library
    private let accounts: AccountManager

    init() throws {
        library = try Library(policy: nil)
        accounts = try AccountManager(library.desk, cost: .least)
    }

    private func patron(_ name: String, _ email: String?) -> Patron {
        Patron(username: name, email: email, category: "patron", homeBranch: "main")
    }

    private func isRefused<Value>(_ outcome: Outcome<Value>) -> Bool {
        guard let refusal = outcome.refusal else { return false }
        return refusal.code == "invalid_email" && refusal.message.contains("e-mail address")
            && refusal.message.contains("ada@example.org")
    }

    @Test("no door of the desk keeps it, and each says which field is wrong and what it has to be", arguments: wrong)
    func refused(text: String) throws {
        let password = "two ducks, one pond"
        let ann = try #require(
            try accounts.signUp(patron("ann", "ann@example.org"), password: password, from: .console).value)
        #expect(isRefused(try library.desk.write { try $0.patrons.add(patron("ben", text)) }))
        #expect(isRefused(try library.desk.write { try $0.patrons.update(.id(ann.id)) { $0.email = text } }))
        #expect(isRefused(try accounts.signUp(patron("cyd", text), password: password, from: .console)))
        #expect(isRefused(try accounts.askEmail(text, of: ann, password: password, from: .console)))
        let left = try library.desk.read { try $0.patrons.get(.id(ann.id)) }
        #expect(left?.email == "ann@example.org")
        try library.expectSound()
    }

    @Test(
        "one that a file brought stays, also when something else of the patron changes, and can be mended",
        arguments: wrong)
    func kept(text: String) throws {
        guard case .added(let old) = try library.desk.write({ try $0.imports.patron(patron("old", text)) }) else {
            Issue.record("it was not taken in")
            return
        }
        let named = try library.desk.write { try $0.patrons.update(.id(old.id)) { $0.name = "Olga" } }
        #expect(named.value?.email == text && named.value?.name == "Olga")
        #expect(
            isRefused(try library.desk.write { try $0.patrons.update(.id(old.id)) { $0.email = "x" + text + " x" } }))
        let mended = try library.desk.write { try $0.patrons.update(.id(old.id)) { $0.email = "olga@example.org" } }
        #expect(mended.value?.email == "olga@example.org")
    }

    @Test(
        "no address at all, and one in another script, are taken",
        arguments: [nil, "", "ädä@example.org", "a@münchen.de"])
    func taken(text: String?) throws {
        #expect(try library.desk.write { try $0.patrons.add(patron("ann", text)) }.value?.email == text)
    }
}
