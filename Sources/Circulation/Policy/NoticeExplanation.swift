/// What one row of `notices` says to a case.
package struct NoticeExplanation: Hashable, Sendable {
    package var origin: RuleOrigin
    package var stage: String
    /// Why the row is silent; nil where it speaks.
    package var because: String?
    /// A later stage has been reached as well: the row is recorded, never sent.
    package var isSuperseded: Bool
}

extension CompiledTables {
    /// For each row of `notices` whether it speaks to the case, and why not. Without a loan there is nothing to say.
    ///
    /// - Throws: what `when` throws; ``PolicyFailure`` as ``noticesDue(for:when:)``.
    package func noticeExplanations(for question: Case, when: WhenCondition) throws -> [NoticeExplanation] {
        guard let loan = question.loan else { return [] }
        let due = try noticesDue(for: question, when: when)
        var stages: [String: Int] = [:]
        return try source.notices.indices.map { row in
            let notice = source.notices[row]
            var explanation = NoticeExplanation(origin: origin(ofNotice: row), stage: notice.stage, isSuperseded: false)
            if let mismatch = try notice.conditions.mismatch(with: question, when: when) {
                explanation.because = mismatch
            } else if let earlier = stages[notice.stage] {
                explanation.because = "row \(earlier + 1) has the stage '\(notice.stage)' and matches too"
            } else {
                stages[notice.stage] = row
                let orders = due.filter { $0.origin == explanation.origin }
                explanation.isSuperseded = !orders.isEmpty && orders.allSatisfy(\.isSuperseded)
                if orders.isEmpty { explanation.because = try silence(of: notice, loan, question) }
            }
            return explanation
        }
    }

    private func silence(of notice: NoticeRow, _ loan: LoanFacts, _ question: Case) throws -> String {
        if notice.before != nil && question.now >= loan.dueAt { return "the due time has come" }
        let reached = try NoticeSchedule(notice, of: loan, in: question).reached(row: 0)
        guard let last = reached.last else { return "its time has not come" }
        return loan.isSaid(at: last.at) ? "another system has sent it already" : "it was recorded already"
    }
}
