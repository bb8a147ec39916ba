import Circulation
import Desk
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Loans that come along", .everyStore)
struct ArrivedLoanTests {
    /// A day's fine, a reminder and two notices, a copy lost after forty days.
    static let policy = PolicySpec(
        tables: Library.tables(
            fields: ["suspension": .period(.days(1))],
            notices: [
                Library.notice("soon", before: .days(2)), Library.notice("first", after: .days(1)),
                Library.notice("second", after: .days(10), charge: 100),
            ]))

    static func version(_ library: Library) throws -> String {
        try #require(try library.desk.read { try $0.policies.inForce()?.policy })
    }

    /// An open loan of another system.
    static func loan(
        _ library: Library, _ patron: String, barcode: String, key: String, lentAt: Instant, dueInDays: Int64? = 14
    ) throws -> Loan {
        try library.desk.read { session in
            let copy = try #require(try session.catalogue.copy(barcode: barcode))
            let zone = try session.settings.library().zone
            let due = try dueInDays.map { days in
                let date = try zone.date(of: lentAt).adding(days: days)
                return DueTime(instant: zone.instant(of: date, .lastSecond), date: date, isExact: false)
            }
            return Loan(
                copy: copy.id, patron: try session.patrons.get(.username(patron))?.id, lentAt: lentAt, due: due,
                importKey: key)
        }
    }

    static func add(_ library: Library, _ loan: Loan, _ terms: ArrivalTerms) throws -> (Loan, AskedDecision?) {
        let arrived = try library.desk.write { try $0.imports.loan(loan, under: terms) }
        guard case .added(let added) = arrived.loan else { throw WasRefused(refusal: Refusal(code: "no", message: "")) }
        return (added, arrived.asked)
    }

    static func barcodes(_ library: Library, _ title: Int64) throws -> [String] {
        try library.desk.read { try $0.catalogue.copies(of: .id(title)).map(\.barcode) }
    }

    /// What is said and charged about a loan, without what makes it another record.
    private static func trace(_ library: Library, _ loan: Int64) throws -> [String] {
        try library.desk.read { session in
            let found = try #require(try session.loans.get(.id(loan)))
            var lines = [
                "due \(found.due?.instant.description ?? "none") renewals \(found.renewals) "
                    + "returned \(found.returnedAt != nil) lost \(found.lostAt != nil) policy \(found.policy ?? "none")"
            ]
            let notices = try session.notices.list(NoticeQuery(loan: loan))
            lines += notices.map { "\($0.stage) \($0.state.rawValue) \($0.createdAt)" }
            guard let patron = found.patron else { return lines }
            lines += try session.fees.ledger(of: .id(patron)).map {
                "\($0.kind.rawValue) \($0.amount.minorUnits) \($0.at)"
            }
            return lines
        }
    }

    @Test(
        "an open loan that came along and the same loan made at the desk lead to the same fines, renewals and notices",
        arguments: 0..<12)
    func sameFromThenOn(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let (made, came) = (try Library(policy: Self.policy), try Library(policy: Self.policy))
        let lent = try made.lend("ada", 2).get()[0]
        let terms = ArrivalTerms(decidedBy: try Self.version(came), noticesSentUntil: nil)
        let barcode = try Self.barcodes(came, 2)[0]
        let (loan, asked) = try Self.add(
            came, Self.loan(came, "ada", barcode: barcode, key: "1", lentAt: lent.lentAt), terms)
        #expect(asked?.refusal == nil && loan.policy == lent.policy && loan.due == lent.due)
        for _ in 0..<14 {
            let days = Int64.random(in: 0...6, using: &random)
            let step = Int.random(in: 0..<8, using: &random)
            var answers: [String] = []
            for library in [made, came] {
                try library.pass(days: days)
                switch step {
                case 0, 1:
                    let outcome = try library.desk.write { try $0.loans.renew(.id(1)) }
                    answers.append(outcome.refusal?.code ?? "renewed")
                case 2 where days == 6:
                    let outcome = try library.desk.write { try $0.loans.checkin(.id(1)) }
                    answers.append(outcome.refusal?.code ?? "returned")
                case 3 where days == 5:
                    let outcome = try library.desk.write { try $0.loans.markLost(.id(1)) }
                    answers.append(outcome.refusal?.code ?? "lost")
                case 4: _ = try library.desk.write { try $0.notices.sweep() }
                default: _ = try library.desk.sweep()
                }
            }
            #expect(Set(answers).count <= 1, "\(answers)")
            #expect(try Self.trace(made, 1) == Self.trace(came, 1), "seed \(seed), step \(step)")
            #expect(try made.owed("ada") == came.owed("ada"))
        }
        try came.expectSound()
    }

    @Test("it is explained by the decision of the version that was named")
    func explained() throws {
        let library = try Library(policy: Self.policy)
        let version = try Self.version(library)
        try library.pass(days: 30)
        try library.use(PolicySpec(name: "later", tables: Library.tables(fields: ["loan": .period(.days(7))])), "later")
        let lentAt = try Instant(parsing: "2026-03-05T10:00:00Z")
        let (loan, asked) = try Self.add(
            library, Self.loan(library, "bob", barcode: Self.barcodes(library, 1)[0], key: "1", lentAt: lentAt),
            ArrivalTerms(decidedBy: version))
        #expect(loan.policy == version && asked?.policy == version)
        let decisions = try library.desk.read { try $0.loans.explain(.id(loan.id)) }
        #expect(decisions.map(\.policy) == [version])
        #expect(decisions.first?.question["now"]?.stringValue?.hasPrefix("2026-03-05T10:00:00") ?? false)
        try library.expectSound()
    }

    @Test("its due time stays; without one it has the policy's")
    func due() throws {
        let library = try Library(policy: Self.policy)
        let terms = ArrivalTerms(decidedBy: try Self.version(library))
        let barcodes = try Self.barcodes(library, 3)
        let lentAt = try Instant(parsing: "2026-02-20T10:00:00Z")
        let (kept, _) = try Self.add(
            library, Self.loan(library, "ada", barcode: barcodes[0], key: "1", lentAt: lentAt, dueInDays: 40), terms)
        #expect(kept.due?.date.description == "2026-04-01")
        let without = try Self.loan(library, "ada", barcode: barcodes[1], key: "2", lentAt: lentAt, dueInDays: nil)
        let (given, _) = try Self.add(library, without, terms)
        #expect(given.due?.date.description == "2026-03-06" && given.copy != nil)
        let (history, asked) = try Self.add(
            library, Self.loan(library, "ada", barcode: barcodes[2], key: "3", lentAt: lentAt, dueInDays: nil),
            ArrivalTerms())
        #expect(history.copy == nil && history.policy == nil && asked == nil)
        try library.expectSound()
    }

    @Test("it stays a loan where the policy would have refused it, which is said, and is fined like any other")
    func refused() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(limit: 1)))
        let terms = ArrivalTerms(decidedBy: try Self.version(library))
        let barcodes = try Self.barcodes(library, 3)
        let lentAt = try Instant(parsing: "2026-02-01T10:00:00Z")
        let (_, first) = try Self.add(
            library, Self.loan(library, "ada", barcode: barcodes[0], key: "1", lentAt: lentAt), terms)
        let (loan, second) = try Self.add(
            library, Self.loan(library, "ada", barcode: barcodes[1], key: "2", lentAt: lentAt), terms)
        #expect(first?.refusal == nil && second?.refusal != nil)
        #expect(loan.copy != nil && loan.policy == terms.decidedBy)
        _ = try library.desk.sweep()
        #expect(try library.owed("ada") == 2 * 15 * 20)
        try library.expectSound()
    }

    @Test("without a version it is never fined")
    func undecided() throws {
        let library = try Library(policy: Self.policy)
        let lentAt = try Instant(parsing: "2026-01-01T10:00:00Z")
        let (loan, _) = try Self.add(
            library, Self.loan(library, "ada", barcode: Self.barcodes(library, 2)[0], key: "1", lentAt: lentAt),
            ArrivalTerms())
        #expect(loan.policy == nil)
        _ = try library.desk.sweep()
        #expect(try library.desk.read { try $0.fees.ledger(of: .username("ada")).filter { $0.kind == .fine } } == [])
    }

    @Test(
        "what was said before is not said again; what comes after is, in both ways of sweeping",
        arguments: [false, true])
    func notices(isWhole: Bool) throws {
        let library = try Library(policy: Self.policy)
        // Lent so that the first notice was due six days ago, and the second is due in three.
        let lentAt = try library.clock.now().adding(hours: -24 * 21)
        let terms = ArrivalTerms(decidedBy: try Self.version(library), noticesSentUntil: library.clock.now())
        let (loan, _) = try Self.add(
            library, Self.loan(library, "ada", barcode: Self.barcodes(library, 2)[0], key: "1", lentAt: lentAt), terms)
        func sweep() throws {
            if isWhole { _ = try library.desk.write { try $0.notices.sweep() } } else { _ = try library.desk.sweep() }
        }
        try sweep()
        try sweep()
        #expect(try library.desk.read { try $0.notices.list(NoticeQuery(loan: loan.id)) } == [])
        #expect(try library.events(.loanOverdue).isEmpty)
        #expect(try library.owed("ada") == 7 * 20)
        try library.pass(days: 3)
        try sweep()
        let notices = try library.desk.read { try $0.notices.list(NoticeQuery(loan: loan.id)) }
        #expect(notices.map { "\($0.stage) \($0.state.rawValue)" } == ["second queued"])
        // A renewal has a due time of its own, of which nothing was said.
        _ = try library.desk.write { try $0.loans.renew(.id(loan.id)).get() }
        try library.pass(days: 13)
        try sweep()
        #expect(
            try library.desk.read { try $0.notices.list(NoticeQuery(loan: loan.id)) }.map(\.stage) == [
                "second", "soon",
            ])
        try library.expectSound()
    }

    @Test("a version that never was in force is kept in the history and decides nothing but what it is named for")
    func kept() throws {
        let library = try Library(policy: Self.policy)
        let inForce = try Self.version(library)
        let other = PolicySpec(
            name: "former", tables: Library.tables(fields: ["fine": .money(Money(minorUnits: 50, currency: .eur))]))
        let bundle = library.loader.bundle(other, "former")
        let kept = try library.desk.write { try $0.policies.keep(bundle, note: "for loans").get() }
        #expect(kept.withdrawnAt != nil)
        try library.pass(days: 3)
        #expect(try Self.version(library) == inForce)
        #expect(try library.desk.read { try $0.policies.history().map(\.policy) } == [bundle.sha256, inForce])
        let again = try library.desk.write { try $0.policies.keep(bundle).get() }
        #expect(again.id == kept.id)
        #expect(try library.desk.read { try $0.policies.history().count } == 2)
        let lentAt = try library.clock.now().adding(hours: -24 * 20)
        let (loan, _) = try Self.add(
            library, Self.loan(library, "ada", barcode: Self.barcodes(library, 2)[0], key: "1", lentAt: lentAt),
            ArrivalTerms(decidedBy: bundle.sha256))
        #expect(loan.policy == bundle.sha256)
        _ = try library.desk.sweep()
        let fines = try library.desk.read { try $0.fees.ledger(of: .username("ada")) }.filter { $0.kind == .fine }
        #expect(fines.map(\.amount.minorUnits) == [6 * 50])
        try library.expectSound()
    }
}
