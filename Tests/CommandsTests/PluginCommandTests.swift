import Foundation
import Testing
import TextFormats

@Suite("Plugins at the command line")
struct PluginCommandTests {
    private static func plugin(
        version: String = "1", needs: String = "", handler: String = "log.info(event.sequence)"
    ) -> String {
        """
        return plugin {
            api = 1, name = "courier", version = "\(version)", needs = { \(needs) },
            settings = { key = { type = "secret" }, round = { type = "integer", default = 2, min = 1, max = 9 } },
            on = { ["loan.made"] = function(event) \(handler) end },
        }
        """
    }

    private func write(_ source: String, tests: String? = nil, in library: borrowing SmallLibrary) throws {
        let folder = library.folder.url.appending(path: "courier")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(source.utf8).write(to: folder.appending(path: "plugin.lua"))
        if let tests { try Data(tests.utf8).write(to: folder.appending(path: "plugin_test.lua")) }
    }

    @Test("a secret is shown nowhere: not by commands, not in events, not in an export")
    func secrets() throws {
        let library = try SmallLibrary()
        try write(Self.plugin(handler: "print(settings.key) error('x ' .. tostring(settings.round))"), in: library)
        let secret = "very-secret-word"
        let used = try library.run("plugin", "use", "courier", "--set", "key=\(secret)")
        #expect(used.status == 0, "\(used)")
        try library.run(
            "eval", "--allow", "loans.write", "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' }")
        for words in [
            ["plugin", "list"], ["plugin", "list", "--json"], ["plugin", "show", "courier"],
            ["plugin", "show", "courier", "--json"], ["plugin", "settings", "courier"],
            ["plugin", "settings", "courier", "--json"], ["plugin", "history", "courier", "--json"],
            ["plugin", "failures", "courier", "--json"],
            ["plugin", "settings", "courier", "--set", "round=12"],
            ["eval", "store.events{ kind = 'plugin.changed' }().payload"], ["export", "all.json"],
        ] {
            let result = try library.command.run(words)
            #expect(!(result.output + result.error).contains(secret), "\(words): \(result)")
        }
        let exported = try String(contentsOf: library.folder.url.appending(path: "all.json"), encoding: .utf8)
        #expect(!exported.contains(secret))
        let settings = try library.run("plugin", "settings", "courier", "--json").json()
        #expect(settings.arrayValue?.first?["is_set"] == true, "\(settings.text())")
    }

    @Test("a check reads all folders, names the one that cannot be read, and knows the paths of plugins in force")
    func checks() throws {
        let library = try SmallLibrary()
        let sources = [
            "one": "pages = { { path = \"/p\", title = \"P\", role = \"everyone\", run = print } }",
            "two": "routes = { [\"GET /p\"] = { role = \"staff\", run = print } }",
            "odd": "on = { [\"loan.made\"] = function(event) if x then end }",
        ]
        for (name, source) in sources {
            let folder = library.folder.url.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = "return plugin { api = 1, name = \"\(name)\", version = \"1\", \(source) }"
            try Data(text.utf8).write(to: folder.appending(path: "plugin.lua"))
        }
        #expect(try library.run("plugin", "use", "one").status == 0)
        let checked = try library.run("plugin", "check", "odd", "two", "one")
        #expect(checked.status != 0 && checked.error.contains("odd/plugin.lua:1"), "\(checked)")
        #expect(checked.output.contains("/p is answered at by the plugin 'one'"), "\(checked)")
        #expect(checked.output.contains("one: No problems found."), "\(checked)")
    }

    @Test("a schedule runs the jobs of plugins without a configuration too")
    func jobs() throws {
        let library = try SmallLibrary()
        let source = """
            return plugin { api = 1, name = "clock", version = "1",
                jobs = { { name = "tick", every = "1s", run = function() print("tick") end } } }
            """
        try write(source, in: library)
        #expect(try library.run("plugin", "use", "courier").status == 0)
        let running = try library.command.start(["schedule", "watch"])
        let done = running.output.wait { $0.contains("clock:tick, planned") && $0.contains("succeeded") }
        #expect(done != nil, "\(running.output) \(running.error)")
        kill(running.process.processIdentifier, SIGTERM)
        #expect(running.wait().status == 0)
    }

    @Test("if anything fails nothing changes, and what a version needs more is granted again")
    func use() throws {
        let library = try SmallLibrary()
        try write(Self.plugin(), tests: "test('a', function() expect(1, 1) end)", in: library)
        #expect(try library.run("plugin", "use", "courier", "--set", "key=k", "--set", "round=3").status == 0)
        let before = try library.run("plugin", "list", "--json").json()
        let wrong = try library.run("plugin", "use", "courier", "--set", "round=10")
        #expect(wrong.status == 1 && wrong.error.contains("round"), "\(wrong)")
        try write(Self.plugin(version: "2"), tests: "test('a', function() expect(1, 2) end)", in: library)
        let failing = try library.run("plugin", "use", "courier")
        #expect(failing.status == 1 && failing.error.contains("nothing was changed"), "\(failing)")
        try write(Self.plugin(version: "2", handler: "evnt()"), in: library)
        #expect(try library.run("plugin", "use", "courier").status == 1)
        try write(
            Self.plugin(version: "2", needs: "\"loans.write\""), tests: "test('a', function() expect(1, 1) end)",
            in: library)
        let ungranted = try library.run("plugin", "use", "courier")
        #expect(ungranted.status == 1 && ungranted.error.contains("--allow loans.write"), "\(ungranted)")
        #expect(try library.run("plugin", "list", "--json").json() == before)
        let granted = try library.run("plugin", "use", "courier", "--allow", "loans.write", "--set", "round=5")
        #expect(granted.status == 0, "\(granted)")
        let differs = try library.run("plugin", "diff", "courier", "courier")
        #expect(differs.status == 0 && differs.output.isEmpty, "\(differs)")
        let back = try library.run("plugin", "rollback", "courier", "--json")
        let round = try library.run("plugin", "settings", "courier", "--json").json().arrayValue?.last?["value"]
        #expect(try back.json()["version"] == "1" && round == 3, "\(back)")
        #expect(try library.run("plugin", "history", "courier", "--json").json().arrayValue?.count == 3)
    }

    @Test("a version brings over what the one before left, or does not come into force; so does a rollback")
    func migrate() throws {
        let library = try SmallLibrary()
        func version(_ version: String, _ body: String) -> String {
            """
            return plugin {
                api = 1, name = "courier", version = "\(version)", needs = { "patrons.write" },
                migrate = function(from) \(body) state.set("came", from) end,
            }
            """
        }
        try write(version("1", "error('there is no way back')"), in: library)
        #expect(try library.run("plugin", "use", "courier", "--allow", "patrons.write").status == 0)
        let block = "patrons.block { patron = 'p1', kind = 'k', reason = 'x' }"
        try write(version("2", "\(block) error('too old: ' .. from)"), in: library)
        let refused = try library.run("plugin", "use", "courier")
        #expect(refused.status == 3 && refused.error.contains("too old: 1; nothing was changed"), "\(refused)")
        #expect(try library.eval("#patrons.blocks('p1')") == "0")
        try write(version("2", block), in: library)
        #expect(try library.run("plugin", "use", "courier", "--json").json()["version"] == "2")
        #expect(try library.eval("store.events{ kind = 'patron.blocked' }().actor") == "plugin:courier")
        #expect(try library.run("plugin", "use", "courier").status == 0)
        #expect(try library.eval("#patrons.blocks('p1')") == "1", "the same files were migrated again")
        let back = try library.run("plugin", "rollback", "courier")
        #expect(back.status == 3 && back.error.contains("there is no way back"), "\(back)")
        #expect(try library.run("plugin", "list", "--json").json().arrayValue?.first?["version"] == "2")
    }

    @Test(
        "worked until done, set aside, tried again, switched off, removed: each is said, and a name that is none is told of",
        arguments: StoreChoice.allCases)
    func life(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        try write(Self.plugin(handler: "state.set('last', event.sequence)"), in: library)
        #expect(try library.run("plugin", "use", "courier", "--set", "key=k").status == 0)
        let lend = "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' }"
        try library.run("eval", "--allow", "loans.write", lend)
        let work = try library.run("plugin", "work", "--until-done", "--json")
        #expect(try work.status == 0 && work.json()["handled"] == 1, "\(work)")
        #expect(try library.run("plugin", "work", "--until-done", "--json").json()["handled"] == 0)
        let sequence = try library.eval("store.events{ kind = 'loan.made' }().sequence")
        let rehearsed = try library.run("plugin", "run", "courier", "--event", sequence, "--json")
        #expect(try rehearsed.status == 0 && rehearsed.json()["handled"] == true, "\(rehearsed)")
        #expect(try library.run("plugin", "failures", "courier", "--json").json() == [])
        let none = try library.run("plugin", "retry", "courier")
        #expect(none.status == 1 && none.error.contains("has not set aside"), "\(none)")
        for (words, state) in [(["disable"], "disabled"), (["enable"], "active")] {
            let changed = try library.command.run(["plugin"] + words + ["courier", "--json"])
            #expect(try changed.status == 0 && changed.json()["state"] == .string(state), "\(changed)")
        }
        let near = try library.run("plugin", "disable", "couriers")
        #expect(near.status == 1, "\(near)")
        let shown = try library.run("plugin", "show", "couriers")
        #expect(shown.status == 1 && shown.error.contains("did you mean 'courier'?"), "\(shown)")
        #expect(try library.run("plugin", "remove", "courier", "--purge").status == 0)
        #expect(try library.run("plugin", "list", "--json").json() == [])
        #expect(try library.run("doctor").status == 0)
    }
}
