import Circulation
import Desk
import Interchange
import Secrets
import Storage
import Testing
import TextFormats

@Suite("Passwords in plain text that come along")
struct ImportedPasswordTests {
    private static let good = "purple lamp over water"

    private func users(_ bench: ImportBench, _ rows: (username: String, password: JSON?)...) throws -> String {
        try users(bench, rows)
    }

    private func users(_ bench: ImportBench, _ rows: [(username: String, password: JSON?)]) throws -> String {
        let array = rows.map { row -> JSON in
            var object: JSONObject = [
                "name": .string(row.username), "surname": "X", "username": .string(row.username),
            ]
            object["password"] = row.password ?? .null
            return .object(object)
        }
        return try bench.file("users.json", JSON.array(array).text())
    }

    private func bring(
        _ bench: ImportBench, _ path: String, _ passwords: PasswordChoice = .taken, strict: Bool = false,
        dry: Bool = false
    ) throws -> ImportReport {
        var options = ImportOptions(isStrict: strict, isDryRun: dry)
        options.passwords = passwords
        return try Importer(desk: bench.desk, options: options, tally: RowCounter()).run(paths: [path])
    }

    private func logsIn(_ bench: ImportBench, _ username: String, _ password: String) throws -> Bool {
        try AccountManager(bench.desk, cost: .least).logIn(username, password: password, from: .console) != nil
    }

    private func changes(_ bench: ImportBench) throws -> [String] {
        try bench.desk.read { session in
            var changes: [String] = []
            try session.events.each(EventQuery()) { event in
                if let change = try event.body()[.accountChanged] {
                    changes.append(change.change.rawValue)
                    #expect(event.actor == bench.desk.actor.name)
                }
                return true
            }
            return changes
        }
    }

    @Test("a password that the rule takes is the account's, as if staff had set it", arguments: [false, true])
    func taken(strict: Bool) throws {
        let bench = try ImportBench()
        let path = try users(bench, ("ada", .string(Self.good)), ("bob", "quite-another-one"), ("eve", "not exported"))
        let report = try bring(bench, path, strict: strict)
        #expect(report.added == 3 && report.problems == [])
        #expect(report.passwords.taken == 2 && report.passwords.without == 0)
        #expect(try changes(bench) == ["password_set", "password_set"])
        try bench.desk.read { session in
            let ada = try #require(try session.patrons.get(.username("ada")))
            #expect(try session.accounts.standing(of: ada.id) == AccountStanding(hasPassword: true))
            for kind in AccessToken.Kind.allCases { #expect(try session.accounts.tokens(of: ada.id, kind).isEmpty) }
        }
        #expect(try logsIn(bench, "ada", Self.good))
        #expect(try logsIn(bench, "bob", "quite-another-one"))
        #expect(try !logsIn(bench, "bob", Self.good))
        #expect(try !logsIn(bench, "eve", "not exported"))
        #expect(try bench.desk.examine().isSound)
        #expect(try !bench.export().contains("purple"))
    }

    @Test("a password stands in no report and in no description")
    func hidden() throws {
        let bench = try ImportBench()
        let path = try users(bench, ("ada", .string(Self.good)), ("bob", "hunter2secret1"), ("eve", "hunter2"))
        let report = try bring(bench, path)
        var dumped = "\(report) \(report.json.text()) \(report.problems.map(\.description))"
        dump(report, to: &dumped)
        let plain = PlainPassword("hunter2")
        dumped += "\(plain) \(String(reflecting: plain)) \(String(describing: plain))"
        dump(plain, to: &dumped)
        let explained = try bench.desk.read {
            try FileExplainer(ImportOptions(), translators: [], tally: RowCounter(), in: $0).explain(path)
        }
        dumped += explained.json.text() + "\(explained)"
        #expect(!dumped.contains("hunter2") && !dumped.contains("purple"), "\(dumped)")
        #expect(dumped.contains("eve"))
    }

    @Test("again it hashes nothing, and a password that is there stays, whatever the file says")
    func kept() throws {
        let bench = try ImportBench()
        let path = try users(bench, ("ada", .string(Self.good)))
        _ = try bring(bench, path)
        let before = try changes(bench)
        let again = try bring(bench, path)
        #expect(again.passwords.kept == 1 && again.passwords.taken == 0 && again.passwords.without == 0)
        let other = try users(bench, ("ada", "some-other-password"))
        #expect(try bring(bench, other).passwords.kept == 1)
        // Not even the rule is asked for what is not looked at.
        #expect(try bring(bench, users(bench, ("ada", "short"))).problems == [])
        #expect(try changes(bench) == before)
        #expect(try logsIn(bench, "ada", Self.good))
        #expect(try !logsIn(bench, "ada", "some-other-password"))
    }

    @Test("an account that came without gets its password by a second import")
    func second() throws {
        let bench = try ImportBench()
        let path = try users(bench, ("ada", .string(Self.good)))
        let first = try bring(bench, path, .leftOut)
        #expect(first.passwords.leftOut == 1 && first.problems == [])
        #expect(try !logsIn(bench, "ada", Self.good))
        let second = try bring(bench, path)
        #expect(second.unchanged == 1 && second.passwords.taken == 1)
        #expect(try logsIn(bench, "ada", Self.good))
        let reported = try ImportBench()
        let report = try bring(reported, users(reported, ("ada", .string(Self.good))), .reported)
        #expect(report.problems.map(\.code) == ["password_left_out"] && report.passwords.leftOut == 1)
        #expect(try changes(reported) == [])
    }

    static let unfit: [(JSON?, String)] = [
        ("short", "weak_password"), ("ada-ada-ada-ada", "weak_password"), ("password1234", "weak_password"),
        (.string(String(repeating: "long word ", count: 1_000)), "weak_password"), ("            ", "weak_password"),
        (123_456_789_012, "bad_password"), (true, "bad_password"), (["purple lamp over water"], "bad_password"),
        ("purple\u{0}lamp over water", "bad_password"), ("purple lamp\tover water", "bad_password"),
        (nil, "no_password"), ("", "no_password"),
        ("$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy", "bad_password"),
        ("{SSHA}MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=", "bad_password"),
        ("5f4dcc3b5aa765d61d8327deb882cf99", "bad_password"), ("pbkdf2_sha256$260000$abc$defghi", "bad_password"),
    ]

    @Test(
        "what is no password is not taken over: the account comes without, and the report says how in", arguments: unfit
    )
    func refused(password: JSON?, code: String) throws {
        let bench = try ImportBench()
        let report = try bring(bench, users(bench, ("bob", .string(Self.good)), ("ada", password)))
        let problem = try #require(report.problems.first)
        #expect(report.added == 2 && report.rejected == 0 && report.problems.count == 1)
        #expect(problem.code == code && problem.severity == .warning && problem.field == "password", "\(problem)")
        #expect(problem.message.contains("'moonshelf account invite ada'"), "\(problem)")
        #expect(report.passwords.taken == 1)
        let standing = try bench.desk.read { session in
            try session.accounts.standing(of: #require(try session.patrons.get(.username("ada"))).id)
        }
        #expect(standing == AccountStanding())
        if let text = password?.stringValue, !text.isEmpty {
            #expect(try !logsIn(bench, "ada", String(text.prefix(1_000))))
        }
        #expect(try bench.desk.examine().isSound)
    }

    @Test(
        "blanks are part of a password", arguments: [" purple lamp over", "purple lamp over ", "purple\u{A0}lamp över"])
    func blanks(password: String) throws {
        let bench = try ImportBench()
        #expect(try bring(bench, users(bench, ("ada", .string(password)))).passwords.taken == 1)
        #expect(try logsIn(bench, "ada", password))
        #expect(try !logsIn(bench, "ada", password.filter { $0 != " " }))
    }

    @Test("accounts of staff and closed ones get none from a file")
    func guarded() throws {
        let bench = try ImportBench()
        for (name, role) in [("boss", "admin"), ("clerk", "staff"), ("ada", "patron")] {
            try bench.importing(
                bench.file("\(name).jsonl", #"{"patron":{"username":"\#(name)","name":"N","role":"\#(role)"}}"#))
        }
        try bench.desk.write { _ = try $0.accounts.close(.username("ada")) }
        let before = try changes(bench)
        let path = try users(
            bench, ("boss", .string(Self.good)), ("clerk", .string(Self.good)), ("ada", .string(Self.good)))
        let report = try bring(bench, path)
        #expect(report.problems.map(\.code) == ["password_of_staff", "password_of_staff", "account_closed"])
        #expect(report.passwords.refused == 3 && report.passwords.taken == 0)
        for name in ["boss", "clerk", "ada"] { #expect(try !logsIn(bench, name, Self.good)) }
        #expect(try changes(bench).filter { $0 == "password_set" } == before.filter { $0 == "password_set" })
        #expect(try bench.desk.read { try $0.patrons.get(.username("boss")) }?.role == .admin)
    }

    @Test("a trial hashes nothing, and of a strict import that fails nothing stays")
    func undone() throws {
        let bench = try ImportBench()
        let path = try users(bench, ("ada", .string(Self.good)), ("bob", "short"))
        let trial = try bring(bench, path, dry: true)
        #expect(trial.passwords.taken == 1 && trial.passwords.refused == 1)
        #expect(try bench.desk.read { try $0.patrons.get(.username("ada")) } == nil)
        let bad = try bench.file(
            "bad.json",
            #"[{"username":"ada","name":"A","password":"\#(Self.good)"},{"username":"","password":"\#(Self.good)"}]"#)
        let strict = try bring(bench, bad, strict: true)
        #expect(strict.rejected == 1 && strict.passwords == ArrivedPasswords())
        #expect(try bench.desk.read { try $0.patrons.get(.username("ada")) } == nil)
        #expect(try changes(bench) == [])
    }

    @Test("of two rows of a user the first counts")
    func twice() throws {
        let bench = try ImportBench()
        let path = try users(bench, ("ada", .string(Self.good)), ("ada", "some-other-password"))
        #expect(try bring(bench, path).passwords.taken == 1)
        #expect(try logsIn(bench, "ada", Self.good))
        #expect(try changes(bench).filter { $0 == "password_set" }.count == 1)
    }

    @Test("of many users each gets their own")
    func many() throws {
        let bench = try ImportBench()
        let rows = (0..<300).map { (username: "user-\($0)", password: JSON.string("violet-\($0 * 7_919)-harbour")) }
        let report = try bring(bench, users(bench, rows))
        #expect(report.passwords.taken == 300)
        for number in [0, 1, 63, 64, 65, 149, 298, 299] {
            #expect(try logsIn(bench, "user-\(number)", "violet-\(number * 7_919)-harbour"))
        }
        #expect(try changes(bench).count(where: { $0 == "password_set" }) == 300)
        #expect(try bench.desk.examine().isSound)
    }

    @Test(
        "columns of passwords are shown in no explanation",
        arguments: ["password", "PIN", "Passwort", "User password", "pwd"])
    func explained(column: String) throws {
        for head in ["username,name,surname", "Ausweis,Vorname,Nachname"] {
            let bench = try ImportBench()
            let rows = (1...12).map { "\($0)00,Ada,Byron,84713\($0)" }.joined(separator: "\n")
            let path = try bench.file("people.csv", "\(head),\(column)\n\(rows)\n")
            let explained = try bench.desk.read {
                try FileExplainer(ImportOptions(), translators: [], tally: RowCounter(), in: $0).explain(path)
            }
            let text = explained.json.text()
            #expect(text.contains("Byron") && !text.contains("84713"), "\(text)")
        }
    }
}
