import Circulation

/// What a patron is to be told of an order, a rental, a listing, a suggestion or a fee.
struct SaleAnnouncement {
    var event: NotifyEvent
    /// What tells it from other announcements of its event.
    var subjectKey: String
    var dueAt: Instant?
    var title: Int64?
    var words: SaleWords
    var lines: [SaleLine]?
    var listing: ListingFacts?
    var suggestion: SuggestionFacts?
}
