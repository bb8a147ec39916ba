import Circulation
import Storage

/// What events changed of what policies are told about loans.
struct ChangedFacts {
    private(set) var patrons: Set<Int64> = []
    private(set) var titles: Set<Int64> = []
    /// Of whose titles copies were lent or came back.
    private(set) var copies: Set<Int64> = []
    private(set) var loans: Set<Int64> = []
    /// Whether anything else may have changed, so that no loan's facts are surely what they were.
    private(set) var isAnything = false
    /// How many events were looked at.
    private(set) var count = 0

    /// What happens to loans, apart from what a sweep says of them: patron, copy and loan stand beside the event.
    private static let ofLoans = Set(EventKinds.loans.filter(\.isOfLending).map(\.name))
    private static let ofPatrons: Set = [
        EventKind.patronAdded.name, EventKind.patronUpdated.name, EventKind.patronBlocked.name,
        EventKind.patronUnblocked.name,
    ]

    /// - Parameters:
    ///   - last: the event up to which everything is known.
    ///   - most: with more patrons or loans than this it counts as anything.
    init(since last: Int64, upTo most: Int, _ transaction: Transaction) throws {
        try transaction.events.forEach(EventQuery(since: last)) { record in
            count += 1
            try add(record)
            isAnything = isAnything || patrons.count > most || loans.count > most
            return !isAnything
        }
    }

    private mutating func add(_ record: EventRecord) throws {
        if EventKinds.named(record.kind)?.isOfLending == false { return }
        if Self.ofLoans.contains(record.kind) {
            if let patron = record.patron { patrons.insert(patron) }
            if let loan = record.loan { loans.insert(loan) }
            if let copy = record.copy { copies.insert(copy) }
        } else if Self.ofPatrons.contains(record.kind), let patron = record.patron {
            patrons.insert(patron)
        } else {
            try add(Event(record).body())
        }
    }

    private mutating func add(_ body: EventBody) {
        if let notices = body[.noticeRecorded] {
            loans.formUnion(notices.compactMap(\.loan))
        } else if let entries = body[.ledgerPosted] {
            patrons.formUnion(entries.map(\.patron))
        } else if let change = body.content(HoldChange.self) {
            add(change.hold)
        } else if let holds = body[.holdsMoved] {
            holds.forEach { add($0) }
        } else if let title = body.content(Title.self) {
            titles.insert(title.id)
        } else if let copy = body.content(Copy.self) {
            titles.insert(copy.title)
        } else {
            isAnything = true
        }
    }

    private mutating func add(_ hold: Hold) {
        if let patron = hold.patron { patrons.insert(patron) }
        if let copy = hold.heldCopy ?? hold.copy { copies.insert(copy) }
        if let title = hold.title { titles.insert(title) } else { isAnything = true }
    }
}
