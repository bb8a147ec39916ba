import Storage

/// A part of the log for programs outside.
package struct EventPart: Hashable, Sendable {
    package var events: [PublicEvent]
    /// The sequence up to which the log was looked through: the next part begins behind it.
    package var end: Int64
    /// Whether the log may have more by now.
    package var isFull: Bool
}

extension EventService {
    /// The most events that one part looks through: who wants rare kinds alone must not keep the store busy.
    package static let mostLookedThrough: Int64 = 5_000

    /// The next events behind a sequence, in their order. Nothing is left out or given twice to who goes on from each
    /// part's end.
    ///
    /// - Parameters:
    ///   - kinds: only of these; nil: of all.
    ///   - limit: how many at most.
    /// - Throws: ``DeskError`` for an event that is not known here.
    package func part(after sequence: Int64, kinds: Set<String>? = nil, limit: Int64) throws -> EventPart {
        let most = kinds == nil ? limit : Self.mostLookedThrough
        var part = EventPart(events: [], end: sequence, isFull: false)
        let records = try session.transaction.events.page(after: sequence, limit: min(most, Self.mostLookedThrough))
        part.isFull = records.count >= most
        for record in records {
            if kinds?.contains(record.kind) ?? true {
                guard part.events.count < limit else {
                    part.isFull = true
                    break
                }
                part.events.append(try PublicEvent(Event(record)))
            }
            part.end = record.sequence
        }
        return part
    }
}
