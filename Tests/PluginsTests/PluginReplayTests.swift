import Circulation
import Desk
import Plugins
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("The past once more with a plugin")
struct PluginReplayTests {
    private let library: PluginLibrary

    init() throws {
        library = try PluginLibrary()
    }

    /// What a plugin would have done about the library's past.
    private func replay(
        _ source: String, from: Instant? = nil, until: Instant? = nil,
        timing: @escaping PluginReplay.Timing = { _, _ in nil }
    ) throws -> (replay: PluginReplay, doings: [PluginDoing]) {
        let bundle = try PluginLibrary.bundle(source)
        let check = PluginCheck(bundle)
        #expect(check.isOK, "\(check.report.text)")
        var doings: [PluginDoing] = []
        let candidate = PluginReplay.Candidate(
            bundle: bundle, manifest: check.manifest, rights: check.manifest.needs.map(\.rawValue), settings: [:])
        let replay = try PluginReplay(
            of: candidate, .init(from: from, until: until), at: library.desk, timing: timing
        ) { doings.append($0) }
        return (replay, doings)
    }

    /// A charge a day, and what the library has after it.
    private func chargeDaily(_ days: Int) throws {
        for _ in 0..<days {
            try library.clock.advance(microseconds: 86_400_000_000)
            try library.charge()
        }
    }

    private var lastEvent: Int64 {
        get throws { try library.desk.read { try $0.events.last() } }
    }

    @Test(
        "what it would have written and sent is told by event, what it writes stays for what comes later, and the library is not touched"
    )
    func wouldHave() throws {
        try chargeDaily(3)
        let (before, first) = (
            try lastEvent, try library.desk.read { try $0.events.list(EventQuery(kind: "ledger.posted"))[0] }
        )
        let (replay, doings) = try replay(
            PluginLibrary.plugin(
                """
                local seen = (state.get("n") or 0) + 1
                state.set("n", seen)
                fees.charge { patron = "bob", amount = money "1.00", label = "y", key = "p" .. event.sequence }
                notifications.send {
                    patron = event.entries[1].patron, subject = tostring(fees.owed("bob")), body = "x", key = "k" .. seen }
                """, needs: "\"fees.write\", \"notifications.write\""))
        #expect(doings.map(\.event).first == first.sequence && doings.map(\.at).first == first.at)
        #expect(doings.map { $0.sent.last?.subject } == ["1.00 EUR", "2.00 EUR", "3.00 EUR"])
        #expect(doings.allSatisfy { $0.sent.map(\.patron) == ["bob", "ada"] && $0.writtenCount == 3 })
        #expect(replay.counts.handled == 3 && replay.counts.failed == 0 && replay.counts.kept == 1)
        #expect(replay.counts.written == ["ledger.posted": 3, "notice.recorded": 6])
        #expect(replay.document().texts.first?.contains("6 messages to 2 patrons") == true)
        #expect(try lastEvent == before)
        #expect(try library.desk.read { try $0.fees.balance(of: 2) }.minorUnits == 0)
    }

    @Test("only the days asked for are shown, with all that came before in the store")
    func period() throws {
        try chargeDaily(5)
        let moments = try library.desk.read { try $0.events.list(EventQuery(kind: "ledger.posted")).map(\.at) }
        let (replay, doings) = try replay(
            PluginLibrary.plugin("print(fees.owed(\"ada\"))"), from: moments[2], until: moments[4])
        #expect(doings.flatMap(\.printed) == ["3.00 EUR", "4.00 EUR"])
        #expect(replay.counts.handled == 2)
    }

    @Test("what the plugin itself did in that past is left out, and what rests on it is passed over")
    func ownPast() throws {
        try library.use(
            PluginLibrary.plugin(
                "fees.charge { patron = \"bob\", amount = money \"1.00\", label = \"y\", key = \"p\" .. event.sequence }",
                needs: "\"fees.write\""))
        try library.charge()
        #expect(try library.worker().work().handled == 1)
        let (replay, doings) = try replay(
            PluginLibrary.plugin("print(fees.owed(\"bob\"))", version: "2"))
        #expect(doings.flatMap(\.printed) == ["0.00 EUR"])
        #expect(replay.counts.leftOut == 2 && replay.counts.impossible == 0)
    }

    @Test("errors are counted with their line, and where it would have been paused the replay ends")
    func failures() throws {
        try library.charge(times: 30)
        let (replay, doings) = try replay(PluginLibrary.plugin("error(\"broken\")"))
        #expect(replay.counts.failed == 20 && replay.counts.pausedAt != nil)
        #expect(replay.counts.faults.count == 1 && replay.counts.faults.first?.count == 20)
        #expect(doings.first?.fault?.line == 4, "\(doings.first?.lines ?? [])")
    }
}
