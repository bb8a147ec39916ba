import Circulation
import Storage

/// The loans of one request, with what staff overrode.
struct ReplayedRequest {
    var loans: [(item: ReplayStream.Item, loan: Loan)]
    var overridden: Set<String> = []
}

extension ReplayRun {
    /// A request by its first loan: those that follow it and belong to it.
    func group(_ item: ReplayStream.Item, _ loan: Loan, size: Int) throws -> ReplayedRequest {
        var group = ReplayedRequest(loans: [(item, loan)])
        var offset = 0
        while let next = try stream.peek(offset), next.record.requestID == item.record.requestID, offset < 16 * size {
            if let other = next.body?[.loanMade], group.loans.count < size {
                group.loans.append((next, other))
            } else if let override = next.body?[.policyOverridden], override.patron == loan.patron {
                group.overridden.formUnion(override.codes)
            } else if group.loans.count >= size {
                return group
            }
            offset += 1
        }
        return group
    }

    /// What was answered to a title that was lent.
    func before(_ record: DecisionRecord, _ loan: Loan, _ overridden: Set<String>) throws -> ReplayedAnswer? {
        guard var before = try stored(record) else { return nil }
        if before.answer != Decision.Answer.allow.rawValue {
            before.isOverridden = before.code.map(overridden.contains) ?? false
            if !before.isOverridden {
                try contradict(record.event, "The stored answer is \"\(before.answer)\", and yet the loan was made.")
            }
        } else if let due = before.due, due != loan.due?.instant {
            try contradict(
                record.event, "The stored due time is \(due), by the event \(loan.due?.instant.description ?? "none").")
        }
        before.due = before.due ?? loan.due?.instant
        return before
    }

    /// What was answered to a request that was refused.
    func before(_ record: DecisionRecord, _ refused: RefusedRequest) throws -> ReplayedAnswer? {
        guard var before = try stored(record) else { return nil }
        before.due = nil
        before.cost = 0
        if before.answer == Decision.Answer.allow.rawValue {
            guard refused.isByStock else {
                try contradict(record.event, "The stored answer is \"allow\", and yet the request was refused.")
                return before
            }
            return refused.answer
        }
        if before.code != refused.refusal.code {
            try contradict(
                record.event,
                "The stored refusal is \"\(before.code ?? "none")\", by the event \"\(refused.refusal.code)\".")
        }
        return before
    }

    /// A line that goes with the return, the renewal or the loss of its loan.
    func isOfOneLoan(_ item: ReplayStream.Item, _ entries: [LedgerEntry]) throws -> Bool {
        guard let loan = entries.first?.loan, entries.allSatisfy({ $0.loan == loan }) else { return false }
        var offset = 0
        while let next = try stream.peek(offset), next.belongs(to: item) {
            if let back = next.body?[.loanReturned] { return back.loan == loan }
            if let change = next.body?[.loanRenewed] ?? next.body?[.loanLost] { return change.loan.id == loan }
            guard next.goesAhead else { return false }
            offset += 1
        }
        return false
    }
}
