import Circulation
import Desk

/// Lends everything for fourteen days, renews as often as asked, and leaves gifts and suggestions to staff; what the
/// examples and the tests of the API need of a policy.
final class APISamplePolicy: LendingPolicy {
    let version = APISamplePolicy.sha256
    let name = "sample"
    let noticesFrom = Period.days(2)

    static let sha256 = String(repeating: "a", count: 64)

    func decide(_ question: Case) -> Decision {
        switch question.point {
        case .checkout, .due, .renew:
            Decision(point: question.point, answer: .allow, due: try? due(question))
        case .publish where question.suggestion != nil || question.listing?.kind == .donate:
            Decision(point: question.point, answer: .review)
        case .expiry: end(question)
        default: Decision(point: question.point, answer: .allow)
        }
    }

    func message(for code: String, language: String?) -> String? { nil }

    let endsMemberships = true

    /// A year for who is a member already.
    private func end(_ question: Case) -> Decision {
        var decision = Decision(point: .expiry, answer: .allow)
        if question.patron.id != 0 {
            let end = try? question.membershipStart.adding(months: 12)
            decision.membership = end.map { MembershipEnd(date: $0, origin: nil) }
        }
        return decision
    }

    private func due(_ question: Case) throws -> DueTime {
        var date = try question.zone.date(of: question.now).adding(days: 14)
        if let wanted = question.request?.wantedUntil { date = min(date, wanted) }
        let instant = question.zone.instant(of: date, try CivilTime(hour: 18, minute: 0))
        return DueTime(instant: instant, date: date, isExact: false)
    }
}

/// Gives the sample policy for every bundle.
struct APISampleLoader: PolicyLoader {
    func withPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result { try body(APISamplePolicy()) }

    func digest(of files: [PolicyBundle.File]) -> String { APISamplePolicy.sha256 }
}
