import Circulation
import Storage

/// Goes along the chain of events and says where it does not hold.
struct ChainCheck {
    private let events: EventRepository
    private var anchors: [Int64: String] = [:]
    private(set) var end = EventChain.Link.start
    private var found = 0
    /// The event of clearing that was read last: the events that it lists mostly follow one another.
    private var clearing: (sequence: Int64, cleared: [Int64: EventClearing.Cleared])?

    init(events: EventRepository, anchors: [EventChain.Link]) {
        self.events = events
        for anchor in anchors { self.anchors[anchor.sequence] = anchor.hash }
    }

    /// Looks at the next event.
    mutating func check(_ sealed: EventChain.Sealed, limit: Int) throws -> [DoctorReport.Broken] {
        let event = sealed.event
        var messages: [String] = []
        let content = sealed.content
        if EventChain.hash(of: event, content: content, after: end.hash) != sealed.hash {
            messages.append(
                "Its hash is not that of what it says and of the event before it: the log was changed here.")
        } else if let told = sealed.clearedBy, try !isTold(event, content, by: told) {
            messages.append(
                "Its payload was changed, and no event tells of clearing it so.")
        }
        if let anchor = anchors.removeValue(forKey: event.sequence), anchor != sealed.hash {
            messages.append("Its hash is not the one that was kept elsewhere: \(anchor).")
        }
        // What follows is held against what stands here, so that one break is one finding.
        end = EventChain.Link(sequence: event.sequence, hash: sealed.hash)
        found += messages.count
        return found > limit ? [] : messages.map { Self.broken(event.sequence, $0) }
    }

    /// Anchors of which there is no event any more.
    func missingAnchors() -> [DoctorReport.Broken] {
        anchors.keys.sorted().map { Self.broken($0, "The event whose hash was kept elsewhere is not there.") }
    }

    /// Whether an event records that the payload was cleared to its present form.
    private mutating func isTold(_ event: EventRecord, _ content: String, by sequence: Int64) throws -> Bool {
        if clearing?.sequence != sequence {
            guard sequence > event.sequence, let record = try events.get(sequence),
                let told = try? Event(record).body()[.eventsCleared]
            else { return false }
            clearing = (
                sequence, Dictionary(told.events.map { ($0.event, $0) }, uniquingKeysWith: { first, _ in first })
            )
        }
        let present = EventClearing.Cleared(
            event: event.sequence, was: content, isNow: EventChain.content(event.payload, salt: ""))
        return clearing?.cleared[event.sequence] == present
    }

    private static func broken(_ sequence: Int64, _ message: String) -> DoctorReport.Broken {
        DoctorReport.Broken(invariant: "chain", table: "events", id: "\(sequence)", message: message)
    }
}
