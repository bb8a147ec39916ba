extension CompiledTables {
    /// Whether any row says when a copy counts as lost, so that loans are to be asked about at all.
    package var losesLoans: Bool {
        source.rules.contains { row in
            if case .period? = row.fields["lost_after"] { true } else { false }
        }
    }
}

extension MatchedRule {
    /// Whether the case's loan is so late that its copy counts as lost.
    ///
    /// `days`, `weeks`, `months` and `open_days` are reached at the local midnight that opens the due date plus so many,
    /// as the stages of notices are; hours and minutes count from the due instant.
    /// - Throws: ``PolicyFailure`` with the code `bad_answer`: no open day, a date out of range.
    package func countsAsLost(_ question: Case) throws -> Bool {
        guard let loan = question.loan, question.isPastDue, let after = lost.after else { return false }
        return try PolicyFailure.placing(at: origin(of: "lost_after")) {
            try question.now >= question.moment(after, from: loan.dueAt)
        }
    }

    /// What the case's copy costs if it is lost; nil for nothing, and for a copy without a price where that is to be
    /// paid.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer` for an amount in another currency than the library's.
    package func lostFee(for question: Case) throws -> Money? {
        let fee: Money?
        switch lost.fee {
        case .money(let money): fee = money
        case .replacementPrice: fee = question.copy?.replacementPrice
        case nil: fee = nil
        }
        guard let fee, !fee.isZero else { return nil }
        guard fee.currency == question.currency, fee.isPositive else {
            let origin = origin(of: "lost_fee")
            throw PolicyFailure(
                code: "bad_answer", message: "lost_fee is \(fee), not an amount in \(question.currency.code)",
                file: origin?.file, line: origin?.line)
        }
        return fee
    }

    /// Whether a copy that comes back now takes the fee for its loss back: fewer than `lost_refund_within` after the
    /// loss. A period of days ends at the local midnight that opens the day of the loss plus so many.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer`: no open day, a date out of range.
    package func refundsLoss(_ question: Case) throws -> Bool {
        guard let lostAt = question.loan?.lostAt else { return false }
        switch lost.refund {
        case .never: return false
        case .always: return true
        case .within(let period):
            return try PolicyFailure.placing(at: origin(of: "lost_refund_within")) {
                try question.now < question.moment(period, from: lostAt)
            }
        }
    }
}

extension Case {
    /// The moment at which a period from an instant is over: elapsed time to the microsecond, days at the midnight that
    /// opens the last of them.
    fileprivate func moment(_ period: Period, from start: Instant) throws -> Instant {
        if period.isElapsed { return try period.added(to: start, in: zone, calendar: calendar) }
        return try zone.startOfDay(period.added(to: zone.date(of: start), calendar: calendar))
    }
}
