package import Circulation

/// What a message about an order, a rental, a listing, a suggestion or a fee has to say.
package struct SaleWords: Hashable, Sendable {
    /// Of a fee: what for.
    package var title: String
    /// What was paid for, line by line.
    package var lines: [PriceLine] = []
    /// Of a fee: how much.
    package var total: Money?
    /// When a rental ends.
    package var ends: CivilDate?
    /// `published` or `refused`, `accepted` or `refused`.
    package var decision: String?
    /// What staff said with it.
    package var message: String?

    package init(
        title: String, lines: [PriceLine] = [], total: Money? = nil, ends: CivilDate? = nil, decision: String? = nil,
        message: String? = nil
    ) {
        self.title = title
        self.lines = lines
        self.total = total
        self.ends = ends
        self.decision = decision
        self.message = message
    }
}

extension PriceLine {
    /// `Calculus: 4.50 EUR`, and whom it is paid to where that is not the library.
    var words: String { isOwedToLibrary ? "\(label): \(amount)" : "\(label): \(amount), to the seller" }
}
