import Circulation
import Storage

/// Goes along the chain of events and says where it does not hold.
struct ChainCheck {
    private var anchors: [Int64: String] = [:]
    private(set) var end: EventChain.Link
    private(set) var found = 0
    /// The event of clearing that was read last: the events that it lists mostly follow one another.
    private var clearing: (sequence: Int64, cleared: [Int64: EventClearing.Cleared])?

    /// - Parameter end: an event up to which the chain is known to hold.
    init(after end: EventChain.Link, anchors: [EventChain.Link]) {
        self.end = end
        for anchor in anchors { self.anchors[anchor.sequence] = anchor.hash }
    }

    /// Looks at the anchors in what is known to hold.
    mutating func checkKnown(in events: EventRepository) throws -> [DoctorReport.Broken] {
        try anchors.keys.filter { $0 <= end.sequence }.sorted().compactMap { sequence in
            try events.sealed(sequence).flatMap { checkAnchor($0) }
        }
    }

    private mutating func checkAnchor(_ sealed: EventChain.Sealed) -> DoctorReport.Broken? {
        guard let anchor = anchors.removeValue(forKey: sealed.event.sequence), anchor != sealed.hash else { return nil }
        return Self.broken(sealed.event.sequence, "Its hash is not the one that was kept elsewhere: \(anchor).")
    }

    /// Looks at the next event.
    ///
    /// - Parameter events: of the store that it is in.
    mutating func check(
        _ sealed: EventChain.Sealed, in events: EventRepository, limit: Int
    ) throws -> [DoctorReport.Broken] {
        let event = sealed.event
        var broken: [DoctorReport.Broken] = []
        func report(_ message: String) { broken.append(Self.broken(event.sequence, message)) }
        let content = sealed.content
        if EventChain.hash(of: event, content: content, after: end.hash) != sealed.hash {
            report("Its hash is not that of what it says and of the event before it: the log was changed here.")
        } else if let told = sealed.clearedBy, try !isTold(event, content, by: told, in: events) {
            report("Its payload was changed, and no event tells of clearing it so.")
        }
        if let lost = checkAnchor(sealed) { broken.append(lost) }
        // What follows is held against what stands here, so that one break is one finding.
        end = EventChain.Link(sequence: event.sequence, hash: sealed.hash)
        found += broken.count
        return found > limit ? [] : broken
    }

    /// Anchors of which there is no event any more.
    func missingAnchors() -> [DoctorReport.Broken] {
        anchors.keys.sorted().map { Self.broken($0, "The event whose hash was kept elsewhere is not there.") }
    }

    /// Whether an event records that the payload was cleared to its present form.
    private mutating func isTold(
        _ event: EventRecord, _ content: String, by sequence: Int64, in events: EventRepository
    ) throws -> Bool {
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
