package import Circulation

/// A message to a patron about an order, a rental, a listing, a suggestion or a fee.
package struct SaleAnnouncement {
    package var event: NotifyEvent
    /// Distinguishes it from other announcements of its event.
    package var subjectKey: String
    package var dueAt: Instant?
    package var title: Int64?
    package var words: SaleWords
    package var lines: [SaleLine]?
    package var listing: ListingFacts?
    package var suggestion: SuggestionFacts?

    package init(
        event: NotifyEvent, subjectKey: String, dueAt: Instant? = nil, title: Int64? = nil, words: SaleWords,
        lines: [SaleLine]? = nil, listing: ListingFacts? = nil, suggestion: SuggestionFacts? = nil
    ) {
        self.event = event
        self.subjectKey = subjectKey
        self.dueAt = dueAt
        self.title = title
        self.words = words
        self.lines = lines
        self.listing = listing
        self.suggestion = suggestion
    }
}
