import Circulation
import Desk
import Scripting
import Secrets
import Storage
import Testing

@Suite("Passwords in scripts")
struct APIPasswordTests {
    private let sample: APISample

    init() throws { sample = try APISample() }

    @Test("a password is set and verified, within a transaction and outside, and no function gives its hash")
    func sets() throws {
        #expect(try sample.evaluate(#"patrons.set_password("bob", "a good password").username"#) == #""bob""#)
        #expect(try sample.evaluate(#"patrons.verify("bob", "a good password").username"#) == #""bob""#)
        let inside = """
            store.transaction(function() patrons.set_password("ada", "another password")
            return patrons.verify("ada", "another password").username end)
            """
        #expect(try sample.evaluate(inside) == #""ada""#)
        #expect(
            try AccountManager(sample.desk, cost: .least).verify("ada", password: "another password", from: .console)
                != nil)
        let told = """
            local t = { json.encode(patrons.get("bob")) }
            for e in store.events{ patron = "bob" } do t[#t + 1] = e.kind .. json.encode(e) end
            return table.concat(t)
            """
        let text = try sample.evaluate(told)
        #expect(!text.contains("argon2") && !text.contains("good password"))
        #expect(text.contains("account.changed"))
    }

    @Test("what is unknown, wrong or weak is refused, and unknown and wrong alike")
    func refuses() throws {
        func code(_ call: String) throws -> String { try sample.evaluate("return select(2, \(call)).code") }
        #expect(try code(#"patrons.set_password("nobody", "a good password")"#) == #""unknown_patron""#)
        #expect(try code(#"patrons.set_password("bob", "bob")"#) == #""weak_password""#)
        let unknown = try sample.evaluate(#"return select(2, patrons.verify("nobody", "a good password"))"#)
        let wrong = try sample.evaluate(#"return select(2, patrons.verify("bob", "a good password"))"#)
        #expect(unknown == wrong && unknown.contains("wrong_log_in"))
        #expect(try code("patrons.verify(999999, \"x\")") == #""wrong_log_in""#)
        let reading = try sample.evaluate(#"patrons.verify("bob", "x")"#, granted: [])
        #expect(reading.hasPrefix("capability"))
    }

    @Test("guessing is refused for a while, and others are not affected")
    func brake() throws {
        let guesses = """
            patrons.set_password("bob", "a good password") patrons.set_password("ada", "another password")
            local codes = {}
            for i = 1, 22 do local _, no = patrons.verify("bob", "guess number " .. i) codes[i] = no.code end
            local _, no = patrons.verify("bob", "a good password")
            return codes[20], codes[21], no.code, patrons.verify("ada", "another password").username
            """
        let text = try sample.evaluate(guesses)
        #expect(text == #""wrong_log_in", "too_many_tries", "too_many_tries", "ada""#)
    }
}
