import Circulation
import Storage
import Testing

@Suite("Notices, fees, policies, events and decisions")
struct AccountTests {
    private func notice(_ fixture: Fixture) -> Notice {
        Notice(
            kind: "overdue", subjectKey: "loan:1", patron: fixture.patron, dueAt: Instant(seconds: 9), stage: "first",
            repetition: 1, channel: "inbox", subject: "S", body: "B\r\n\u{202E}", state: .queued,
            createdAt: Instant(seconds: 10))
    }

    @Test(
        "a notice comes back as it was and goes through its states", arguments: TestDriver.allCases,
        Notice.State.allCases)
    func noticeRoundTrip(driver: TestDriver, state: Notice.State) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var notice = notice(fixture)
            notice.loan = try transaction.loans.insert(try fixture.loan())
            notice.id = try #require(try transaction.notices.insert(notice))
            #expect(try transaction.notices.get(notice.id) == notice)
            #expect(try transaction.notices.queued(limit: 10) == [notice])
            notice.state = state
            notice.sentAt = .latest
            notice.readAt = .earliest
            notice.tries = 7
            notice.body = ""
            #expect(try transaction.notices.update(notice))
            #expect(try transaction.notices.get(notice.id) == notice)
            #expect(try transaction.notices.queued(limit: 10).isEmpty == (state != .queued))
            let filter = NoticeQuery(
                patron: fixture.patron, loan: notice.loan, states: [state], channel: "inbox", kind: "overdue")
            #expect(try transaction.notices.page(filter, limit: 10) == [notice])
            #expect(try transaction.notices.count(filter) == 1)
            #expect(try transaction.notices.count(NoticeQuery(states: [])) == 0)
            let facts = try transaction.notices.facts(loan: try #require(notice.loan), dueAt: Instant(seconds: 9))
            #expect(facts == [NoticeFacts(stage: "first", repetition: 1, at: Instant(seconds: 10))])
        }
    }

    @Test("the same notice is recorded once, also one without a due time", arguments: TestDriver.allCases)
    func noticeUniqueness(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            for due in [Instant(seconds: 9), nil] {
                var notice = notice(fixture)
                notice.dueAt = due
                #expect(try transaction.notices.insert(notice) != nil)
                #expect(try transaction.notices.insert(notice) == nil)
                notice.repetition = 2
                #expect(try transaction.notices.insert(notice) != nil)
            }
            #expect(try transaction.notices.count() == 4)
        }
    }

    @Test("a ledger's balance is the sum of its lines, each posted once", arguments: TestDriver.allCases)
    func ledger(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let ledger = transaction.ledger
            #expect(try ledger.isEmpty())
            #expect(try ledger.balance(patron: fixture.patron) == 0)
            let loan = try transaction.loans.insert(try fixture.loan())
            var entries: [LedgerEntry] = []
            for (number, kind) in LedgerEntry.Kind.allCases.enumerated() {
                var entry = LedgerEntry(
                    key: "k\(number)", patron: fixture.patron, loan: number < 2 ? loan : nil, kind: kind,
                    amount: Money(minorUnits: number.isMultiple(of: 2) ? 250 : -100, currency: .eur), label: "L",
                    at: Instant(seconds: Int64(number)))
                entry.id = try #require(try ledger.insert(entry))
                #expect(try ledger.insert(entry) == nil)
                entries.append(entry)
            }
            #expect(try ledger.balance(patron: fixture.patron) == 450)
            #expect(try ledger.of(patron: fixture.patron) == entries)
            #expect(try ledger.of(loan: loan) == Array(entries.prefix(2)))
            #expect(try ledger.sum(loan: loan, kind: .fine) == 250)
            #expect(try ledger.find(key: "k3") == entries[3])
            #expect(try !ledger.isEmpty())
            let facts = try transaction.facts.patron(fixture.patron, now: .earliest, today: .earliest)
            #expect(facts?.feesOwed == Money(minorUnits: 450, currency: .eur))
        }
    }

    @Test("a balance that leaves 64 bits is an error, not another number", arguments: TestDriver.allCases)
    func ledgerOverflow(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            for key in ["a", "b"] {
                _ = try transaction.ledger.insert(
                    LedgerEntry(
                        key: key, patron: fixture.patron, kind: .charge,
                        amount: Money(minorUnits: .max, currency: .eur), label: "", at: .earliest))
            }
            let code = storeErrorCode {
                try transaction.savepoint { _ = try transaction.ledger.balance(patron: fixture.patron) }
            }
            #expect(code == .fault)
        }
    }

    @Test("the policy in force is the one that began last", arguments: TestDriver.allCases)
    func policies(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let policies = transaction.policies
                let bundle = PolicyBundle(
                    sha256: "aa",
                    files: [.init(name: "b.lua", source: "return {}\n"), .init(name: "a/x.lua", source: "")])
                try policies.insert(bundle)
                try policies.insert(bundle)
                try policies.insert(PolicyBundle(sha256: "bb", files: []))
                #expect(try policies.bundle("aa") == bundle)
                #expect(try policies.bundle("zz") == nil)
                #expect(try policies.versions() == ["aa", "bb"])
                func activation(_ policy: String, _ from: Int64) -> PolicyActivation {
                    PolicyActivation(
                        policy: policy, name: "N", effectiveFrom: Instant(seconds: from),
                        activatedAt: Instant(seconds: 1), actor: "ada", note: "why")
                }
                let unknown = storeErrorCode {
                    try transaction.savepoint { _ = try policies.insert(activation("zz", 1)) }
                }
                #expect(unknown == .constraint)
                try policies.insert(activation("aa", 100))
                try policies.insert(activation("bb", 200))
                let again = try policies.insert(activation("aa", 200))
                #expect(try policies.inForce(at: Instant(seconds: 99)) == nil)
                #expect(try policies.inForce(at: Instant(seconds: 100))?.policy == "aa")
                #expect(try policies.inForce(at: Instant(seconds: 200))?.id == again)
                #expect(try policies.upcoming(after: Instant(seconds: 100)).map(\.policy) == ["bb", "aa"])
                #expect(try policies.history().count == 3)
                #expect(try policies.activation(again)?.note == "why")
            }
        }
    }

    @Test("events come back in order, and a request writes none twice", arguments: TestDriver.allCases)
    func events(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let events = transaction.events
                #expect(try events.lastSequence() == 0)
                var written: [EventRecord] = []
                for number in 0..<600 {
                    var event = EventRecord(
                        at: Instant(seconds: Int64(number)), actor: "ada",
                        channel: number.isMultiple(of: 2) ? .desk : nil,
                        kind: number.isMultiple(of: 3) ? "loan.lent" : "loan.renewed", version: 2,
                        payload: "{\"n\":\(number)}", requestID: "r\(number / 2)", ordinal: Int64(number % 2),
                        patron: Int64(number % 5), copy: number == 7 ? 7 : nil, loan: number == 8 ? 8 : nil)
                    event.sequence = try events.insert(event)
                    written.append(event)
                }
                #expect(try events.get(written[5].sequence) == written[5])
                #expect(try events.of(request: "r3") == Array(written[6...7]))
                #expect(try events.insertIfNew(written[5]) == nil)
                let twice = EventRecord(at: .earliest, actor: "", kind: "x", payload: "{}", requestID: "r3", ordinal: 1)
                #expect(storeErrorCode { try transaction.savepoint { _ = try events.insert(twice) } } == .constraint)
                #expect(try events.insertIfNew(twice) == nil)
                #expect(try events.count() == 600)
                #expect(try events.lastSequence() == written[599].sequence)
                var streamed: [EventRecord] = []
                try events.forEach {
                    streamed.append($0)
                    return true
                }
                #expect(streamed == written)
                let filter = EventQuery(from: Instant(seconds: 300), kinds: ["loan.lent"], patron: 0)
                let filtered = try events.page(filter, limit: 1_000)
                #expect(filtered == written.filter { $0.at.seconds >= 300 && $0.kind == "loan.lent" && $0.patron == 0 })
                #expect(try events.page(EventQuery(copy: 7), limit: 10) == [written[7]])
                #expect(try events.page(EventQuery(loan: 8), limit: 10) == [written[8]])
                #expect(try events.page(EventQuery(kinds: []), limit: 10).isEmpty)
                let was = try #require(try events.sealed(written[0].sequence)).content
                try events.clear(written[0].sequence, to: "{}", content: was, by: written[599].sequence)
                #expect(try events.get(written[0].sequence)?.payload == "{}")
            }
        }
    }

    @Test("decisions hang on their event and are found by patron", arguments: TestDriver.allCases)
    func decisions(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let decisions = transaction.decisions
                var written: [DecisionRecord] = []
                for number in 0..<4 {
                    let event = try transaction.events.insert(
                        EventRecord(
                            at: .earliest, actor: "a", kind: "k", payload: "{}", requestID: "r\(number)",
                            patron: Int64(number % 2)))
                    for ordinal in 0..<2 {
                        let decision = DecisionRecord(
                            event: event, ordinal: Int64(ordinal), point: "checkout", policy: ordinal == 0 ? nil : "aa",
                            answer: "allow", caseJSON: "{\"a\":1}", decisionJSON: "{}")
                        try decisions.insert(decision)
                        written.append(decision)
                    }
                }
                let stray = DecisionRecord(
                    event: 4711, point: "x", policy: nil, answer: "deny", caseJSON: "{}", decisionJSON: "{}")
                let code = storeErrorCode {
                    try transaction.savepoint {
                        try decisions.insert(stray)
                        // A server may be told of it only now.
                        _ = try decisions.count()
                    }
                }
                #expect(code == .constraint)
                #expect(try decisions.of(event: written[2].event) == Array(written[2...3]))
                #expect(try decisions.count() == 8)
                var streamed: [DecisionRecord] = []
                try decisions.forEach {
                    streamed.append($0)
                    return true
                }
                #expect(streamed == written)
                try decisions.forEach(patron: 1) { (decision) throws in
                    var cleared = decision
                    cleared.caseJSON = "{}"
                    return try decisions.replaceTexts(by: cleared)
                }
                let scrubbed = try decisions.page(after: 0, limit: 100).filter { $0.caseJSON == "{}" }
                #expect(scrubbed.map(\.event) == [written[2], written[3], written[6], written[7]].map(\.event))
            }
        }
    }
}
