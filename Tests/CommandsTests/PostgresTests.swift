import Foundation
import Glibc
import TestSupport
import Testing
import TextFormats

@Suite(
    "The commands over PostgreSQL", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct PostgresTests {
    static let lend = "return loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }"

    @Test("a library is made, refuses a loan, changes its policy, grants the loan, sweeps, reports and is sound")
    func wholeDay() throws {
        let library = try SmallLibrary(.postgres, policy: strict)
        let lend = ["eval", "--format", "json", "--allow", "loans.write", "--now", "2026-01-05T10:00:00Z", Self.lend]
        let refused = try library.command.run(lend)
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.error.contains("limit"))

        try library.folder.write(SmallLibrary.policy, to: "generous.lua")
        let used = try library.run(
            "policy", "use", "generous.lua", "--note", "Friendlier", "--now", "2026-01-05T10:01:00Z")
        #expect(used.status == 0, "\(used)")
        let granted = try library.command.run(lend.map { $0 == "2026-01-05T10:00:00Z" ? "2026-01-05T10:02:00Z" : $0 })
        #expect(granted.status == 0, "\(granted)")

        let swept = try library.run("notices", "sweep", "--json", "--now", "2026-01-25T10:00:00Z")
        #expect(swept.status == 0, "\(swept)")
        #expect(try library.run("notices", "list", "--json").output.contains("Please return it."))
        let report = try library.command.run(
            ["run", "--format", "csv", BuiltCommand.root.appending(path: "scripts/circulation_by_month.lua").path])
        #expect(report.output.contains("2026-01,1"), "\(report)")
        let exported = try library.run("export", "all.json")
        #expect(exported.status == 0, "\(exported)")
        #expect(try library.isSound())
        let history = try library.run("policy", "history", "--json")
        #expect(history.output.contains("Friendlier"))
    }

    private var strict: String {
        SmallLibrary.policy.replacing("{ max = 5 }", with: "{ max = 0 }").replacing(
            "name = \"small\"", with: "name = \"strict\"")
    }

    @Test("an import twice adds nothing the second time, and init twice changes nothing")
    func imports() throws {
        let library = try SmallLibrary(.postgres)
        for added in [2, 0] {
            try library.folder.write("title,authors\nSylvie,Nerval\nMaldoror,Lautréamont\n", to: "more.csv")
            let result = try library.run("import", "--json", "more.csv")
            #expect(try result.json()["added"]?.integerValue == Int64(added), "\(result)")
            #expect(try library.run("init").status == 0)
        }
        #expect(try library.eval("return catalogue.count{ query = 'lautreamont' }") == "1")
        #expect(try library.isSound())
    }

    @Test("without write grants the database itself refuses to write")
    func readOnly() throws {
        let library = try SmallLibrary(.postgres)
        let result = try library.run("eval", "--format", "json", Self.lend)
        #expect(result.status == 3, "\(result)")
        #expect(try result.failure()["error"]?["code"] == "capability")
    }

    @Test("a server that is not there is said so in one plain line, with exit status 69")
    func noServer() throws {
        let folder = try TemporaryFolder()
        let server = try PostgresServer()
        let url = server.url("postgres")
        #expect(try folder.command.run("--store", url, "init").status == 0)
        server.stop()
        for arguments in [["doctor"], ["init"], ["eval", "--allow", "loans.write", "return 1"]] {
            let result = try folder.command.run(["--store", url] + arguments)
            #expect(result.status == 69, "\(result)")
            #expect(result.error.contains("does not answer") && result.error.split(separator: "\n").count == 1)
        }
        try server.start()
        #expect(try folder.command.run("--store", url, "doctor").status == 0)
    }

    @Test("a connection that is killed in the middle of a transaction ends with 69, and nothing of it was kept")
    func killedConnection() throws {
        let library = try SmallLibrary(.postgres)
        let server = try PostgresServer.shared
        let name = try #require(library.address?.split(separator: "/").last?.split(separator: "?").first)
        let held = """
            store.transaction(function()
                assert(loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' })
                print('holding')
                for i = 1, 1e9 do loans.active{ patron = 'p1' } end
            end)
            """
        let running = try library.command.start(["eval", "--allow", "loans.write", held])
        #expect(running.output.firstLine() == "holding")
        // The transaction that holds the turn is the one to kill.
        var killed: [[String?]] = []
        try Waiting.until("the transaction waits for its next statement") {
            killed = try server.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = '\(name)' AND state = 'idle in transaction' AND backend_xid IS NOT NULL
                """)
            return !killed.isEmpty
        }
        let result = running.wait()
        #expect(result.status == 69, "\(result)")
        #expect(result.error.contains("nothing of the change was kept"))
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "0")
        #expect(try library.isSound())
    }

    @Test("processes whose connections are killed again and again lose nothing that was reported as done")
    func killedAgainAndAgain() throws {
        let library = try SmallLibrary(.postgres)
        let server = try PostgresServer.shared
        let name = try #require(library.address?.split(separator: "/").last?.split(separator: "?").first)
        let line = """
            local done = 0
            for i = 1, 60 do
                local fine, loan = pcall(loans.checkout, { patron = 'clerk', isbn = '\(SmallLibrary.odyssey)' })
                if not fine then break end
                if loan then print(loan.id) end
            end
            """
        let running = try (0..<3).map { _ in
            try library.command.start(["eval", "--allow", "loans.write", line])
        }
        var kills = 0
        for _ in 0..<40 where running.contains(where: { $0.process.isRunning }) {
            kills += try server.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = '\(name)' AND state LIKE 'idle in transaction%' LIMIT 1
                """
            ).count
            usleep(50_000)
        }
        let told = running.map { $0.wait().output.split(separator: "\n").compactMap { Int64($0) } }.flatMap { $0 }
        #expect(Set(told).count == told.count)
        let kept = try library.eval(
            "local ids = {} for _, l in ipairs(loans.active{ patron = 'clerk' }) do ids[#ids + 1] = l.id end"
                + " return table.concat(ids, ' ')")
        let ids = Set(kept.split(separator: " ").compactMap { Int64($0) })
        #expect(ids.isSuperset(of: told), "killed \(kills) connections")
        #expect(try library.isSound())
    }
}
