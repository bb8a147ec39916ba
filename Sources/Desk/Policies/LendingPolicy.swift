package import Circulation

/// A policy, loaded and ready to answer: a pure function from a case to a decision.
///
/// Not `Sendable`: it is taken out of a pool by a ``PolicyLoader`` and used on the transaction's thread alone.
///
/// What `decide` is asked, point by point:
/// - `request`: once for a checkout, before copies are chosen; the standard checks are `expired`, `blocked` and
///   `suspended`, then the policy's function.
/// - `checkout`: each title on one candidate copy; the standard checks of the title, then the function. An allowed
///   checkout carries `due`. A refusal that may be overridden should carry it as well; where it does not and staff
///   override it, the same case is asked again at the point `due`. What the loan costs comes with the due time, as
///   effects; so it does for renewals.
/// - `due`: the due time of the case's checkout (or renewal, if the case has a loan), whatever the checks say.
/// - `renew`: the checks of patron and loan; an allowed renewal carries `due`.
///   The sweep asks as the job.
/// - `hold`: the checks of patron and hold; an allowed hold may carry `priority`.
/// - `recall`: an earlier due time for the case's loan as `due`, or none.
/// - `notify`: the messages to a patron about the case's event, as notices.
/// - `overdue`: the notices and charges that are due now and not yet recorded, as effects.
/// - `fine`: the fine accrued so far for this loan and due time, in all, as one effect; no effect: none.
/// - `checkin`: a suspension and charges as effects.
/// - `expiry`: when the membership of the case's patron ends who registers or renews it, as `membership`.
/// - `lost`: a loss with its fee, and charges, as effects; no effect: not lost yet. A case whose loan has `lostAt` is
///   one that staff declare lost, whatever the answer.
package protocol LendingPolicy: AnyObject {
    /// SHA-256 of the bundle, 64 hexadecimal digits.
    var version: String { get }
    /// The policy's own `name`.
    var name: String { get }
    /// Answers a case. Never throws: a fault of the policy is an answer of ``Decision/Answer/failed``.
    func decide(_ question: Case) -> Decision
    /// The policy's words for a refusal code, in the language if it has them: a template, to be filled by the desk.
    func message(for code: String, language: String?) -> String?
    /// How long before its due time a loan enters the sweep.
    var noticesFrom: Period { get }
    /// How long before its due time a loan may renew by itself; nil if none does.
    var automaticRenewalLead: Period? { get }
    /// Whether loans can count as lost by themselves, so that the sweep has to ask.
    var losesLoans: Bool { get }
    /// Whether it says when memberships end: otherwise nothing is asked at `expiry`.
    var endsMemberships: Bool { get }
    /// Whether what it answers at a point may depend on the patron's open loans: on `loans`, `overdue` or `lost`. Where
    /// not, they need not be gathered.
    func readsOpenLoans(at point: DecisionPoint) -> Bool
    /// What else it reads at a point that only is gathered for who reads it.
    func needs(at point: DecisionPoint) -> CaseNeeds
    /// When on the case's day a decision at the points `overdue`, `fine` and `lost` may become another one, though nothing
    /// of the case changes but the time: the first moment after the case's own.
    ///
    /// - Returns: nil if not before the branch's midnight, what the due instant itself changes aside; the case's own moment
    ///   if it may be at any time.
    func nextChange(of decision: Decision, for question: Case) -> Instant?
    /// Whether its `notify` names an event, so that the desk asks it about those of which it says nothing by itself.
    func names(_ event: NotifyEvent) -> Bool
    /// The stages of its notices, by name.
    var stages: [String] { get }
    /// What a stage would send for the case's loan, whether its time has come or not; nil where there is none.
    func notice(ofStage stage: String, for question: Case) throws -> PlannedNotice?
}

extension LendingPolicy {
    package var automaticRenewalLead: Period? { nil }
    package var losesLoans: Bool { false }
    package var endsMemberships: Bool { false }
    package func readsOpenLoans(at point: DecisionPoint) -> Bool { true }
    package func needs(at point: DecisionPoint) -> CaseNeeds { .none }
    package func nextChange(of decision: Decision, for question: Case) -> Instant? { question.now }
    package func names(_ event: NotifyEvent) -> Bool { false }
    package var stages: [String] { [] }
    package func notice(ofStage stage: String, for question: Case) throws -> PlannedNotice? { nil }
}
