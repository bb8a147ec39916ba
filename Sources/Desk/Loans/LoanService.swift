package import Circulation
import Storage

/// Lending, renewing, taking back.
package struct LoanService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }

    package func get(_ key: LoanKey) throws -> Loan? {
        switch key {
        case .id(let id):
            return try transaction.loans.get(id)
        case .barcode(let barcode):
            guard let copy = try transaction.copies.find(barcode: barcode) else { return nil }
            return try transaction.loans.open(copy: copy.id)
        }
    }

    /// A patron's open loans, the oldest first; none for an unknown patron.
    package func active(of patron: PatronKey) throws -> [Loan] {
        guard let patron = try session.patrons.get(patron) else { return [] }
        return try transaction.loans.open(patron: patron.id)
    }

    /// A part of a patron's open loans.
    package func active(of patron: PatronKey, _ part: ListPart) throws -> [Loan] {
        guard let patron = try session.patrons.get(patron) else { return [] }
        return try transaction.loans.open(patron: patron.id, part)
    }

    /// A part of the open loans past their due time, the longest overdue first.
    package func overdue(asOf: Instant? = nil, _ part: ListPart) throws -> [Loan] {
        try transaction.loans.due(before: asOf ?? session.now, part)
    }

    /// Open loans past their due time, the longest overdue first. The body may write, and ends the reading by returning
    /// false.
    package func overdue(asOf: Instant? = nil, _ body: (Loan) throws -> Bool) throws {
        let moment = asOf ?? session.now
        var position: DuePosition?
        while true {
            let page = try transaction.loans.due(before: moment, after: position, limit: Self.pageSize)
            for loan in page where try !body(loan) { return }
            guard let last = page.last, let due = last.due else { return }
            position = DuePosition(dueAt: due.instant, loan: last.id)
        }
    }

    /// A patron's loans, the latest first.
    package func history(of patron: PatronKey, _ part: ListPart = ListPart(limit: 100)) throws -> [Loan] {
        guard let patron = try session.patrons.get(patron) else { return [] }
        return try transaction.loans.history(LoanQuery(patron: patron.id), limit: part.limit, offset: part.offset)
    }

    /// The loan of a title that was made last, open or past; nil where it was never lent.
    package func latest(of title: Int64) throws -> Loan? {
        try transaction.loans.latest(title: title)
    }

    /// Streams loans by id; the body may write, and ends the reading by returning false.
    package func each(_ query: LoanQuery, _ body: (Loan) throws -> Bool) throws {
        try transaction.loans.forEach(query) { loan in
            try query.admits(loan) ? body(loan) : true
        }
    }

    /// The decisions recorded for a loan, the oldest first: what was asked, and what the policy answered and why.
    package func explain(_ key: LoanKey) throws -> [RecordedDecision] {
        guard let loan = try get(key) else { return [] }
        var decisions: [RecordedDecision] = []
        try transaction.events.forEach(EventQuery(loan: loan.id)) { event in
            for record in try transaction.decisions.of(event: event.sequence) {
                decisions.append(try RecordedDecision(record, of: event))
            }
            return true
        }
        return decisions
    }

    static let pageSize: Int64 = 500
}

extension LoanService {
    func known(_ key: LoanKey, _ trail: RequestTrail) throws -> Loan {
        let found: Loan?
        switch key {
        case .id(let id):
            found = try transaction.loans.get(id)
            guard found != nil else { throw Refused(Refusal.Code.unknownLoan, "There is no loan \(id).") }
        case .barcode(let barcode):
            let copy = try session.catalogue.known(barcode: barcode)
            trail.copy = copy.id
            found = try transaction.loans.open(copy: copy.id)
        }
        guard let loan = found else { throw Refused("not_on_loan", "The copy is not on loan.") }
        trail.loan = loan.id
        trail.copy = loan.copy
        trail.patron = loan.patron
        trail.titles = loan.title.map { [$0] } ?? []
        return loan
    }

    /// A loan that is open and has what decisions need.
    func knownOpen(_ key: LoanKey, _ trail: RequestTrail) throws -> Loan {
        let loan = try known(key, trail)
        guard loan.returnedAt == nil else { throw Refused("returned", "The loan \(loan.id) has ended.") }
        guard loan.copy != nil, loan.patron != nil, loan.due != nil else {
            throw Refused("history_only", "The loan \(loan.id) is imported history, kept for statistics.")
        }
        return loan
    }

    /// What a template can say about a request.
    func context(patron: Int64?, title: Int64? = nil, copy: Copy? = nil, loan: Loan? = nil, branch: String?) throws
        -> TemplateContext
    {
        let settings = try session.settingsSnapshot()
        return TemplateContext(
            patron: try patron.flatMap { try transaction.patrons.get($0) },
            title: try (title ?? copy?.title ?? loan?.title).flatMap { try transaction.titles.get($0) },
            copy: copy, loan: loan, branch: branch.flatMap { settings.branch($0) }, library: settings.library,
            now: session.now)
    }
}
