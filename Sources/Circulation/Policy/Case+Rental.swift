extension MatchedRule {
    /// Whether the rule says that borrowing costs something.
    package var isRental: Bool { rental.rental?.isPositive ?? false }

    /// The case at the point `price` of a loan that would last until `due`, or of its renewal; nil where the rule charges
    /// nothing for it.
    ///
    /// Without `rental_per` a loan costs once, and its renewals nothing. With it a renewal counts from the old due time,
    /// or from now if that has passed: lateness is fined. Its `lent_at` is then when it begins to count.
    package func rentalQuestion(of question: Case, until due: DueTime) -> Case? {
        guard isRental else { return nil }
        var priced = question
        priced.point = .price
        priced.request = nil
        if var loan = question.loan {
            guard rental.per != nil else { return nil }
            loan.lentAt = max(loan.dueAt, question.now)
            guard loan.lentAt < due.instant else { return nil }
            loan.dueAt = due.instant
            loan.renewals += 1
            loan.notices = []
            priced.loan = loan
        } else {
            priced.loan = LoanFacts(
                id: 0, lentAt: question.now, dueAt: due.instant, originalDueAt: due.instant,
                onSite: question.request?.onSite ?? false)
        }
        return priced
    }
}

extension Decision {
    /// The lines of a price as what a loan costs.
    package static func rental(_ lines: [PriceLine]) -> [Effect] {
        lines.filter { !$0.amount.isZero }.map { .rental($0.amount, label: $0.label, origin: $0.origin) }
    }
}
