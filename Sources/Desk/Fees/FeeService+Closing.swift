package import Circulation
import Storage

/// A line that was posted to an account, and who posted it.
package struct PostedEntry: Hashable, Sendable {
    package var entry: LedgerEntry
    /// As in events: `patron:ID`, or a program.
    package var actor: String
}

extension FeeService {
    /// What was posted to accounts from one instant until another, in the order of events. It looks through the events
    /// from the present back to the first instant, so that it is for recent days.
    package func posted(from: Instant, until: Instant) throws -> [PostedEntry] {
        let since = try session.transaction.events.sequence(beforeDeskFrom: from)
        var posted: [PostedEntry] = []
        try session.events.each(
            EventQuery(since: since, from: from, until: until, kind: EventKind<[LedgerEntry]>.ledgerPosted.name)
        ) { event in
            for line in try event.body()[.ledgerPosted] ?? [] {
                posted.append(PostedEntry(entry: line, actor: event.actor))
            }
            return true
        }
        return posted
    }
}
