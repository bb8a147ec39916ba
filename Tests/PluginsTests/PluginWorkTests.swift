import Circulation
import Desk
import LuaRuntime
import Plugins
import Scripting
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("The work of plugins")
struct PluginWorkTests {
    private let library: PluginLibrary

    init() throws {
        library = try PluginLibrary()
    }

    @Test("events are handled in their order, each once, from the moment on at which the plugin came into force")
    func once() throws {
        try library.charge(times: 2)
        try library.use(
            PluginLibrary.plugin("state.set(\"seen\", (state.get(\"seen\") or \"\") .. event.sequence .. \" \")"))
        try library.charge(times: 3)
        let worker = library.worker()
        #expect(try worker.work().handled == 3)
        #expect(try worker.work().handled == 0)
        let sequences = try library.desk.read { session in
            try session.events.list(EventQuery(kind: "ledger.posted")).map(\.sequence).suffix(3)
        }
        #expect(try library.value("seen") == .string(sequences.map { "\($0) " }.joined()))
        #expect(try library.plugin()?.progress.handled == 3)
    }

    @Test("handlers that only look, that write and that fail take turns, and nothing is done twice or left out")
    func mixed() throws {
        try library.use(
            PluginLibrary.plugin(
                """
                local n = (state.get("n") or 0) + 1
                state.set("n", n)
                print(n)
                if n % 7 == 0 then
                    fees.charge { patron = "bob", amount = money "1.00", label = "y", key = "p" .. event.sequence }
                end
                if n == 19 and not settings.heals then error("broken") end
                """, needs: "\"fees.write\""
            ).replacing("on = {", with: "settings = { heals = { type = \"boolean\", default = false } }, on = {"))
        try library.charge(times: 230)
        let worker = library.worker()
        let work = try worker.work()
        #expect(work.handled == 18 && work.putOff == 1 && work.problems.count == 1)
        #expect(try library.value("n") == .integer(18) && library.plugin()?.progress.handled == 18)
        #expect(library.output.takePrinted() == (1...19).map { "\($0)" })
        _ = try library.desk.write { try $0.plugins.configure("counter", ["heals": true]) }
        library.clock.set(try #require(work.next))
        #expect(try worker.work().handled == 212)
        #expect(try library.value("n") == .integer(230) && library.plugin()?.progress.handled == 230)
        #expect(try library.desk.read { try $0.fees.balance(of: 2) }.minorUnits == 3_200)
        #expect(library.output.takePrinted() == (19...230).map { "\($0)" })
    }

    @Test("of events that keep too much together, those before the one that is too much are handled")
    func full() throws {
        try library.use(PluginLibrary.plugin("state.set(\"k\" .. event.sequence, (\"x\"):rep(400000))"))
        try library.charge(times: 4)
        let work = try library.worker().work()
        #expect(work.handled == 2 && work.putOff == 1)
        #expect(try library.plugin()?.progress.handled == 2 && library.plugin()?.progress.tries == 1)
    }

    @Test("two workers share the work, and no event is handled twice")
    func twoWorkers() throws {
        try library.use(PluginLibrary.counting)
        let (one, two) = (library.worker("one"), library.worker("two"))
        for _ in 0..<3 {
            try library.charge(times: 2)
            _ = try one.work()
            _ = try two.work()
        }
        #expect(try library.value("n") == .integer(6))
    }

    @Test("a worker that is not heard of loses the plugin, and what it would still do is undone")
    func lease() throws {
        try library.use(PluginLibrary.counting)
        try library.charge()
        let lease = PluginHold.Lease(machineNow: library.clock.now(), seconds: 60)
        let lost = try library.desk.write { try $0.plugins.claim("counter", owner: "gone", lease: lease) }
        #expect(try library.worker().work().isElsewhere)
        try library.clock.advance(microseconds: 61_000_000)
        #expect(try library.worker().work().handled == 1)
        var hold = try #require(lost)
        let last = try library.desk.read { try $0.events.last() }
        #expect(throws: PluginLost.self) { try library.desk.write { try $0.plugins.handled(&hold, last) } }
        #expect(try library.value("n") == .integer(1))
    }

    @Test("a fault between what the handler wrote and the commit leaves nothing; then the event is handled once")
    func injectedFault() throws {
        let charging = """
            fees.charge { patron = "bob", amount = money "1.00", label = "y", key = "p" .. event.sequence }
            """
        // What it keeps is too much, which shows after the handler has come to its end.
        let large = "state.set(\"a\", (\"x\"):rep(700000)) state.set(\"b\", (\"x\"):rep(700000))"
        try library.use(PluginLibrary.plugin(charging + large, needs: "\"fees.write\""))
        try library.charge()
        let before = try library.plugin()?.progress.position
        #expect(try library.worker().work().putOff == 1)
        #expect(try library.desk.read { try $0.fees.balance(of: 2) }.minorUnits == 0)
        #expect(try library.value("a") == nil && library.plugin()?.progress.position == before)
        try library.use(PluginLibrary.plugin(charging, needs: "\"fees.write\"", version: "2"))
        for name in ["one", "two"] { _ = try library.worker(name).work() }
        #expect(try library.desk.read { try $0.fees.balance(of: 2) }.minorUnits == 100)
    }

    @Test(
        "what fails is undone and tried again after longer pauses, ten times; then it is set aside and the next goes on"
    )
    func setAside() throws {
        let source = PluginLibrary.plugin(
            """
            fees.charge { patron = "bob", amount = money "1.00", label = "y", key = "p" .. event.sequence }
            if event.entries[1].patron.username == "ada" then error("not for ada") end
            """, needs: "\"fees.write\"")
        try library.use(source)
        try library.charge("ada")
        try library.charge("bob")
        let worker = library.worker()
        var pauses: [Int64] = []
        for _ in 1...9 {
            let work = try worker.work()
            #expect(work.putOff == 1)
            let next = try #require(work.next)
            pauses.append((next.microseconds - library.clock.now().microseconds) / 1_000_000)
            #expect(try worker.work().isIdle)
            library.clock.set(next)
        }
        #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512])
        let work = try worker.work()
        #expect(work.setAside == 1 && work.handled == 1)
        let failure = try #require(try library.failures().first)
        #expect(failure.fault.message.contains("not for ada") && failure.fault.file == "plugin.lua")
        #expect(failure.fault.line == 5 && failure.tries == 10 && failure.fault.trace != nil)
        // Bob owes what he was charged, and what the plugin charged him once.
        #expect(try library.desk.read { try $0.fees.balance(of: 2) }.minorUnits == 200)
    }

    @Test("what was set aside is tried again when somebody asks, by the version in force then")
    func retry() throws {
        try library.use(PluginLibrary.plugin("error(\"broken\")"))
        try library.charge()
        try failAtOnce()
        #expect(try library.failures().count == 1)
        try library.use(PluginLibrary.plugin("state.set(\"n\", 1)", version: "1.0.1"))
        #expect(try library.desk.write { try $0.plugins.retry("counter") }.value == 1)
        #expect(try library.worker().work().handled == 1)
        #expect(try library.failures().isEmpty)
        #expect(try library.value("n") == .integer(1))
        #expect(try library.worker().work().isIdle)
    }

    /// Works until nothing is put off any more.
    private func failAtOnce() throws {
        let worker = library.worker()
        while let next = try worker.work().next { library.clock.set(next) }
    }

    @Test("a plugin all of whose last twenty events failed is paused, and goes on when it is switched on")
    func paused() throws {
        try library.use(PluginLibrary.plugin("error(\"broken\")"))
        try library.charge(times: 21)
        try failAtOnce()
        #expect(try library.plugin()?.state == .paused)
        #expect(try library.failures().count == 20)
        #expect(try library.desk.read { try $0.plugins.history(of: "counter").first?.action } == .paused)
        try library.use(PluginLibrary.counting)
        #expect(try library.worker().work().handled == 1)
        #expect(try library.plugin()?.state == .active)
    }

    @Test("a chain of causes ends at depth 8 with an error that shows it")
    func chain() throws {
        func passing(_ from: String, _ patron: String) -> String {
            PluginLibrary.plugin(
                """
                local entry = event.entries[1]
                if entry.patron.username ~= "\(from)" then return end
                fees.charge { patron = "\(patron)", amount = money "1.00", label = "y", key = "\(patron)" .. event.sequence }
                """, name: "to-\(patron)", needs: "\"fees.write\"")
        }
        try library.use(passing("ada", "bob"))
        try library.use(passing("bob", "ada"))
        try library.charge("ada")
        let work = try library.worker().work()
        #expect(work.handled >= 8 && work.setAside >= 1)
        let failure = try #require(try (library.failures("to-bob") + library.failures("to-ada")).first)
        #expect(failure.fault.code == "chain")
        #expect(failure.fault.message.contains("to-ada, because of ledger.posted"))
        #expect(try library.desk.read { try $0.events.list(EventQuery(kind: "ledger.posted")).count } == 9)
    }

    @Test("a plugin does not see its own doings unless it asks", arguments: [false, true])
    func own(asks: Bool) throws {
        let source = PluginLibrary.plugin(
            """
            state.set("n", (state.get("n") or 0) + 1)
            if state.get("n") < 4 then
                fees.charge { patron = "bob", amount = money "1.00", label = "y", key = "p" .. event.sequence }
            end
            """, needs: "\"fees.write\"", own: asks)
        try library.use(source)
        try library.charge()
        let work = try library.worker().work()
        #expect(work.problems == [], "\(work.problems)")
        #expect(try library.value("n") == .integer(asks ? 4 : 1))
    }

    @Test("without a right the database itself refuses the write")
    func rights() throws {
        try library.use(PluginLibrary.plugin("state.set(\"n\", patrons.count())"))
        try library.charge()
        #expect(try library.worker().work().handled == 1)
        #expect(throws: StoreError.self) {
            try library.desk.read { try $0.transaction.plugins.remove("counter") }
        }
        // Even where the check by names is passed by: a call that is made up as the plugin runs.
        try library.use(
            PluginLibrary.plugin("fees[\"char\" .. \"ge\"] { patron = 2, amount = 1, label = \"y\", key = \"z\" }"))
        try library.charge()
        let work = try library.worker().work()
        #expect(work.putOff == 1 && work.problems.first?.contains("fees.write") == true)
    }

    @Test("a version comes into force for workers that run, and back, while events come")
    func swap() throws {
        func version(_ number: Int) -> String {
            PluginLibrary.plugin(
                "state.set(\"by\", (state.get(\"by\") or \"\") .. \"\(number)\")", version: "\(number).0.0")
        }
        let worker = library.worker()
        try library.use(version(1))
        try library.charge()
        _ = try worker.work()
        try library.use(version(2))
        try library.charge()
        _ = try worker.work()
        _ = try library.desk.write { try $0.plugins.rollback("counter") }
        try library.charge()
        _ = try worker.work()
        _ = try library.desk.write { try $0.plugins.disable("counter") }
        try library.charge()
        #expect(try worker.work().isIdle)
        _ = try library.desk.write { try $0.plugins.enable("counter") }
        _ = try worker.work()
        #expect(try library.value("by") == "1211")
    }

    @Test(
        "a handler that a person would not write is ended, and the desk goes on",
        arguments: [
            "while true do end", "pcall(function() while true do end end) while true do end",
            "local t = {} while true do t[#t + 1] = (\"x\"):rep(1000) .. #t end",
            "local function f() return 1 + f() end f()", "local s = \"x\" while true do s = s .. s end",
            "state.set(\"big\", (\"x\"):rep(2 << 20))",
            "for i = 1, 30 do state.set(\"k\" .. i, (\"x\"):rep(60000)) end",
            "(\"a\"):rep(30):find((\"a-\"):rep(30) .. \"b\") while true do end",
        ])
    func hostile(body: String) throws {
        try library.use(PluginLibrary.plugin(body))
        try library.charge()
        let worker = library.worker(limits: LuaLimits(memory: 8 << 20, deadline: .milliseconds(60)))
        #expect(try worker.work().putOff == 1)
        #expect(try library.value("big") == nil && library.value("k1") == nil)
        try library.use(PluginLibrary.counting)
        #expect(try worker.work().handled == 1)
    }

    @Test("what is kept about a patron goes with the patron")
    func removal() throws {
        try library.use(PluginLibrary.plugin("state.set(\"n\", 1, event.entries[1].patron) state.set(\"m\", 1)"))
        try library.charge("ada")
        _ = try library.worker().work()
        #expect(try library.desk.read { try $0.plugins.values(about: 1).map(\.value.key) } == ["n"])
        try library.desk.write { session in
            _ = try session.fees.waive(
                .username("ada"), amount: Money(minorUnits: 100, currency: .eur), label: "w", key: "w")
            #expect(try session.patrons.remove(.username("ada")).value != nil)
        }
        #expect(try library.value("n") == nil)
        #expect(try library.value("m") == .integer(1))
    }

    @Test("nothing in a variable lasts from one event to the next")
    func stateless() throws {
        let source = PluginLibrary.plugin("cache[1] = 1").replacing(
            "return plugin", with: "local cache = {}\nreturn plugin")
        try library.use(source)
        try library.charge()
        #expect(try library.worker().work().problems.first?.contains("stateful") == true)
    }
}
