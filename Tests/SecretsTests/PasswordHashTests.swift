import Secrets
import Testing

@Suite("Passwords as they are kept")
struct PasswordHashTests {
    @Test(
        "a password matches its own hash and no other does",
        arguments: ["", "correct horse", "пароль", "密码🔑", "a\u{0}b"])
    func matches(password: String) throws {
        let hash = try PasswordHash(of: password, cost: .least)
        #expect(try hash.matches(password))
        #expect(try !hash.matches(password + "x"))
        #expect(try !hash.matches("x" + password))
        if password.contains("\u{0}") { #expect(try !hash.matches("a")) }
    }

    @Test("the same password is kept otherwise each time, and never as it is")
    func salts() throws {
        let first = try PasswordHash(of: "hunter2", cost: .least)
        let second = try PasswordHash(of: "hunter2", cost: .least)
        #expect(first != second)
        #expect(!first.encoded.contains("hunter2"))
        #expect(try PasswordHash(encoded: first.encoded).matches("hunter2"))
    }

    @Test("a hash says at what cost it was made")
    func cost() throws {
        let hash = try PasswordHash(of: "x", cost: .least)
        #expect(hash.isMade(at: .least) && !hash.isMade(at: .standard))
        #expect(!hash.isMade(at: PasswordCost(memory: 8, passes: 2)))
        #expect(try PasswordHash(of: "x").encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    }

    @Test("letters put together in two ways are one password")
    func normalises() throws {
        #expect(try PasswordHash(of: "caf\u{E9}", cost: .least).matches("cafe\u{301}"))
    }

    @Test(
        "what is no hash matches nothing",
        arguments: ["", "x", "$argon2id$v=19$m=8,t=1,p=1$", "$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA"])
    func nonsense(encoded: String) throws {
        #expect(try !PasswordHash(encoded: encoded).matches("x"))
    }

    @Test("a password of more than 1024 bytes is refused, and not cut")
    func tooLong() throws {
        let longest = String(repeating: "a", count: 1024)
        #expect(try PasswordHash(of: longest, cost: .least).matches(longest))
        #expect(throws: SecretError.passwordTooLong) { try PasswordHash(of: longest + "a", cost: .least) }
        #expect(throws: SecretError.passwordTooLong) {
            try PasswordHash(of: "a", cost: .least).matches(longest + "a")
        }
    }

    /// From the reference implementation's own tests (phc-winner-argon2, test.c).
    @Test("a hash of the reference implementation is matched")
    func reference() throws {
        let encoded =
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
        #expect(try PasswordHash(encoded: encoded).matches("password"))
        #expect(try !PasswordHash(encoded: encoded).matches("Password"))
    }
}
