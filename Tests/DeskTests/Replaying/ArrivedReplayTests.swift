import Circulation
import Desk
import Storage
import Testing

@Suite("Rehearsing loans that came along", .everyStore)
struct ArrivedReplayTests {
    private static let policy = PolicySpec(tables: Library.tables(limit: 1))

    /// Two open loans that were decided here, the second against the limit, and one of the past.
    private func history() throws -> Library {
        let library = try Library(policy: Self.policy)
        let terms = ArrivalTerms(decidedBy: try ArrivedLoanTests.version(library))
        let barcodes = try ArrivedLoanTests.barcodes(library, 3)
        let lentAt = try Instant(parsing: "2026-02-20T10:00:00Z")
        for (number, barcode) in barcodes.prefix(2).enumerated() {
            _ = try ArrivedLoanTests.add(
                library, ArrivedLoanTests.loan(library, "ada", barcode: barcode, key: "\(number)", lentAt: lentAt),
                terms)
        }
        let past = Loan(
            title: 1, category: "patron", itemType: "book", lentAt: lentAt,
            returnedAt: try lentAt.adding(hours: 24 * 20), importKey: "past")
        _ = try ArrivedLoanTests.add(library, past, terms)
        try library.pass(days: 20)
        _ = try library.desk.sweep()
        _ = try library.desk.write { try $0.loans.renew(.id(1)).get() }
        _ = try library.desk.write { try $0.loans.checkin(.id(2)).get() }
        return library
    }

    @Test("the version that decided them says the same once more", arguments: [ReplayPlan.Mode.recorded, .candidate])
    func same(mode: ReplayPlan.Mode) throws {
        let (witness, summary) = try history().replay(Self.policy, ReplayPlan(mode: mode, asksAll: true))
        #expect(witness.contradictions == [] && witness.differences == [] && witness.moved == [])
        #expect(witness.decisions.filter { $0.kind == "loan.imported" }.map(\.before.code) == [nil, "limit"])
        #expect(summary.arrivals.loans == 1)
    }

    @Test("another policy refuses or grants them, and fines them otherwise")
    func other() throws {
        let eur = Currency.eur
        let dearer = Library.tables(limit: 2, fields: ["fine": .money(Money(minorUnits: 50, currency: eur))])
        let (witness, _) = try history().replay(PolicySpec(tables: dearer))
        let changed = witness.differences.filter { $0.kind == "loan.imported" }
        #expect(changed.count == 1 && changed.first?.after.answer == "allow")
        let fines = witness.loans.flatMap(\.fees).filter { $0.kind == .fine }
        #expect(fines.allSatisfy { $0.after * 20 == $0.before * 50 } && !fines.isEmpty)
        #expect(witness.contradictions == [])
    }

    @Test("what a loan of the past lacks is counted, and what its facts allow is asked", arguments: [false, true])
    func past(refuses: Bool) throws {
        let tables = Library.tables(limit: refuses ? 0 : 3)
        let (_, summary) = try history().replay(PolicySpec(tables: tables))
        #expect(summary.arrivals.asked == 1)
        #expect(summary.arrivals.missing == [.patron: 1, .branch: 1, .due: 1])
        #expect(summary.arrivals.refused == (refuses ? ["limit": 1] : [:]))
        #expect(summary.arrivals.late == (refuses ? 0 : 1))
    }
}
