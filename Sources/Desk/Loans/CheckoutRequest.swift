package import Circulation

/// A request of one patron for one or several titles, granted as a whole or not at all.
package struct CheckoutRequest: Hashable, Sendable {
    package enum Wanted: Hashable, Sendable {
        /// Titles, each on a copy that the desk chooses.
        case titles([TitleKey])
        /// The copy in hand. If the patron has it already, the request is a renewal.
        case barcode(String)
    }
    package var patron: PatronKey
    package var wanted: Wanted
    /// To be read in the library.
    package var onSite: Bool
    /// The last day of a loan that is to be shorter than the policy has it. It makes none longer, and renews none.
    package var wantedUntil: CivilDate?
    /// Staff go on in spite of a refusal that may be overridden.
    package var override: Bool
    /// Why; without it an override is refused.
    package var reason: String?

    package init(
        patron: PatronKey, wanted: Wanted, onSite: Bool = false, wantedUntil: CivilDate? = nil, override: Bool = false,
        reason: String? = nil
    ) {
        self.patron = patron
        self.wanted = wanted
        self.onSite = onSite
        self.wantedUntil = wantedUntil
        self.override = override
        self.reason = reason
    }
}
