package import Circulation
import Storage
import TextFormats

/// A request that was tried out, with each question that the policy was asked on the way.
package struct ExplainedRequest: Hashable, Sendable {
    /// In the order in which they were asked; empty where the desk refused without asking.
    package var asked: [AskedDecision]
    /// nil where the request would be granted. Its message is filled as the patron would read it.
    package var refusal: Refusal?
}

extension LoanService {
    /// Decides like ``mayCheckout(_:)`` and tells what was asked. Writes nothing.
    ///
    /// - Throws: ``DeskError`` for a request that makes no sense.
    package func explainCheckout(_ request: CheckoutRequest) throws -> ExplainedRequest {
        let trail = RequestTrail("checkout")
        switch try mayCheckout(request, trail) {
        case .done(let decisions):
            // A renewal is asked on a way of its own.
            return ExplainedRequest(asked: trail.asked.isEmpty ? decisions : trail.asked, refusal: nil)
        case .refused(let refusal):
            return ExplainedRequest(asked: trail.asked, refusal: refusal)
        }
    }

    /// What would be asked about an open loan now: whether it may be renewed, what the sweep does about it, and what is
    /// accrued. Refused as a renewal is for a loan that has ended or is history.
    package func questions(about key: LoanKey) throws -> Outcome<[Case]> {
        do {
            let loan = try knownOpen(key, RequestTrail("renew"))
            guard let about = try CaseDesk(session: session).question(.renew, about: loan) else { return .done([]) }
            let isLate = loan.due.map { $0.instant < session.now } ?? false
            return .done(([.renew, .overdue] + (isLate ? [.fine] : [])).map(about.at))
        } catch let refused as Refused {
            return .refused(refused.refusal)
        }
    }

    /// The case of a recorded decision as it was put. Where the log leaves out the calendar, today's of its branch stands
    /// in.
    ///
    /// - Throws: ``CaseError`` for a case that this version cannot read.
    package func question(of recorded: RecordedDecision) throws -> Case {
        var question = try Case(json: recorded.question)
        question.point = recorded.point
        guard recorded.question["calendar"] == nil else { return question }
        if let branch = try session.settingsSnapshot().branch(question.branch) { question.calendar = branch.calendar }
        return question
    }
}

extension EventService {
    /// The decisions recorded with an event, in the order in which they were asked; empty where there are none.
    package func decisions(of sequence: Int64) throws -> [RecordedDecision] {
        var found: [RecordedDecision] = []
        try session.transaction.events.forEach(EventFilter(), after: sequence - 1) { event in
            guard event.sequence == sequence else { return false }
            for record in try session.transaction.decisions.of(event: sequence) {
                found.append(try RecordedDecision(record, of: event))
            }
            return false
        }
        return found
    }
}
