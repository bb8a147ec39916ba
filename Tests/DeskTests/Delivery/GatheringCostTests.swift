import Circulation
import Desk
import Storage
import Testing

/// What gathering costs, over one store alone: the statements are the same over all.
@Suite("What notices that go together cost")
struct GatheringCostTests {
    @Test("ten thousand notices for a thousand patrons are a thousand messages, of a bounded number of statements each")
    func bounded() throws {
        let recorder = StatementRecorder()
        let folder = try ScratchFolder()
        let store = try SQLiteStore.open(.file(folder.path + "/desk.db"), create: true, recorder: recorder)
        defer { try? store.close() }
        let library = try Library(store: store)
        try library.gather([.overdue])
        let patrons = try library.desk.write { session in
            try (0..<1_000).map { number in
                try session.patrons.add(Library.patron("reader\(number)")).get().id
            }
        }
        for round in 0..<10 {
            try library.desk.write { session throws in
                let notices = patrons.map { Library.reminder("overdue", $0, round, at: session.now) }
                #expect(try session.notices.record(notices).count == 1_000)
            }
        }
        _ = recorder.take()
        let sender = TestSender()
        let report = try library.desk.deliver(by: sender)
        #expect(report.sent == 10_000 && report.messagesOfSeveral == 1_000 && sender.consignments.count == 1_000)
        #expect(sender.consignments.allSatisfy { Set($0.notices.map(\.patron)).count == 1 && $0.notices.count == 10 })
        let count = recorder.take().count
        // Eight for each notice: what it was tried, its lease before and after, itself, its event and what these look up. What a
        // message asks once is less than one more.
        #expect((60_000...90_000).contains(count), "\(count) statements")
    }
}

extension Library {
    /// Has notices of some kinds go together.
    func gather(_ kinds: Set<GatheredKind>) throws {
        _ = try desk.write { try $0.settings.setLibrary(gatheredKinds: kinds) }.get()
    }

    /// A notice that waits.
    static func reminder(
        _ kind: String, _ patron: Int64, _ number: Int, by channel: String = "email", loan: Loan? = nil,
        at moment: Instant
    ) -> Notice {
        Notice(
            kind: kind, subjectKey: "\(channel):\(patron):\(number)", patron: patron, loan: loan?.id,
            dueAt: loan?.due?.instant, stage: "test", channel: channel, subject: "Notice \(number)", body: "Hello",
            createdAt: moment)
    }

    /// Queues notices, one of each kind.
    @discardableResult
    func remind(
        _ patron: String, _ kinds: [String], by channel: String = "email", loan: Loan? = nil, from first: Int = 0
    ) throws -> [Notice] {
        let patron = try id(patron)
        return try desk.write { session in
            try session.notices.record(
                kinds.enumerated().map { number, kind in
                    Self.reminder(kind, patron, first + number, by: channel, loan: loan, at: session.now)
                })
        }
    }
}
