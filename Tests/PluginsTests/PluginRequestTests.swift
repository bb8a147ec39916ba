import Circulation
import Desk
import Plugins
import Scripting
import Storage
import Synchronization
import Testing
import TextFormats
import Workbench

/// A server that answers with a number that grows, so that asking twice shows.
final class CountingServer: RequestSender {
    private let asked = Mutex<[WebCall]>([])
    var count: Int { asked.withLock(\.count) }
    let hostsOfScripts: Set<String> = []
    let timeLimit = Duration.zero
    /// A fault instead of an answer.
    let fault = Mutex<DeliveryFault?>(nil)

    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String? { nil }
    func fault(of answer: WebAnswer, to call: WebCall) -> DeliveryFault? { nil }
    func send(_ call: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault> {
        let count = asked.withLock { asked in
            asked.append(call)
            return asked.count
        }
        if let fault = fault.withLock(\.self) { return .failure(fault) }
        return .success(WebAnswer(status: 200, headers: ["x-a": "b"], body: Array("{\"n\":\(count)}".utf8)))
    }
}

@Suite("Requests of plugins")
struct PluginRequestTests {
    private let server = CountingServer()
    private let library: PluginLibrary

    init() throws {
        let server = server
        library = try PluginLibrary(outside: ExternalServices(web: { server }))
    }

    private func use(_ body: String, needs: String = "\"http\", \"fees.write\"", settings: String = "") throws {
        let source = """
            return plugin {
                api = 1, name = "counter", version = "1", needs = { \(needs) },
                settings = { hook = { type = "url", default = "https://a.example/in" }, \(settings) },
                on = { ["ledger.posted"] = function(event)
            \(body)
                end },
            }
            """
        #expect(PluginCheck(try PluginLibrary.bundle(source)).report.isOK)
        _ = try #require(try library.use(source).value)
    }

    private func queued() throws -> [OutgoingRequest] {
        try library.desk.read { try $0.outbox.list(.queued) }.reversed()
    }

    private func work() throws -> [String] {
        try library.charge()
        return try library.worker().work().problems
    }

    @Test("a request goes into the outbox with what the handler writes, once, and nothing goes to the network")
    func posted() throws {
        try use(
            """
            http.post { url = settings.hook, json = { n = event.sequence }, headers = { ["X-A"] = "b" }, key = "k" }
            http.put { url = settings.hook .. "/2?a=1", form = { b = "ü &", c = 2 }, query = { d = "e f" } }
            state.set("n", 1)
            """)
        #expect(try work() == [])
        let requests = try queued()
        #expect(requests.map(\.method) == ["POST", "PUT"] && requests[0].headers == ["X-A: b"])
        #expect(requests[0].type == "application/json" && requests[0].owner == "plugin:counter")
        #expect(requests[1].url == "https://a.example/in/2?a=1&d=e%20f" && requests[1].body == "b=%C3%BC%20%26&c=2")
        #expect(try library.value("n") == 1)
        #expect(server.count == 0)
        // The key was sent already.
        #expect(try work() == [])
        #expect(try queued().count == 3)
    }

    @Test("what fails afterwards takes the request with it")
    func undone() throws {
        try use("http.post { url = settings.hook } error('no')")
        #expect(try work().count == 1)
        #expect(try queued().isEmpty)
    }

    @Test("what was answered before the first change is the same in the transaction, and asked once")
    func remembered() throws {
        try use(
            """
            local first = http.get { url = settings.hook }
            local second = http.post { url = settings.hook, json = { 1 }, now = true }
            fees.charge { patron = "bob", amount = money "1.00", label = "y", key = "p" .. event.sequence }
            state.set("n", first.json.n .. " " .. second.json.n .. " " .. first.headers["x-a"])
            """)
        #expect(try work() == [])
        #expect(try library.value("n") == "1 2 b")
        #expect(server.count == 2)
    }

    @Test("in a transaction nothing waits for a server, and the error says what to do")
    func inside() throws {
        try use(
            """
            fees.charge { patron = "bob", amount = money "1.00", label = "y", key = "p" .. event.sequence }
            http.get { url = settings.hook }
            """)
        let problem = try #require(try work().first)
        #expect(problem.contains("ask before store.transaction") && problem.contains("plugin.lua:6"), "\(problem)")
        #expect(server.count == 0)
    }

    @Test("a server that is not reached is a refusal, which the handler may see to")
    func refused() throws {
        server.fault.withLock { $0 = DeliveryFault("timed_out", "too late") }
        try use("local none, refusal = http.get { url = settings.hook } state.set('n', refusal.code)")
        #expect(try work() == [])
        #expect(try library.value("n") == "timed_out")
    }

    @Test(
        "only what the settings name is reached, and no field or address makes another request of it",
        arguments: [
            ("http.get { url = \"https://b.example/\" }", "may not reach https://b.example:443"),
            ("http.get { url = \"https://a.example:444/in\" }", "may not reach"),
            ("http.get { url = \"http://a.example/in\" }", "may not reach"),
            ("http.get { url = \"https://a.example.b.example/\" }", "may not reach"),
            ("http.get { url = \"https://a.example@b.example/\" }", "name or password"),
            ("http.get { url = \"https://a.example\\\\@b.example/\" }", "ASCII"),
            ("http.get { url = \"https://a.example/\\r\\nX: y\" }", "ASCII"),
            ("http.get { url = \"https://a.example./in\" }", "may not reach https://a.example.:443"),
            ("http.get { url = \"https://a.example%2eb.example/in\" }", "must have a host"),
            ("http.get { url = \"https://ａ.example/in\" }", "ASCII"),
            ("http.get { url = \"https://a.example#@b.example/\" }", "fragment"),
            ("http.get { url = \"https://2130706433/\" }", "may not reach"),
            ("http.get { url = \"https://[::ffff:127.0.0.1]/\" }", "may not reach"),
            ("http.get { url = \"file:///etc/passwd\" }", "must begin with"),
            ("http.post { url = settings.hook, headers = { [\"X-A\"] = \"b\\r\\nX-C: d\" } }", "one line of ASCII"),
            ("http.post { url = settings.hook, headers = { [\"X-A: b\\r\\nX-C\"] = \"d\" } }", "cannot have the field"),
            ("http.post { url = settings.hook, headers = { Host = \"b.example\" } }", "cannot have the field"),
            ("http.post { url = settings.hook, headers = { [\"Webhook-Id\"] = \"b\" } }", "cannot have the field"),
            ("http.post { url = settings.hook, body = \"b\", type = \"a\\r\\nX: y\" }", "'type'"),
            ("http.post { url = settings.hook, body = \"b\", json = {} }", "only one of"),
            ("http.post { url = settings.hook, hedaers = {} }", "headers"),
        ])
    func bounds(call: String, words: String) throws {
        let source = PluginLibrary.plugin(call, needs: "\"http\"").replacing(
            "needs =", with: "settings = { hook = { type = \"url\", default = \"https://a.example/in\" } }, needs =")
        _ = try #require(try library.use(source).value)
        let problem = try #require(try work().first)
        #expect(problem.contains(words), "\(problem)")
        #expect(try queued().isEmpty && server.count == 0)
    }

    @Test("without the right to http nothing is sent, and the check says so")
    func ungranted() throws {
        let source = PluginLibrary.plugin("http.post { url = \"https://a.example/\" }")
        #expect(PluginCheck(try PluginLibrary.bundle(source)).report.text.contains("http"))
        _ = try library.use(source)
        #expect(try work().first?.contains("http") == true)
    }

    @Test("a setting that signs signs")
    func secrets() throws {
        try use(
            "http.post { url = settings.hook }", settings: "key = { type = \"secret\", signs = true, default = \"k\" }")
        #expect(try work() == [])
        #expect(try library.desk.read { try $0.transaction.outbox.secret(of: "plugin:counter") } == "k")
    }

    @Test("a trial with an event of the past says what would be sent, and asks nothing")
    func rehearsal() throws {
        try use("local _, no = http.get { url = settings.hook } http.post { url = settings.hook, body = no.code }")
        try library.charge()
        let event = try #require(try library.desk.read { try $0.events.list(EventQuery(kind: "ledger.posted")).last })
        let plugin = try #require(try library.plugin())
        let bundle = try #require(try library.desk.read { try $0.plugins.bundle(plugin.sha256) })
        let rehearsal = try PluginRehearsal(
            bundle, rights: plugin.rights, settings: [:], desk: library.desk, clock: library.clock)
        #expect(try rehearsal.run(event).requests.map(\.body) == ["not_asked"])
        #expect(try queued().isEmpty && server.count == 0)
    }
}
