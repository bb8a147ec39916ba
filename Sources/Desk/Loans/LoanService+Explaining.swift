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

/// A question that the desk has about a loan.
package struct VersionedCase: Hashable, Sendable {
    package var question: Case
    /// SHA-256 of the policy version that answers it; nil where no policy is in force.
    package var version: String?
}

extension LoanService {
    /// Decides like ``mayCheckout(_:)`` and returns what was asked. Writes nothing.
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

    /// What would be asked about an open loan now, and of which version: whether it may be renewed and what the sweep
    /// does about it, of the one in force; what is accrued, of the one that decided the loan, and of none where none
    /// did. Refused as a renewal is for a loan that has ended or is history.
    package func questions(about key: LoanKey) throws -> Outcome<[VersionedCase]> {
        do {
            let loan = try knownOpen(key, RequestTrail("renew"))
            guard let about = try CaseBuilder(session: session).question(.renew, about: loan) else { return .done([]) }
            let inForce = try session.policies.inForce()?.policy
            var questions = [DecisionPoint.renew, .overdue].map {
                VersionedCase(question: about.at($0), version: inForce)
            }
            let isLate = loan.due.map { $0.instant < session.now } ?? false
            if isLate, let version = try session.policies.version(deciding: loan) {
                questions.append(VersionedCase(question: about.at(.fine), version: version))
            }
            return .done(questions)
        } catch let refused as Refused {
            return .refused(refused.refusal)
        }
    }

    /// The case of a recorded decision as it was put. Where the log leaves out the calendar, today's of its branch
    /// stands in.
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
        try session.transaction.events.forEach(EventQuery(since: sequence - 1)) { event in
            guard event.sequence == sequence else { return false }
            for record in try session.transaction.decisions.of(event: sequence) {
                found.append(try RecordedDecision(record, of: event))
            }
            return false
        }
        return found
    }
}
