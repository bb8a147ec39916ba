package import Circulation

/// A patron asks for a title, or for one copy of it, to be kept.
package struct HoldRequest: Hashable, Sendable {
    package enum Wanted: Hashable, Sendable {
        /// Any copy will do.
        case title(TitleKey)
        /// This copy alone, by its barcode.
        case copy(String)
    }
    package var patron: PatronKey
    package var wanted: Wanted
    /// Where it is to be picked up; nil: the branch at which the actor works, online the patron's own.
    package var pickupBranch: String?
    /// The last day on which the patron still wants it.
    package var expiresOn: CivilDate?
    /// The last day on which it is to be passed over.
    package var suspendedUntil: CivilDate?
    /// Staff go on in spite of a refusal that may be overridden.
    package var override: Bool
    /// Why; without it an override is refused.
    package var reason: String?

    package init(
        patron: PatronKey, wanted: Wanted, pickupBranch: String? = nil, expiresOn: CivilDate? = nil,
        suspendedUntil: CivilDate? = nil, override: Bool = false, reason: String? = nil
    ) {
        self.patron = patron
        self.wanted = wanted
        self.pickupBranch = pickupBranch
        self.expiresOn = expiresOn
        self.suspendedUntil = suspendedUntil
        self.override = override
        self.reason = reason
    }
}
