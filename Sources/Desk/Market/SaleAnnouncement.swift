import Circulation

/// A message to a patron about an order, a rental, a listing, a suggestion or a fee.
struct SaleAnnouncement {
    var event: NotifyEvent
    /// Distinguishes it from other announcements of its event.
    var subjectKey: String
    var dueAt: Instant?
    var title: Int64?
    var words: SaleWords
    var lines: [SaleLine]?
    var listing: ListingFacts?
    var suggestion: SuggestionFacts?
}
