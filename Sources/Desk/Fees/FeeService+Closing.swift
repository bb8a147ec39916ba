package import Circulation
import Storage

/// A line that was posted to an account, and who posted it.
package struct PostedEntry: Hashable, Sendable {
    package var entry: LedgerEntry
    /// As in events: `patron:ID`, or a program.
    package var actor: String
}

extension FeeService {
    /// What was posted to accounts from one instant until another, by its moment.
    package func posted(from: Instant, until: Instant) throws -> [PostedEntry] {
        var posted: [PostedEntry] = []
        try session.transaction.events.forEachPosting(from: from, until: until) { record in
            let event = Event(record)
            for line in try event.body()[.ledgerPosted] ?? [] {
                posted.append(PostedEntry(entry: line, actor: event.actor))
            }
            return true
        }
        return posted
    }
}
