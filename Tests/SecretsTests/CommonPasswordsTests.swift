import Secrets
import Testing

@Suite("Passwords that are guessed first")
struct CommonPasswordsTests {
    @Test(
        "one that many people have is found, also with what is usually put around it, in capitals and with look-alikes",
        arguments: [
            "password1234", "Password2026!", "P@ssw0rd2026", "qwertyuiop12", "iloveyou!!!!", "123dragon123", "TRUSTNO1",
            "$unshine2026", "!!baseball!!",
        ])
    func common(password: String) { #expect(CommonPasswords.contain(password)) }

    @Test(
        "one that repeats a short part or a frequent password, or runs through digits or letters, is found",
        arguments: [
            "aaaaaaaaaaaa", "abcabcabcabc", "123456789012", "098765432109", "abcdefghijkl", "monkeymonkey",
            "1212121212121", "aaaaaaaaaaab", "monkey monkey", "monkey-monkey-1", "qwertyuiopas", "123qweasdzxc",
            "asdfghjkl;12",
            "abc123xyz789", "qwertzuiopyx", "йцукенгшщзхф",
            "ääääääääääää", "🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑",
        ])
    func runs(password: String) { #expect(CommonPasswords.contain(password)) }

    @Test(
        "one frequent password, words of roles and of setting up, digits and signs make none, in any order and spelling",
        arguments: [
            "Pa55w0rd!Pa55w0rd!", "p@ssw0rd-PASSWORD", "Dr4g0n_dragon-DRAGON!", "m0nk3y.Monkey.m0nkey",
            "dragon1dragon2",
            "administrator", "Adm1n1strat0r", "administrator!", "changemeplease", "please-change-me", "Ch4ng3M3N0w!",
            "library-admin-2026", "adminadmin12", "rootpassword1", "superuser2026!", "my new password", "librarian1234",
            "staffpassword", "test-account-1", "letmeinplease", "welcomewelcome", "thisismypassword", "temporary-setup",
            "defaultpassword", "Passwort-Bibliothek", "contraseña123", "secretsecret!", "dragonpassword",
            "myshadow2026!",
        ])
    func expected(password: String) { #expect(CommonPasswords.contain(password)) }

    @Test(
        "a word or two beside them that are not guessed make a password",
        arguments: [
            "the librarian's green kettle", "library of wet umbrellas", "my dragon eats monkeys",
            "admin of nine lighthouses",
            "x9Klibrary7Qz", "open the garden gate", "83beat9172a6", "73920of18304", "a good password",
            "another password",
        ])
    func beside(password: String) { #expect(!CommonPasswords.contain(password)) }

    @Test(
        "what is near whoever chooses it counts as known",
        arguments: [
            "brambleford", "Brambleford2026", "br4mblef0rd!", "bramblefordbrambleford", "7-brambleford-3391",
            "my brambleford 1",
        ])
    func near(password: String) {
        #expect(CommonPasswords.contain(password, others: ["Brambleford"]))
        #expect(!CommonPasswords.contain("a river in winter", others: ["Brambleford", ""]))
    }

    @Test(
        "a password of some words, and one made at random, are taken",
        arguments: [
            "correct horse battery", "пароль для книг", "t7Vq9-xLm2Kd", "two ducks, one pond", "密码🔑密钥图书馆借书证",
            "jd8203kfm1q0", "73920ss18304", "73920183a046", "where are we were we there", "the reader of brambleford",
        ])
    func sound(password: String) { #expect(!CommonPasswords.contain(password)) }

    @Test("an empty password and single characters are refused")
    func empty() {
        #expect(CommonPasswords.contain(""))
        #expect(CommonPasswords.contain("7"))
    }
}
