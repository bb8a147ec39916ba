import Circulation
import Desk
import Storage
import Testing

@Suite("Lost copies", .everyStore)
struct LostTests {
    private static func tables(_ fields: [String: RuleValue] = [:], notices: [NoticeRow] = []) -> PolicyTables {
        var all: [String: RuleValue] = [
            "lost_after": .period(.days(30)), "lost_fee": .money(Money(minorUnits: 2500, currency: .eur)),
            "lost_refund_within": .period(.days(7)),
        ]
        all.merge(fields) { $1 }
        return Library.tables(fields: all, notices: notices)
    }

    private func library(_ fields: [String: RuleValue] = [:], notices: [NoticeRow] = []) throws -> Library {
        try Library(policy: PolicySpec(tables: Self.tables(fields, notices: notices)))
    }

    private func loan(_ library: Library, _ id: Int64) throws -> Loan {
        try #require(try library.desk.read { try $0.loans.get(.id(id)) })
    }

    private func status(_ library: Library, _ loan: Loan) throws -> CopyStatus? {
        try library.desk.read { session in
            try loan.copy.flatMap { try session.catalogue.copy(id: $0)?.status }
        }
    }

    private func markLost(_ library: Library, _ loan: Loan, reason: String? = nil) throws -> Outcome<StoppedLoan> {
        try library.desk.write { try $0.loans.markLost(.id(loan.id), reason: reason) }
    }

    private func markFound(_ library: Library, _ loan: Loan, at: Instant? = nil) throws -> Outcome<Checkin> {
        try library.desk.write { try $0.loans.markFound(.id(loan.id), at: at) }
    }

    private func keys(_ library: Library, _ patron: String = "ada") throws -> [String] {
        try library.desk.read { try $0.fees.ledger(of: .username(patron)) }.map(\.key)
    }

    // MARK: - Lost

    @Test("staff declare a copy lost: the loan shows it, the fee is posted once, a second time changes nothing")
    func declared() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 3)
        let lost = try markLost(library, lent, reason: "Ada Adasson left it on a train").get()
        #expect(lost.loan.lostAt == library.clock.now() && lost.copy.status == .lost && lost.failures.isEmpty)
        #expect(lost.posted.map(\.key) == ["lost:\(lent.id)"] && lost.posted.map(\.amount.minorUnits) == [2500])
        #expect(try loan(library, lent.id) == lost.loan)
        #expect(try status(library, lent) == .lost)
        let again = try markLost(library, lent).get()
        #expect(again.posted.isEmpty && again.loan == lost.loan)
        #expect(try library.events(.loanLost).count == 1)
        guard let change = try #require(try library.events(.loanLost).first).body()[.loanLost] else {
            Issue.record("The event tells of no loss.")
            return
        }
        #expect(change.reason == "… … left it on a train")
        let ada = try library.id("ada")
        let facts = try library.store.read { transaction in
            try transaction.facts.patron(ada, now: library.clock.now(), today: CivilDate(year: 2026, month: 3, day: 5))
        }
        #expect(facts?.lost == 1 && facts?.loans.count == 1 && facts?.overdue == 0)
        try library.expectSound()
    }

    @Test("a loan that is lost is neither renewed nor moved, and what is not on loan cannot be lost by it")
    func refused() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        _ = try markLost(library, lent).get()
        let day = try CivilDate(year: 2026, month: 6, day: 1)
        #expect(try library.desk.write { try $0.loans.renew(.id(lent.id)) }.refusal?.code == "lost")
        #expect(
            try library.desk.write { try $0.loans.setDue(.id(lent.id), date: day, reason: "") }.refusal?.code == "lost")
        #expect(try library.desk.write { try $0.loans.claimReturned(.id(lent.id)) }.refusal?.code == "lost")
        #expect(try library.desk.write { try $0.loans.markLost(.id(99)) }.refusal?.code == "unknown_loan")
        #expect(
            try library.desk.write { try $0.loans.markLost(.barcode("000000030001")) }.refusal?.code == "not_on_loan")
        #expect(try library.lend("bob", 2).refusal?.code == "no_copies")
        try library.expectSound()
    }

    @Test("the fine stops when the copy is declared lost")
    func fineStops() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 17)
        #expect(try markLost(library, lent).get().posted.map(\.amount.minorUnits) == [60, 2500])
        for _ in 0..<3 {
            try library.pass(days: 4)
            let report = try library.desk.sweep()
            #expect(report.loans == 0 && report.charges == 0 && report.lost == 0)
        }
        #expect(try library.owed("ada") == 2560)
        // Twelve days after the loss the fee stays, and no fine is added.
        let found = try markFound(library, lent).get()
        #expect(found.posted.isEmpty && found.copy?.status == .available)
        #expect(try library.owed("ada") == 2560)
        try library.expectSound()
    }

    @Test("the sweep declares lost what is late by lost_after, on the day itself and once")
    func swept() throws {
        let library = try library(notices: [Library.notice("lost", after: .days(30))])
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 43)
        #expect(try library.desk.sweep().lost == 0)
        try library.pass(days: 1)
        let report = try library.desk.sweep()
        #expect(report.lost == 1 && report.notices == 1 && report.failed == 0)
        #expect(try library.desk.sweep().lost == 0)
        #expect(try status(library, lent) == .lost)
        // 30 days at 20 cents, and the fee.
        #expect(try library.owed("ada") == 600 + 2500)
        #expect(try loan(library, lent.id).lostAt == library.clock.now())
        #expect(try library.desk.read { try $0.loans.explain(.id(lent.id)) }.map(\.point) == [.checkout, .lost])
        try library.expectSound()
    }

    @Test("a copy costs its own price where the rule says so, and nothing without a price", arguments: [true, false])
    func replacementPrice(hasPrice: Bool) throws {
        let library = try library(["lost_fee": .text("replacement_price")])
        let lent = try library.lend("ada", 2).get()[0]
        _ = try library.desk.write { session in
            try session.catalogue.updateCopy(barcode: "000000020001") {
                $0.replacementPrice = hasPrice ? Money(minorUnits: 1999, currency: .eur) : nil
            }.get()
        }
        #expect(try markLost(library, lent).get().posted.map(\.amount.minorUnits) == (hasPrice ? [1999] : []))
        try library.expectSound()
    }

    @Test("the version that decided the loan says when it is lost and what it costs")
    func version() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        try library.use(PolicySpec(tables: Library.tables()), "without losses")
        let other = try library.lend("bob", 1).get()[0]
        try library.pass(days: 60)
        #expect(try library.desk.sweep().lost == 1)
        #expect(try status(library, lent) == .lost)
        #expect(try status(library, other) == .onLoan)
        #expect(try markLost(library, other).get().posted.isEmpty)
        try library.expectSound()
    }

    @Test("a lost that fails skips the loan, keeps what was posted, and is counted")
    func failing() throws {
        var spec = PolicySpec(tables: Self.tables())
        spec.failing = [.lost]
        let library = try Library(policy: spec)
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 50)
        let report = try library.desk.sweep()
        #expect(report.failed == 1 && report.lost == 0 && report.charges == 1)
        #expect(report.failures.map(\.point) == [.lost] && report.failures.map(\.loan) == [lent.id])
        #expect(try library.owed("ada") == 36 * 20)
        #expect(try library.events(.policyFailed).count == 1)
        // At the desk the copy is lost all the same, and staff read why nothing was charged for it.
        let lost = try markLost(library, lent).get()
        #expect(lost.copy.status == .lost && lost.posted.isEmpty && lost.failures.map(\.message) == ["It broke."])
        try library.expectSound()
    }

    @Test("a policy may wait, charge without declaring, or name another fee")
    func ownAnswers() throws {
        let charge = PlannedCharge(key: "admin", amount: Money(minorUnits: 300, currency: .eur), label: "Search")
        let spec = PolicySpec(tables: Self.tables()) { question, decision in
            guard question.point == .lost, !decision.effects.isEmpty else { return decision }
            var own = decision
            own.effects = [.charge(charge)]
            if question.daysOverdue >= 40 {
                own.effects.append(.lose(fee: Money(minorUnits: 100, currency: .eur), origin: nil))
            }
            return own
        }
        let library = try Library(policy: spec)
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 14 + 35)
        for _ in 0..<2 { #expect(try library.desk.sweep().lost == 0) }
        #expect(try library.owed("ada") == 35 * 20 + 300)
        try library.pass(days: 5)
        #expect(try library.desk.sweep().lost == 1)
        #expect(try library.owed("ada") == 40 * 20 + 300 + 100)
        #expect(try status(library, lent) == .lost)
        try library.expectSound()
    }

    @Test("a hold for the lost copy alone ends, one for the title waits on")
    func holds() throws {
        let library = try library()
        let lent = try library.lend("ada", 3).get()[0]
        let holds = try library.desk.write { session in
            let copy = try #require(try lent.copy.flatMap { try session.catalogue.copy(id: $0) })
            return [
                try session.holds.place(HoldRequest(patron: .username("bob"), wanted: .copy(copy.barcode))).get(),
                try session.holds.place(HoldRequest(patron: .username("cyd"), wanted: .title(.id(3)))).get(),
            ]
        }
        _ = try markLost(library, lent).get()
        let states = try library.desk.read { session in
            try holds.map { try session.holds.get($0.hold.id)?.hold.state }
        }
        #expect(states == [.cancelled, .waiting])
        try library.expectSound()
    }

    // MARK: - Found

    @Test(
        "a copy found in time takes the fee back: waived where it is owed, credit where it was paid",
        arguments: [0, 1000, 2500] as [Int64])
    func refunded(paid: Int64) throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        _ = try markLost(library, lent).get()
        if paid > 0 {
            _ = try library.desk.write { session in
                try session.fees.pay(.username("ada"), amount: Money(minorUnits: paid, currency: .eur)).get()
            }
        }
        try library.pass(days: 6)
        let found = try markFound(library, lent).get()
        #expect(found.copy?.status == .available && found.loan?.returnedAt == library.clock.now())
        let waived = found.posted.filter { $0.kind == .waiver }.map(\.amount.minorUnits)
        let credit = found.posted.filter { $0.kind == .adjustment }.map(\.amount.minorUnits)
        #expect(waived == (paid < 2500 ? [paid - 2500] : []))
        #expect(credit == (paid > 0 ? [-paid] : []))
        #expect(try library.owed("ada") == -paid)
        let again = try markFound(library, lent).get()
        #expect(again.posted.isEmpty && again.loan == found.loan)
        #expect(try library.owed("ada") == -paid)
        try library.expectSound()
    }

    @Test("the fee stays where the copy comes back too late, or the rule says nothing of it", arguments: [true, false])
    func notRefunded(isLate: Bool) throws {
        let library = try library(isLate ? [:] : ["lost_refund_within": .none])
        let lent = try library.lend("ada", 2).get()[0]
        _ = try markLost(library, lent).get()
        try library.pass(days: isLate ? 7 : 1)
        #expect(try markFound(library, lent).get().posted.isEmpty)
        #expect(try library.owed("ada") == 2500)
        try library.expectSound()
    }

    @Test("a rule without end takes the fee back whenever the copy comes")
    func alwaysRefunded() throws {
        let library = try library(["lost_refund_within": .unlimited])
        let lent = try library.lend("ada", 2).get()[0]
        _ = try markLost(library, lent).get()
        try library.pass(days: 700)
        #expect(try markFound(library, lent).get().posted.map(\.kind) == [.waiver])
        #expect(try library.owed("ada") == 0)
        try library.expectSound()
    }

    @Test("what staff had waived is not given back as well")
    func waived() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        let fee = try #require(try markLost(library, lent).get().posted.first)
        _ = try library.desk.write { try $0.fees.waive(.username("ada"), entry: fee.id).get() }
        #expect(try markFound(library, lent).get().posted.isEmpty)
        #expect(try library.owed("ada") == 0)
        let other = try library.lend("bob", 1).get()[0]
        _ = try markLost(library, other).get()
        _ = try library.desk.write { session in
            try session.fees.waive(.username("bob"), amount: Money(minorUnits: 2000, currency: .eur)).get()
        }
        #expect(try markFound(library, other).get().posted.map(\.amount.minorUnits) == [-500])
        #expect(try library.owed("bob") == 0)
        try library.expectSound()
    }

    @Test("a copy that had come back before the sweep called it lost was never lost")
    func neverLost() throws {
        let library = try library(["lost_refund_within": .none])
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 50)
        #expect(try library.desk.sweep().lost == 1)
        let back = try library.desk.write { session in
            try session.loans.checkin(.id(lent.id), at: lent.lentAt.adding(hours: 24 * 16)).get()
        }
        #expect(back.posted.map(\.kind) == [.adjustment, .waiver])
        #expect(try library.owed("ada") == 40)
        try library.expectSound()
    }

    @Test("a check-in finds a lost copy and sets it aside for who waits")
    func checkedIn() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        _ = try library.desk.write { session in
            try session.holds.place(HoldRequest(patron: .username("bob"), wanted: .title(.id(2)))).get()
        }
        _ = try markLost(library, lent).get()
        let back = try library.desk.write { try $0.loans.checkin(.barcode("000000020001")) }.get()
        #expect(back.loan?.id == lent.id && back.copy?.status == .onHoldShelf && back.hold?.state == .shelf)
        #expect(back.posted.map(\.kind) == [.waiver])
        #expect(try library.owed("ada") == 0)
        try library.expectSound()
    }

    @Test("a lost copy without a loan is found by a scan and by mark_found")
    func withoutLoan() throws {
        let library = try library()
        let barcodes = ["000000030001", "000000030002"]
        for barcode in barcodes {
            _ = try library.desk.write { try $0.catalogue.updateCopy(barcode: barcode) { $0.status = .lost }.get() }
        }
        let scanned = try library.desk.write { try $0.loans.checkin(.barcode(barcodes[0])) }.get()
        let found = try library.desk.write { try $0.loans.markFound(.barcode(barcodes[1])) }.get()
        #expect(scanned.copy?.status == .available && found.copy?.status == .available)
        let again = try library.desk.write { try $0.loans.markFound(.barcode(barcodes[1])) }.get()
        #expect(again == found)
        try library.expectSound()
    }

    @Test("a copy that is not lost is not found")
    func notLost() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        #expect(try markFound(library, lent).refusal?.code == "not_lost")
        _ = try library.desk.write { try $0.catalogue.withdrawCopy(barcode: "000000030001").get() }
        #expect(
            try library.desk.write { try $0.loans.markFound(.barcode("000000030001")) }.refusal?.code == "not_lost")
        #expect(try library.desk.write { try $0.loans.markFound(.barcode("x")) }.refusal?.code == "unknown_copy")
    }

    @Test("a lost copy that is written off ends its loan, so that the patron can go")
    func writtenOff() throws {
        let library = try library()
        let lent = try library.lend("ada", 2).get()[0]
        _ = try markLost(library, lent).get()
        _ = try library.desk.write { session in
            try session.fees.pay(.username("ada"), amount: Money(minorUnits: 2500, currency: .eur)).get()
        }
        #expect(try library.desk.write { try $0.patrons.remove(.username("ada")) }.refusal?.code == "open_loans")
        let copy = try library.desk.write { try $0.catalogue.withdrawCopy(barcode: "000000020001") }.get()
        #expect(copy.status == .withdrawn)
        let ended = try loan(library, lent.id)
        #expect(ended.returnedAt == library.clock.now() && ended.lostAt == library.clock.now())
        #expect(try library.desk.write { try $0.patrons.remove(.username("ada")) }.value != nil)
        try library.expectSound()
    }
}
