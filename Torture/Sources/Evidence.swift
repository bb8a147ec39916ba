import Circulation
import Desk
import Foundation
import Storage

/// All that is known at the end: what was asked and told, and what the store says.
struct Evidence {
    /// By process.
    let journals: [[JournalLine]]
    /// All of them, by sequence.
    let events: [Event]
    /// Open loans by id, as the table has them.
    let openLoans: [Int64: Loan]
    /// All lines of all accounts, as the table has them.
    let ledger: [LedgerEntry]
    /// The last event before the processes began.
    let begunAfter: Int64
    /// The category of each patron.
    let categories: [Int64: String]
    private let doctor: DoctorReport

    init(journals: [[JournalLine]], store: any Store, openedAt: Int64, begunAfter: Int64) throws {
        self.journals = journals
        self.begunAfter = begunAfter
        let desk = TortureLibrary.desk(store, openedAt)
        doctor = try desk.examine()
        var openLoans: [Int64: Loan] = [:]
        var ledger: [LedgerEntry] = []
        var categories: [Int64: String] = [:]
        events = try desk.read { session in
            try session.loans.each(LoanQuery(state: .open)) { loan in
                openLoans[loan.id] = loan
                return true
            }
            try session.patrons.each { patron in
                categories[patron.id] = patron.category
                ledger += try session.fees.ledger(of: .id(patron.id))
                return true
            }
            return try session.events.list(EventQuery())
        }
        self.openLoans = openLoans
        self.ledger = ledger
        self.categories = categories
    }

    /// Everything that must not be.
    func findings(_ notes: Watch.Notes) throws -> [Finding] {
        var findings = RequestCheck(journals: journals, events: events, begunAfter: begunAfter).findings()
        var rules = RuleCheck(categories: categories)
        try rules.apply(events)
        rules.compare(openLoans: openLoans, ledger: ledger)
        findings += rules.findings
        findings += doctor.broken.map { Finding("doctor", "\($0.invariant): \($0.table) \($0.id): \($0.message)") }
        findings += doctor.failures.map { Finding("policy failed", "event \($0.event): \($0.message)") }
        findings += notes.broken.sorted().map { Finding("doctor during the load", $0) }
        findings += notes.failures.map { Finding("an onlooker failed", $0) }
        findings += reading(notes)
        return findings
    }

    /// Whether the reader of events was shown each that is there, once, as it is, in order.
    private func reading(_ notes: Watch.Notes) -> [Finding] {
        var findings = notes.disorder.map { Finding("events out of order", "event \($0) was shown behind a later one") }
        for event in events {
            guard let seen = notes.seen[event.sequence] else {
                findings.append(Finding("event skipped", "event \(event.sequence) was never shown to the reader"))
                continue
            }
            if seen.request != event.request || seen.ordinal != event.ordinal {
                findings.append(
                    Finding(
                        "event replaced",
                        "event \(event.sequence) was shown as one of \(seen.request), and is one of \(event.request)"))
            }
        }
        return findings
    }
}
