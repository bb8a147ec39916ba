import Foundation
import TestSupport
import Testing

/// Reports that the server makes: whatever a script on the shelf does, the server goes on.
@Suite("Reports on the shelf of a server")
struct ServedReportTests {
    /// A server whose staff may run these scripts, by name.
    private struct Shelf: ~Copyable {
        let library: SmallLibrary
        let running: BuiltCommand.Running
        let port: Int
        let cookie: String

        init(_ scripts: [String: String], seconds: Int = 20, role: String = "staff") throws {
            let library = try SmallLibrary()
            try FileManager.default.createDirectory(
                atPath: library.folder.path("shelf"), withIntermediateDirectories: true)
            for (name, text) in scripts { try library.folder.write(text, to: "shelf/\(name).lua") }
            try library.folder.write("[server]\nscripts = \"shelf\"\ntime_limit = \(seconds)\n", to: "moonshelf.toml")
            let made = try library.command.run(
                ["account", "add", "zoe", "--role", role], input: "a good password for staff\n")
            #expect(made.status == 0, "\(made)")
            let running = try library.command.start(["serve", "--http", "127.0.0.1:0"])
            let said = running.output.wait { $0.contains("\n") } ?? ""
            let digits = said.prefix { $0 != "\n" }.split(separator: ":").last ?? ""
            let port = try #require(Int(digits), "\(said)")
            let cookie = try Self.entry(port)
            self.library = library
            self.running = running
            self.port = port
            self.cookie = cookie
        }

        deinit {
            // No server outlives its test, however that ends.
            if running.process.isRunning { kill(running.process.processIdentifier, SIGKILL) }
        }

        /// A session of the page's, from its form to its cookie.
        private static func entry(_ port: Int) throws -> String {
            let form = try exchange(port, "GET /log-in HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let seal = form.firstMatch(of: /name="seal" value="([^"]*)"/)?.1 ?? ""
            let once = form.firstMatch(of: /name="once" value="([^"]*)"/)?.1 ?? ""
            let cookies = form.matches(of: /[Ss]et-[Cc]ookie: ([^;\r]*)/).map { String($0.1) }
            let body = "username=zoe&password=a+good+password+for+staff&seal=\(seal)&once=\(once)"
            let answer = try exchange(
                port,
                "POST /log-in HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookies.joined(separator: "; "))\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n\(body)")
            let session = answer.matches(of: /[Ss]et-[Cc]ookie: ([^;\r]*)/).map { String($0.1) }
            return (cookies + session).joined(separator: "; ")
        }

        private static func exchange(_ port: Int, _ text: String) throws -> String {
            let connection = try #require(RawConnection(port: port))
            connection.send(text)
            return connection.all()
        }

        func get(_ path: String) throws -> String {
            try Self.exchange(
                port,
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\nConnection: close\r\n\r\n")
        }
    }

    @Test("a report is made as the command makes it, with its arguments")
    func works() throws {
        let shelf = try Shelf([
            "greeting": #"report.params{ who = { type = "text", default = "all" } } report.text("Hello " .. args.who)"#
        ])
        #expect(try shelf.get("/desk/reports/greeting").contains(#"value="all""#))
        let report = try shelf.get("/desk/reports/greeting/result?who=Ada")
        #expect(report.hasPrefix("HTTP/1.1 200") && report.contains("Hello Ada"), "\(report)")
        #expect(try shelf.get("/desk/reports/none/result").hasPrefix("HTTP/1.1 404"))
        // A plugin that comes into force while the server runs.
        try FileManager.default.createDirectory(
            atPath: shelf.library.folder.path("late/reports"), withIntermediateDirectories: true)
        try shelf.library.folder.write(
            """
            return plugin { api = 1, name = "courier", version = "1", reports = { "reports/late.lua" },
                settings = { greeting = { type = "text", default = "Good evening" } } }
            """, to: "late/plugin.lua")
        try shelf.library.folder.write(
            "report.params { who = 'text' } report.text(settings.greeting .. ' ' .. args.who)",
            to: "late/reports/late.lua")
        let used = try shelf.library.run("plugin", "use", "late")
        #expect(used.status == 0, "\(used)")
        #expect(try shelf.get("/desk/reports").contains("Late (courier)"))
        let late = try shelf.get("/desk/reports/courier:late/result?who=Ada")
        #expect(late.hasPrefix("HTTP/1.1 200") && late.contains("Good evening Ada"), "\(late)")
        let run = try shelf.library.run("run", "courier:late", "--who", "Bob")
        #expect(run.output.hasSuffix("\nGood evening Bob\n"), "\(run)")
        let wrong = try shelf.library.run("run", "courier:lat")
        #expect(wrong.status == 2 && wrong.error.contains("did you mean 'courier:late'?"), "\(wrong)")
    }

    @Test("administrators find the plugins and the policies that come with the program")
    func shipped() throws {
        let shelf = try Shelf([:], role: "admin")
        #expect(try shelf.get("/desk/plugins").contains("href=\"/desk/plugins/marc\""))
        #expect(try shelf.get("/desk/plugins/marc").contains("Put into force"))
        #expect(try shelf.get("/desk/policy/draft?from=university").contains("university.lua"))
    }

    @Test("scripts that crash a process, take too long or too much leave the server as it was")
    func hostile() throws {
        let chain = String(repeating: "._ENV", count: 150_000)
        let shelf = try Shelf(
            [
                "chain": "-- x\rlocal function f(_ENV) return x\(chain).y + 1 end f({})",
                "fields": "local x = {} return x\(String(repeating: ".y", count: 240_000)) + 1",
                "endless": "while true do end", "asked": "report.params{ a = { type = 'text' } } while true do end",
                "large": "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(100) .. i end",
                "nested": "return \(String(repeating: "(", count: 100_000))1\(String(repeating: ")", count: 100_000))",
            ], seconds: 8)
        for name in ["chain", "fields", "endless", "asked", "large", "nested"] {
            var answer = try shelf.get("/desk/reports/\(name)/result")
            // A busy machine may be too late to say what became of a report; then it says 503.
            for _ in 0..<5 where answer.hasPrefix("HTTP/1.1 503") {
                answer = try shelf.get("/desk/reports/\(name)/result")
            }
            #expect(answer.hasPrefix("HTTP/1.1 422") || answer.hasPrefix("HTTP/1.1 404"), "\(name): \(answer)")
        }
        #expect(try shelf.get("/health").hasPrefix("HTTP/1.1 200"))
        #expect(try shelf.get("/desk/reports").contains("/desk/reports/endless"))
        kill(shelf.running.process.processIdentifier, SIGTERM)
        #expect(shelf.running.wait().status == 0)
    }
}
