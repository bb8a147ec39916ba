extension CompiledTables {
    /// What something costs where no function says otherwise: of a loan the rule's `rental`, of anything else price times
    /// quantity, a line each.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer`: an amount or date out of range, two currencies.
    package func standardPrice(for question: Case, rule: MatchedRule) throws -> [PriceLine] {
        if let loan = question.loan, question.lines == nil {
            return try rental(of: loan, for: question, rule: rule).map { [$0] } ?? []
        }
        return try PolicyFailure.placing(at: nil) { try PriceLine.standard(for: question.lines ?? []) }
    }

    /// The rule's charge for borrowing from when the loan began until it is due; nil if the rule charges nothing.
    ///
    /// Each started `rental_per` counts, one at least; without `rental_per` the loan costs `rental` once. Periods are
    /// counted as lateness is: days by the calendar, hours by the clock, without closed days where `rental_closed_days` is
    /// false (Koha's `rentalcharge_daily_calendar`).
    private func rental(of loan: LoanFacts, for question: Case, rule: MatchedRule) throws -> PriceLine? {
        let terms = rule.rental
        guard let rental = terms.rental, rental.isPositive else { return nil }
        let origin = rule.origin(of: "rental")
        return try PolicyFailure.placing(at: origin) {
            var count: Int64 = 1
            if let period = terms.per {
                let span = Lateness(
                    from: loan.lentAt, to: max(loan.lentAt, loan.dueAt), in: question,
                    countsClosedDays: terms.countsClosedDays)
                count = max(1, try span.count(of: period).started)
            }
            return PriceLine(label: "Rental", amount: try rental.multiplied(by: count), origin: origin)
        }
    }
}

extension PriceLine {
    /// Price times quantity, a line each; loans cost nothing here.
    ///
    /// - Throws: ``MoneyError/Code/overflow``.
    package static func standard(for lines: [SaleLine]) throws(MoneyError) -> [PriceLine] {
        var prices: [PriceLine] = []
        for line in lines where line.kind != .loan {
            prices.append(PriceLine(label: line.words, amount: try line.amount()))
        }
        return prices
    }
}

extension Period {
    /// How many of these periods lie between two dates, a started one included; one at least.
    ///
    /// - Throws: ``TimeError``: out of range.
    package func startedCount(from start: CivilDate, to end: CivilDate) throws -> Int64 {
        max(1, try Lateness(from: start, to: end).count(of: self).started)
    }
}

extension SaleLine {
    /// `2 x Calculus, until 2026-07-31`
    package var words: String {
        let pieces = quantity == 1 ? label : "\(quantity) x \(label)"
        return ends.map { "\(pieces), until \($0)" } ?? pieces
    }
}
