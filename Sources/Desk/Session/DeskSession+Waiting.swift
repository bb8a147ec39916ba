import Storage

extension DeskSession {
    /// How much a patron has to come for: copies that lie ready for them, and loans that are overdue; counted no further than a
    /// number. Messages are counted apart (`NoticeService.unreadCount`).
    package func waitingCount(of patron: Int64, upTo most: Int) throws -> Int {
        let ready = try transaction.holds.readyCount(patron: patron, upTo: Int64(most))
        let overdue = try transaction.loans.overdueCount(patron: patron, at: now, upTo: Int64(most))
        return min(most, Int(ready + overdue))
    }
}
