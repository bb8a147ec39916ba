/// A row of `limits` that leaves no room for one more loan.
package struct ExceededLimit: Hashable, Sendable {
    /// Zero-based.
    package var row: Int
    /// Open loans, and those that this request was granted already, that meet the row's own conditions.
    package var count: Int64
    package var maximum: Int64
}

extension CompiledTables {
    /// The rows of `limits` that leave no room for one more loan, in the order of the table.
    ///
    /// Every row counts that the case matches, up to the first matching one that is `unlimited`. A row counts the loans
    /// that meet its conditions on item type, branch, copy's branch, on-site use and channel as they were lent; its
    /// conditions on the patron, and `when`, only decide whether the row applies. What is not known of a loan (the
    /// channel of an imported one) meets no condition on it.
    ///
    /// - Throws: what `when` throws.
    package func limitsExceeded(for question: Case, when: WhenCondition) throws -> [ExceededLimit] {
        if limits.count == 0 { return [] }
        var candidates = CandidateRows(limits.candidates(for: question), whens: limits.whens)
        let loans = OpenLoans(question)
        var exceeded: [ExceededLimit] = []
        var position = 0
        while let row = candidates.rows.first(from: position) {
            position = row + 1
            guard let maximum = source.limits[row].maximum else {
                if try candidates.contains(row, when: when) { break }
                continue
            }
            // A row with room for all loans there are cannot be exceeded: no need to count, nor to ask its function.
            guard Int64(loans.count) >= maximum else { continue }
            let count = loans.count(meeting: row, of: limits)
            guard count >= maximum, try candidates.contains(row, when: when) else { continue }
            exceeded.append(ExceededLimit(row: row, count: count, maximum: maximum))
        }
        return exceeded
    }

    /// The row of `limits` that lets the case have any number of loans and ends the reading; nil if none does.
    ///
    /// - Throws: what `when` throws.
    package func unlimitedLimit(for question: Case, when: WhenCondition) throws -> Int? {
        var candidates = CandidateRows(limits.candidates(for: question), whens: limits.whens)
        var position = 0
        while let row = candidates.rows.first(from: position) {
            position = row + 1
            if source.limits[row].maximum == nil, try candidates.contains(row, when: when) { return row }
        }
        return nil
    }
}

/// The loans that limits count, with the rows that each meets, reckoned when first needed.
struct OpenLoans {
    private let open: [OpenLoanFacts]
    private let granted: [OpenLoanFacts]

    init(_ question: Case) {
        open = question.patron.loans
        granted = question.request?.granted ?? []
    }

    var count: Int { open.count + granted.count }

    func count(meeting row: Int, of limits: ConditionIndex) -> Int64 {
        Int64(count(open, meeting: row, of: limits) + count(granted, meeting: row, of: limits))
    }

    private func count(_ loans: [OpenLoanFacts], meeting row: Int, of limits: ConditionIndex) -> Int {
        loans.count { limits.row(row, counts: $0) }
    }
}
