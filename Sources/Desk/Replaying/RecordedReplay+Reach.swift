import Circulation
import Storage

// Where notices are the same, loans are not looked at in sweeps: what was written is what the candidate would have had
// written. Of a sweep that was broken off that is not so. It shows by what was due when it was made, and is not written by
// the time of the next one, or when the loan ends or gets another due time. Then each loan has to be looked at.
extension RecordedReplay {
    /// Looks at the loans of which a sweep writes: whether the one before had come to them.
    func checkReach(_ item: ReplayStream.Item, _ notices: [Notice]) throws {
        for loan in Set(notices.compactMap(\.loan)).sorted() {
            try checkReach(of: loan, at: sweep.before, item.record.sequence)
        }
    }

    /// Looks at a loan that ends or gets another due time: whether the last sweep had come to it.
    func checkReach(_ item: ReplayStream.Item, _ body: EventBody) throws {
        guard !looksAtSweeps, sweep.number > 0 else { return }
        let change = body[.loanRenewed] ?? body[.loanLost] ?? body[.loanDueSet] ?? claim(in: body)
        guard let loan = body[.loanReturned]?.loan ?? change?.loan.id else { return }
        try checkReach(of: loan, at: sweep.first, item.record.sequence)
    }

    /// Looks at the loans that are not back.
    func finishReach() throws {
        guard !looksAtSweeps, let moment = sweep.first else { return }
        let horizon = try CaseBuilder(session: fold.session(at: moment, as: .desk)).horizon(from: noticesFrom)
        var position: DuePosition?
        while true {
            let page = try fold.transaction.loans.running(before: horizon, after: position, limit: 500)
            for loan in page { try checkReach(of: loan.id, at: moment, summary.events) }
            guard let last = page.last, let due = last.due else { return }
            position = DuePosition(dueAt: due.instant, loan: last.id)
        }
    }

    private func checkReach(of id: Int64, at moment: Instant?, _ event: Int64) throws {
        guard let moment, counts(id), let loan = try fold.loan(id), let due = loan.due,
            (loan.renewedAt ?? loan.lentAt) <= moment
        else { return }
        let session = fold.session(at: moment, as: .desk)
        let maker = try ReplayCaseBuilder(fold, session)
        guard try due.instant < maker.desk.horizon(from: noticesFrom),
            let version = try fold.transaction.policies.inForce(at: moment)?.policy,
            let about = try maker.about(loan, .overdue, nil, person(loan.patron))
        else { return }
        try inTurn { [self] in
            var question = about.question
            question.loan?.notices = accounts.notices(id, dueAt: due.instant)
            guard questions.maySend(question, version) else { return }
            throw ReplayDoubt(event: event, reason: .sweep)
        }
    }
}
