import Circulation
import Storage

/// Answers what cases ask for from what was gathered before. All answers are those of the tables.
protocol KnownFacts {
    /// The open loans may be missing.
    func patron(_ id: Int64, now: Instant, today: CivilDate) throws -> PatronFacts?
    func title(_ id: Int64, askedBy patron: Int64, copy: Int64?, today: CivilDate) throws -> TitleFacts?
    func copy(_ id: Int64) throws -> Copy?
    func notices(loan: Int64, dueAt: Instant) throws -> [NoticeFacts]
}

extension FoldedFacts: KnownFacts {}

/// What is known about a page of loans; what is not is read from the tables.
struct PageFacts: KnownFacts {
    let gathered: FactsOfLoans
    private let transaction: Transaction

    init(of loans: [Loan], _ transaction: Transaction) throws {
        self.transaction = transaction
        gathered = try transaction.facts.about(loans)
    }

    /// Without the open loans.
    func patron(_ id: Int64, now: Instant, today: CivilDate) throws -> PatronFacts? {
        try gathered.patron(id, today: today)
            ?? transaction.facts.patron(id, now: now, today: today, withLoans: false)
    }

    func title(_ id: Int64, askedBy patron: Int64, copy: Int64?, today: CivilDate) throws -> TitleFacts? {
        try gathered.titles[id] ?? transaction.facts.title(id, askedBy: patron, copy: copy, today: today)
    }

    func copy(_ id: Int64) throws -> Copy? { try gathered.copies[id] ?? transaction.copies.get(id) }

    func notices(loan: Int64, dueAt: Instant) -> [NoticeFacts] { gathered.notices(loan: loan, dueAt: dueAt) }
}
