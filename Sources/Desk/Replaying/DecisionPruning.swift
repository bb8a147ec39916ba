package import Circulation
import Storage

/// What was taken out of the decision log because of its age.
package struct DecisionPruning: EventContent {
    /// The decisions of events before this moment are gone.
    package var before: Instant
    /// How many there were.
    package var count: Int64

    package static let blank = DecisionPruning(before: .earliest, count: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("before", \.before, "the decisions of events before this moment are gone"),
        EventMember("count", \.count, "how many there were"),
    ]

    /// The moment before which there are no decisions any more; nil if none were ever taken out.
    static func last(in tables: Transaction) throws -> Instant? {
        var last: Instant?
        try tables.events.forEach(EventQuery(kinds: [EventKind.decisionsPruned.name])) { record in
            guard let pruning = try Event(record).body()[.decisionsPruned] else { return true }
            last = max(last ?? pruning.before, pruning.before)
            return true
        }
        return last
    }
}
