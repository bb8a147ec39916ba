package import Circulation
import Storage

extension ImportService {
    /// Takes in a loan of the past under its own key, at its own instant, which no policy decides.
    ///
    /// - Parameters: as for ``loan(_:renewed:under:)``.
    package func loan(_ loan: Loan, renewed: [Instant] = []) throws -> Imported<Loan> {
        try self.loan(loan, renewed: renewed, under: ArrivalTerms()).loan
    }

    /// Takes in a loan of the past under its own key, at its own instant.
    ///
    /// A loan that was not returned is an open one only if it has copy, patron and due time and its copy is there;
    /// anything less is kept for statistics, without its copy. An open one that no version of this library decided is
    /// put to the one that the terms name, as if it had been lent at the desk at its own moment; from then on it is a
    /// loan like those made here. Its due time stays, and it stays a loan where the policy would have refused it.
    ///
    /// - Parameters:
    ///   - loan: with its ``Loan/importKey``; the key that was seen before changes nothing.
    ///   - renewed: when it was renewed, as far as that is known; no more than ``Loan/renewals``.
    /// - Throws: ``Refused`` if the version cannot be loaded.
    package func loan(
        _ loan: Loan, renewed: [Instant] = [], under terms: ArrivalTerms
    ) throws -> ArrivedLoan {
        guard let key = loan.importKey, !key.isEmpty else {
            throw DeskError.input("import_key", "An imported loan needs a key.")
        }
        var arrived = ArrivedLoan(loan: .unchanged(loan))
        arrived.loan = try rejecting {
            if let before = try self.loan(called: key) { return .unchanged(before) }
            guard Int64(renewed.count) <= loan.renewals, renewed.allSatisfy({ $0 >= loan.lentAt }) else {
                throw Refused("bad_renewals", "There are more renewals than it counts, or one before the loan.")
            }
            let completed = try completed(loan, isTold: Int64(renewed.count) == loan.renewals, terms, &arrived)
            guard let (added, sequence) = try session.record(.loanImported, completed, at: loan.lentAt) else {
                throw Refused("exists", "The copy has an open loan already.")
            }
            if let asked = arrived.asked { try session.log(asked, under: sequence) }
            for moment in renewed {
                let past = PastRenewal(loan: added.id, copy: added.copy, patron: added.patron, renewedAt: moment)
                try session.record(.loanRenewalImported, past, at: moment)
            }
            return .added(added)
        }
        return arrived
    }

    /// - Parameter isTold: whether the dates of all its renewals are known.
    private func completed(
        _ loan: Loan, isTold: Bool, _ terms: ArrivalTerms, _ arrived: inout ArrivedLoan
    ) throws -> Loan {
        let transaction = session.transaction
        var loan = loan
        if try loan.id <= 0 || transaction.loans.get(loan.id) != nil { loan.id = 0 }
        // Under the id that its key names it goes on as the loan that it was. Renewals without a date count for imported
        // loans alone.
        if isTold, let key = loan.importKey,
            let (id, at) = ExportKey.parts(of: key, "loan"), id == loan.id, at == loan.lentAt
        {
            loan.importKey = nil
        }
        let copy = try loan.copy.flatMap { try transaction.copies.get($0) }
        loan.copy = copy?.id
        loan.title = loan.title ?? copy?.title
        loan.itemType = loan.itemType ?? copy?.itemType
        loan.branch = loan.branch ?? copy?.branch
        let patron = try loan.patron.flatMap { try transaction.patrons.get($0) }
        loan.patron = patron?.id
        loan.category = loan.category ?? patron?.category
        loan.homeBranch = loan.homeBranch ?? patron?.homeBranch
        loan.policy = try version(of: loan)
        let isOpen = loan.returnedAt == nil
        let isAtHand = try copy.map { try isFree($0, for: loan, terms) } ?? false
        if isOpen, isAtHand, let copy, patron != nil, loan.policy == nil, let version = terms.decidedBy {
            try decide(&loan, on: copy, by: version, &arrived)
        }
        loan.originalDueAt = loan.originalDueAt ?? loan.due?.instant
        if isOpen, patron == nil || loan.due == nil || !isAtHand {
            loan.copy = nil
            loan.noticesSentUntil = nil
        } else if isOpen {
            loan.noticesSentUntil = try loan.noticesSentUntil ?? said(of: loan, terms)
        }
        return loan
    }

    /// A version that was not in force here when the loan was made, or renewed last, did not decide it. One that was
    /// named for a loan when that came along decides it wherever it goes.
    private func version(of loan: Loan) throws -> String? {
        guard let version = loan.policy else { return nil }
        if loan.importKey != nil, loan.noticesSentUntil != nil, try session.policies.bundle(version) != nil {
            return version
        }
        return try session.policies.wasInForce(version, from: loan.renewedAt ?? loan.lentAt)
    }

    /// Whether an open loan may have the copy: one that is there, or is lost with it.
    private func isFree(_ copy: Copy, for loan: Loan, _ terms: ArrivalTerms) throws -> Bool {
        if loan.lostAt == nil, !terms.takesLost { return copy.status == .available }
        return try copy.status == .available
            || copy.status == .lost && session.transaction.loans.open(copy: copy.id) == nil
    }
}

// MARK: - What a policy says of a loan that came along

extension ImportService {
    /// Has a version decide a loan at its own moment, and gives it what the file leaves to the policy.
    private func decide(_ loan: inout Loan, on copy: Copy, by version: String, _ arrived: inout ArrivedLoan) throws {
        let (borrowed, desk) = (loan, try CaseBuilder(session: desk(of: loan)))
        guard let question = try desk.arrival(of: borrowed, on: copy) else { return }
        let (asked, due) = try session.policies.asking(version, at: .checkout) { policy in
            let whole = try desk.ask(policy, ReplayCaseBuilder.request(before: question))
            let asked = try whole.refusal == nil ? desk.ask(policy, question, copy: copy) : whole
            guard borrowed.due == nil, asked.decision.due == nil else { return (asked, asked.decision.due) }
            var later = question
            later.point = .due
            return (asked, try desk.ask(policy, later).decision.due)
        }
        arrived.asked = asked
        arrived.isDueByPolicy = loan.due == nil && due != nil
        loan.due = loan.due ?? due
        if loan.due == nil { arrived.asked = nil } else { loan.policy = version }
    }

    /// The desk at which the loan was made, as far as a case can tell.
    private func desk(of loan: Loan) throws -> DeskSession {
        var actor = session.actor
        actor.branch = loan.branch
        return DeskSession(
            transaction: session.transaction, shelf: session.shelf, now: loan.lentAt, actor: actor, extensions: [],
            requestID: { "" })
    }
}

extension CaseBuilder {
    /// The case of a loan that comes along, as it was when it was lent: the copy was on the shelf.
    ///
    /// - Returns: nil if it lacks what decisions need.
    func arrival(of loan: Loan, on copy: Copy) throws -> Case? {
        guard let patronID = loan.patron, let branch = loan.branch else { return nil }
        try prefetch(patron: patronID, at: branch, titles: [copy.title], lending: false)
        guard let patron = try patron(patronID, at: branch), let title = try title(copy.title, for: patronID) else {
            return nil
        }
        var lent = try facts(of: copy, for: patronID, waiting: title.holdsWaiting)
        lent.status = .available
        var question = question(.checkout, at: branch, patron: patron, title: title, copy: lent)
        question.request = RequestFacts(
            size: 1, titles: [copy.title], index: 1, granted: [], onSite: loan.onSite)
        return question
    }
}
