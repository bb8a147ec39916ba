import Circulation
import Desk

/// Plays the events through by the library's rules, by code that shares nothing with the desk's.
struct RuleCheck {
    private(set) var findings: [Finding] = []
    private let categories: [Int64: String]
    private var loans: [Int64: Loan] = [:]
    /// The open loan of a copy.
    private var lent: [Int64: Int64] = [:]
    private var loansOf: [Int64: Int] = [:]
    private var holds: [Int64: Hold] = [:]
    private var lines: [Int64: LedgerEntry] = [:]
    private var keys: Set<String> = []
    private var balances: [Int64: Int64] = [:]

    init(categories: [Int64: String]) {
        self.categories = categories
    }

    mutating func apply(_ events: [Event]) throws {
        for event in events {
            let body = try event.body()
            if let loan = body[.loanMade] { made(loan, event) }
            if let back = body[.loanReturned] { returned(back, event) }
            if let change = body.content(HoldChange.self) { changed(change, event) }
            for entry in body[.ledgerPosted] ?? [] { posted(entry, event) }
        }
    }

    private mutating func find(_ rule: String, _ message: String, _ event: Event) {
        findings.append(Finding(rule, "event \(event.sequence): \(message)"))
    }

    private mutating func made(_ loan: Loan, _ event: Event) {
        guard let copy = loan.copy, let patron = loan.patron else { return }
        if let other = lent[copy] { find("lent twice", "copy \(copy) is lent as loan \(other) already", event) }
        if loans[loan.id] != nil { find("lent twice", "loan \(loan.id) was made before", event) }
        loans[loan.id] = loan
        lent[copy] = loan.id
        loansOf[patron, default: 0] += 1
        let limit = categories[patron].flatMap { TortureLibrary.limits[$0] } ?? 0
        if loansOf[patron, default: 0] > limit {
            find("limit", "patron \(patron) has \(loansOf[patron, default: 0]) loans and may have \(limit)", event)
        }
        let keeper = holds.values.first { $0.isSetAside && $0.heldCopy == copy }
        if let keeper, keeper.patron != patron {
            find("lent in spite of a hold", "copy \(copy) was set aside for hold \(keeper.id)", event)
        }
    }

    private mutating func returned(_ back: LoanReturn, _ event: Event) {
        guard let loan = loans.removeValue(forKey: back.loan), let copy = loan.copy, let patron = loan.patron else {
            find("returned twice", "loan \(back.loan) is not open", event)
            return
        }
        lent[copy] = nil
        loansOf[patron, default: 0] -= 1
    }

    private mutating func changed(_ change: HoldChange, _ event: Event) {
        let before = holds[change.hold.id]
        holds[change.hold.id] = change.hold.isOpen ? change.hold : nil
        switch change.step {
        case .placed:
            if before != nil { find("held twice", "hold \(change.hold.id) was placed before", event) }
        case .shelved, .inTransit:
            guard before?.state == .waiting, let copy = change.hold.heldCopy else { return }
            if let before { checkTurn(of: before, copy, event) }
        default:
            if before == nil { find("hold", "hold \(change.hold.id) is not open", event) }
        }
    }

    /// A copy goes to the first in line that would take it.
    private mutating func checkTurn(of hold: Hold, _ copy: Int64, _ event: Event) {
        let first = holds.values.filter { other in
            other.title == hold.title && other.state == .waiting && (other.copy == nil || other.copy == copy)
                && other.suspendedUntil == nil
        }.first { $0.precedes(hold) }
        if let first { find("queue", "hold \(hold.id) got a copy before hold \(first.id)", event) }
        let others = holds.values.filter { $0.id != hold.id && $0.isSetAside && $0.heldCopy == copy }
        if let other = others.first { find("set aside twice", "copy \(copy) is kept for hold \(other.id)", event) }
        if lent[copy] != nil { find("set aside twice", "copy \(copy) is on loan", event) }
    }

    private mutating func posted(_ entry: LedgerEntry, _ event: Event) {
        if lines[entry.id] != nil || !keys.insert(entry.key).inserted {
            find("posted twice", "line \(entry.id) with the key \(entry.key)", event)
        }
        lines[entry.id] = entry
        balances[entry.patron, default: 0] += entry.amount.minorUnits
        if entry.kind == .payment, balances[entry.patron, default: 0] < 0 {
            find("paid too much", "patron \(entry.patron) owed less than the payment \(entry.id)", event)
        }
    }

    /// Holds the tables against what the events come to.
    mutating func compare(openLoans: [Int64: Loan], ledger: [LedgerEntry]) {
        for (id, loan) in loans.sorted(by: { $0.key < $1.key }) where openLoans[id]?.copy != loan.copy {
            findings.append(Finding("table of loans", "loan \(id) should be open, of copy \(loan.copy ?? 0)"))
        }
        for id in openLoans.keys.sorted() where loans[id] == nil {
            findings.append(Finding("table of loans", "loan \(id) should not be open"))
        }
        let rows = Dictionary(ledger.map { ($0.id, $0) }) { first, _ in first }
        for (id, line) in lines.sorted(by: { $0.key < $1.key }) {
            let row = rows[id]
            if row?.amount != line.amount || row?.patron != line.patron || row?.key != line.key {
                findings.append(Finding("table of fees", "line \(id) is not as it was posted"))
            }
        }
        for id in rows.keys.sorted() where lines[id] == nil {
            findings.append(Finding("table of fees", "line \(id) was never posted"))
        }
    }
}
