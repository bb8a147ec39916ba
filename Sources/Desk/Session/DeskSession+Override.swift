import Circulation
import Storage

extension DeskSession {
    /// nil for a decision that allows; where it refuses, the override if staff ask for one and the policy lets them.
    ///
    /// - Throws: ``Refused``.
    func overridden(
        _ asked: AskedDecision, wanted: Bool, reason: String?, title: Int64? = nil, loan: Int64? = nil,
        _ override: (String) -> PolicyOverride
    ) throws -> PolicyOverride? {
        switch asked.decision.answer {
        case .allow: return nil
        case .failed: throw Refused(asked, title: title, loan: loan)
        case .confirm, .deny, .review:
            let refused = Refused(asked, title: title, loan: loan)
            guard wanted, refused.refusal.mayBeOverridden, actor.mayOverride, let reason else { throw refused }
            return override(reason)
        }
    }
}
