package import Circulation
import Desk

/// What the library chose for the open loans that come along.
package struct ArrivalChoice: Hashable, Sendable {
    /// SHA-256 of the version that decides them; nil: the one in force.
    package var decidedBy: String?
    /// The files of that version, where the library never had it: it is kept with the import, and does not come into force.
    package var bundle: PolicyBundle?
    /// What was to be said to patrons before is said already; nil: before the import begins.
    package var noticesSentUntil: Instant?

    package init(decidedBy: String? = nil, bundle: PolicyBundle? = nil, noticesSentUntil: Instant? = nil) {
        self.decidedBy = decidedBy
        self.bundle = bundle
        self.noticesSentUntil = noticesSentUntil
    }

    /// What follows from it in a library as it is. An export says itself what it has decided and said.
    ///
    /// - Parameter isExported: whether the loans come out of this library or another one of its kind.
    func terms(in session: DeskSession, isExported: Bool) throws -> ArrivalTerms {
        if isExported { return ArrivalTerms(decidedBy: decidedBy, noticesSentUntil: noticesSentUntil) }
        return ArrivalTerms(
            decidedBy: try decidedBy ?? session.policies.inForce()?.policy,
            noticesSentUntil: noticesSentUntil ?? session.now)
    }
}
