import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Putting a policy into force")
struct PolicyUseTests {
    @Test("a policy and its tests may come through pipes, which can be read once only")
    func pipes() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            SmallLibrary.policy.replacing("small", with: "piped"), to: "source.lua")
        try library.folder.write(
            "test('lends', function() expect(given {}, { answer = 'allow' }) end)", to: "tests.lua")
        let pipes = ["p.lua": "source.lua", "p_test.lua": "tests.lua"]
        var writers: [Process] = []
        for (pipe, source) in pipes {
            #expect(mkfifo(library.folder.url.appending(path: pipe).path, 0o600) == 0)
            let writer = Process()
            writer.executableURL = URL(filePath: "/bin/sh")
            writer.currentDirectoryURL = library.folder.url
            writer.arguments = ["-c", "exec cat \(source) > \(pipe)"]
            try writer.run()
            writers.append(writer)
        }
        defer { for writer in writers where writer.isRunning { writer.terminate() } }
        let used = try library.run("--now", "2026-03-02T09:00:00Z", "policy", "use", "p.lua")
        #expect(used.status == 0 && used.output.contains("1 test passed.") && used.output.contains("piped"), "\(used)")
        #expect(try library.run("policy", "show", "--source").output.contains("name = \"piped\""))
    }

    @Test("it is checked with the library's own codes: what it names and the library lacks is said")
    func ownCodes() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            """
            return policy { name = "own", rules = {
                { category = "publik", loan = days(7) },
                { item_type = "boko", loan = days(7) },
                { branch = "mian", loan = days(7) },
                { loan = days(14) },
            } }
            """, to: "own.lua")
        let now = "2026-03-02T09:00:00Z"
        let used = try library.run("--now", now, "policy", "use", "own.lua")
        #expect(used.status == 0, "\(used)")
        for words in ["no category 'publik'", "no item type 'boko'", "no branch 'mian'"] {
            #expect(used.error.contains(words), "\(used)")
        }
        let json = try library.run("--now", now, "policy", "use", "own.lua", "--json").json()
        #expect(json["findings"]?.arrayValue?.count == 3, "\(json)")
    }

    @Test(
        "a policy with an error is refused, and what is in force stays",
        arguments: [
            "rules = { { loan = days(0) } }", "rules = { { loan = days(7), renewals = 1, renewal_period = hours(0) } }",
            "rules = { { loan = hours(-1) } }",
            "rules = { { loan = days(7) } }, checkout = function(case) if case.actor.channel == 'dsek' then return nil end end",
        ])
    func refused(body: String) throws {
        let library = try SmallLibrary()
        try library.folder.write("return policy { name = \"wrong\", \(body) }", to: "wrong.lua")
        let before = try library.run("policy", "history").output
        let used = try library.run("policy", "use", "wrong.lua")
        #expect(used.status == 1 && used.error.contains("wrong.lua:1:"), "\(used)")
        #expect(try library.run("policy", "history").output == before)
    }

    @Test("a due time that is now is the policy's failure at the desk, with its line")
    func dueNow() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            "local function moment(case) return case.now end\n"
                + "return policy {\nname = \"now\", rules = { { loan = days(7) } },\n"
                + "due = function(case) return moment(case) end }", to: "now.lua")
        let now = "2026-03-02T09:00:00Z"
        #expect(try library.run("--now", now, "policy", "use", "now.lua").status == 0)
        let script = "local _, r = loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' } return r.code"
        let lent = try library.run("--now", now, "eval", "--allow", "loans.write", script)
        #expect(lent.output.contains("policy_failed"), "\(lent)")
        #expect(try library.run("--now", now, "eval", "return #loans.active('p1')").output.contains("0"))
    }
}
