package import Circulation
import Storage

extension EventKinds {
    static let loans: [any AnyEventKind] = [
        EventKind.loanMade, EventKind.loanRenewed, EventKind.loanReturned, EventKind.loanDueSet,
        EventKind.loanRecalled, EventKind.loanLost, EventKind.loanClaimed, EventKind.loanImported,
        EventKind.loanRenewalImported, EventKind.loanTold, EventKind.loanDueSoon, EventKind.loanOverdue,
    ]
}

extension EventKind where Content == Loan {
    package static var loanMade: Self {
        EventKind("loan.made", "A copy was lent.", follow: { try $1.noteMade($0) }) { loan, transaction in
            var loan = loan
            loan.id = try transaction.loans.lend(loan)
            if let copy = loan.copy { try transaction.copies.setStatus(.onLoan, of: copy) }
            return loan
        }
    }

    package static var loanImported: Self {
        EventKind("loan.imported", "A loan came from another system.", follow: { try $1.forget(loan: $0) }) {
            loan, transaction in
            var loan = loan
            guard let id = try transaction.loans.insertIfNew(loan) else { return nil }
            loan.id = id
            if let copy = loan.copy, loan.returnedAt == nil {
                try transaction.copies.setStatus(loan.lostAt == nil ? .onLoan : .lost, of: copy)
            }
            return loan
        }
    }

    package static var loanTold: Self {
        EventKind(
            writing: "loan.told",
            "The system that a loan came from had told the patron that it is late, as a later import says.",
            follow: { try $1.forget(loan: $0) }
        ) { try $1.loans.updateTold($0) }
    }
}

extension EventKind where Content == Loan {
    package static var loanDueSoon: Self {
        EventKind(
            noting: "loan.due_soon",
            "A loan of more than three days is due within three days, as a sweep found: once for each due time."
        )
    }

    package static var loanOverdue: Self {
        EventKind(noting: "loan.overdue", "A loan is past its due time, as a sweep found: once for each due time.")
    }
}

extension EventKind where Content == LoanChange {
    package static var loanRenewed: Self {
        due("loan.renewed", "A loan was renewed, at the desk, by the patron or by itself.")
    }
    package static var loanDueSet: Self {
        due("loan.due_set", "A loan was given another due time by hand, by a closure or by a policy.")
    }
    /// Its due time was brought forward, since others wait.
    package static var loanRecalled: Self {
        due("loan.recalled", "A loan's due time was brought forward, since others wait.")
    }

    private static func due(_ name: String, _ summary: String) -> Self {
        EventKind(writing: name, summary, follow: { try $1.noteDue($0.loan) }) { try $1.loans.updateDue($0.loan) }
    }

    /// Its copy was declared lost.
    package static var loanLost: Self {
        EventKind(
            writing: "loan.lost", "The copy of a loan was declared lost.", follow: { try $1.forget(loan: $0.loan) }
        ) { change, transaction in
            try transaction.loans.updateStop(change.loan)
            if let copy = change.loan.copy { try transaction.copies.setStatus(.lost, of: copy) }
        }
    }

    /// The patron says that the copy was returned.
    package static var loanClaimed: Self {
        EventKind(
            writing: "loan.claimed", "A patron says that the copy of a loan was returned.",
            follow: { try $1.forget(loan: $0.loan) }
        ) { try $1.loans.updateStop($0.loan) }
    }
}

extension EventKind where Content == LoanReturn {
    package static var loanReturned: Self {
        EventKind(writing: "loan.returned", "A lent copy came back.", follow: { try $1.noteReturned($0) }) {
            try $1.loans.setReturned($0.loan, at: $0.returnedAt)
            if let copy = $0.copy { try $1.copies.setStatus(.available, of: copy) }
        }
    }
}

extension EventKind where Content == PastRenewal {
    /// One of the renewals that an imported loan counts already, at the moment when it was made.
    package static var loanRenewalImported: Self {
        EventKind(
            noting: "loan.renewal_imported", "A renewal came from another system, with an imported loan.",
            isOfLending: true)
    }
}

extension Loan: EventContent {
    package static let eventMembers = declaredMembers(.loan)
    package var subjects: EventSubjects { EventSubjects(self) }
}

/// A loan's new due time, with what else a renewal changes.
package struct LoanChange: EventContent {
    /// The loan as it is from now on.
    package var loan: Loan
    package var previousDueAt: Instant?
    /// Why, for a due time set by hand.
    package var reason: String?

    package static let blank = LoanChange(loan: .blank, previousDueAt: nil)
    package static let eventMembers: [EventMember<Self>] =
        EventMember.record(\LoanChange.loan, Loan.eventMembers)
        + [
            EventMember("previous_due_at", \.previousDueAt, "the due time before"),
            EventMember("reason", \.reason, "why, where staff say so"),
        ]

    package var subjects: EventSubjects { EventSubjects(loan) }
}

/// A renewal of an imported loan: that there was one then, and no more.
package struct PastRenewal: EventContent {
    package var loan: Int64
    package var copy: Int64?
    package var patron: Int64?
    package var renewedAt: Instant

    package static let blank = PastRenewal(loan: 0, copy: nil, patron: nil, renewedAt: .earliest)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.loan, \.loan), EventMember(.copy, \.copy), EventMember(.patron, \.patron),
        EventMember("renewed_at", \.renewedAt),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}

/// A copy that came back.
package struct LoanReturn: EventContent {
    package var loan: Int64
    package var copy: Int64?
    package var patron: Int64?
    package var returnedAt: Instant
    /// Where it was handed in; nil where the copy belongs, and for copies that were written off.
    package var branch: String?

    package static let blank = LoanReturn(loan: 0, copy: nil, patron: nil, returnedAt: .earliest)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.loan, \.loan), EventMember(.copy, \.copy), EventMember(.patron, \.patron),
        EventMember("returned_at", \.returnedAt),
        EventMember("branch", \.branch, "where it was handed in; nil online, where it goes back to its own"),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, copy: copy, loan: loan) }
}
