extension CompiledTables {
    /// How long before its due time a loan may renew by itself at the earliest; nil if no row says `auto_renew = true`.
    ///
    /// Periods are taken generously, as ``firstNoticeLead`` takes them: this selects loans,
    /// ``renewsByItself(_:rule:)`` decides.
    package var automaticRenewalLead: Period? {
        guard source.rules.contains(where: { $0.fields["auto_renew"] == .boolean(true) }) else { return nil }
        let leads = source.rules.compactMap { row -> Period? in
            if case .period(let period)? = row.fields["renew_not_before"] { period } else { nil }
        }
        return Period((leads + [.days(1)]).map(\.generousMinutes).max() ?? 0, .minutes)
    }
}

extension MatchedRule {
    /// Whether it is time for the case's loan to renew by itself: the row says so, and the loan is due on the case's day,
    /// or was, or may be renewed by `renew_not_before`, which the renewal itself checks. At most once a day, so that a
    /// loan that can be renewed again at once is not.
    package func renewsByItself(_ question: Case, renewedAt: Instant?) -> Bool {
        guard renewal.isAutomatic, let loan = question.loan else { return false }
        if let renewedAt, question.zone.date(of: renewedAt) >= question.today { return false }
        return renewal.notBefore != nil || question.zone.date(of: loan.dueAt) <= question.today
    }
}
