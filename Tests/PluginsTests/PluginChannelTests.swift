import Circulation
import Desk
import LuaRuntime
import Plugins
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("The channels of plugins")
struct PluginChannelTests {
    private let library: PluginLibrary

    init() throws {
        library = try PluginLibrary()
    }

    private static func plugin(_ body: String, _ fields: String = "") -> String {
        """
        return plugin { api = 1, name = "courier", version = "1", needs = { "patrons.write" },
            channels = { pager = { \(fields) run = function(notice)
                state.set("calls", (state.get("calls") or "") .. notice.key .. " ")
                \(body)
            end } },
        }
        """
    }

    private func send(to patron: String = "ada", _ key: String = "one") throws {
        _ = try library.desk.write { session in
            try session.notices.send(
                to: .username(patron), channel: "courier:pager", subject: "Look", body: "Your book.", key: key)
        }
    }

    private func deliver() throws -> DeliveryReport {
        let pool = PluginPool(desk: library.desk, clock: library.clock) { RecordedOutput() }
        let delivery = try PluginDelivery(NoDelivery(), of: pool, at: library.desk)
        return try library.desk.deliver(by: delivery, control: DeliveryControl(chance: { 0.5 }))
    }

    struct NoDelivery: Delivery {
        let channels: Set<String> = []
        let timeLimit = Duration.seconds(60)
        func messagesAMinute(by channel: String) -> Int? { nil }
        func deliver(_ consignment: Consignment) -> DeliveryOutcome { .stopped }
    }

    @Test("a message goes out with all that it has, while no transaction is open, and the plugin's rights hold")
    func sent() throws {
        try library.use(
            Self.plugin(
                """
                store.transaction(function()
                    patrons.block { patron = notice.patron, kind = "told", reason = notice.subject .. notice.body }
                end)
                state.set("to", notice.address .. " " .. notice.kind .. " " .. notice.tries)
                return true
                """, "address = \"email\","))
        try send()
        #expect(try deliver().sent == 1)
        #expect(try library.value("to", of: "courier") == "ada@example.org message 0")
        let last = try library.desk.read { try $0.events.list(EventQuery(kind: "patron.blocked")).last }
        #expect(last?.actor == "plugin:courier")
        #expect(try deliver() == DeliveryReport())
    }

    @Test("asked to come again, failing or silent, it is tried later under the same key; a text gives a message up")
    func failing() throws {
        for (body, isFinal, words) in [
            ("return { retry = \"the line is busy\" }", false, "the line is busy"),
            ("error(\"broken\")", false, "plugin.lua:4: broken"), ("return", false, "expected true, a text or"),
            ("return \"no such number\"", true, "no such number"),
        ] {
            let tests = try PluginChannelTests()
            try tests.library.use(Self.plugin(body))
            try tests.send()
            let first = try tests.deliver()
            #expect(first.problems.first?.fault.words.contains(words) == true, "\(first)")
            #expect(first.givenUp == (isFinal ? 1 : 0) && first.putOff == (isFinal ? 0 : 1), "\(first)")
            #expect(try tests.deliver().problems.isEmpty, "no pause after: \(body)")
            try tests.library.use(Self.plugin("return true").replacing("\"1\"", with: "\"2\""))
            try tests.library.clock.advance(microseconds: 86_400_000_000)
            #expect(try tests.deliver().sent == (isFinal ? 0 : 1))
            let keys = try tests.library.value("calls", of: "courier")?.stringValue?.split(separator: " ") ?? []
            #expect(keys.count == (isFinal ? 1 : 2) && Set(keys).count == 1, "\(keys)")
        }
    }

    @Test("the last error of a channel stands among the failures with its line, and administrators get a message of it")
    func kept() throws {
        _ = try library.desk.write { session in
            try session.patrons.add(
                Patron(
                    username: "root", name: "r", surname: "r", category: "patron", homeBranch: "main", role: .admin))
        }
        try library.use(Self.plugin("error(\"broken\")"))
        for key in ["one", "two"] {
            try send(key)
            _ = try deliver()
            try library.clock.advance(microseconds: 3_600_000_000)
        }
        let failure = try #require(try library.failures("courier").first)
        #expect(try library.failures("courier").count == 1 && failure.isCall && failure.kind == "channel pager")
        #expect(failure.tries >= 2 && failure.fault.line == 4 && failure.fault.trace != nil, "\(failure)")
        #expect(try library.desk.read { try $0.plugins.failureCount(of: "courier") } == 0, "no event was set aside")
        let told = try library.desk.read { try $0.notices.list(NoticeQuery(channel: "inbox")).map(\.subject) }
        #expect(told == ["Plugin courier has failed"])
        #expect(try library.desk.write { try $0.plugins.retry("courier") }.value == 0)
        #expect(try library.failures("courier").isEmpty)
        try library.clock.advance(microseconds: 86_400_000_000)
        _ = try deliver()
        #expect(try library.failures("courier").count == 1)
        try library.use(Self.plugin("return true").replacing("\"1\"", with: "\"2\""))
        #expect(try library.failures("courier").isEmpty, "another version may do better")
    }

    @Test("without its plugin a message waits; without an address it is given up; names of neither form are refused")
    func unknown() throws {
        try send()
        let report = try deliver()
        #expect(report.notSetUp == ["courier:pager": 1] && report.givenUp == 0, "\(report)")
        try library.use(Self.plugin("return true", "address = \"phone\","))
        #expect(try deliver().problems.first?.fault.code == "no_address")
        let context = try ScriptContext(
            desk: library.desk, clock: library.clock.now, output: RecordedOutput(),
            permissions: .interactive(granted: [.notificationsWrite]))
        let failure = context.result(isDryRun: false, of: "x") {
            try context.state.call(
                context.state.load(
                    "notifications.send { patron = 'ada', channel = 'emial', subject = 's', body = 'b', key = 'k' }",
                    chunk: "x", environment: context.environment))
        }.failure
        #expect(failure?.message.contains("did you mean 'email'?") == true, "\(failure as ScriptFailure?)")
    }

    @Test("the check finds fields that a message does not have, and wrong fields of a channel")
    func check() throws {
        for (source, words) in [
            (Self.plugin("return notice.subjct"), "did you mean 'subject'"),
            (Self.plugin("return true", "quiet_hours = \"night\","), "two times of day"),
            (Self.plugin("return true", "per_minute = 0,"), "from 1 to 100000"),
        ] {
            let text = PluginCheck(try PluginLibrary.bundle(source)).report.text
            #expect(text.contains(words) && text.contains("1 error"), "\(text)")
        }
    }
}
