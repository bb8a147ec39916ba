import Circulation
import TextFormats

extension EventRepository {
    static let chainColumns = "\(columns), hash, seal, cleared_by"

    /// What is asked for the end of the chain.
    static let endOfChain = Query("SELECT sequence, hash FROM events ORDER BY sequence DESC LIMIT 1")
    private static let sealed = Query(
        "SELECT \(chainColumns) FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?")
    private static let oneSealed = Query("SELECT \(chainColumns) FROM events WHERE sequence = ?")
    private static let clearing = Query("UPDATE events SET payload = ?, seal = ?, cleared_by = ? WHERE sequence = ?")
    private static let linking = Query(
        "UPDATE events SET actor = ?, payload = ?, hash = ?, seal = ? WHERE sequence = ?")

    /// The latest event, to which the next one is linked. It is looked up once in a transaction that writes.
    package func end() throws(StoreError) -> EventChain.Link {
        if let end = transaction.chainEnd { return end }
        let end = try transaction.first(Self.endOfChain) { row in
            EventChain.Link(sequence: row.integer(), hash: row.text())
        }
        if transaction.isWritable { transaction.chainEnd = end ?? .start }
        return end ?? .start
    }

    /// An event as the chain has it.
    package func sealed(_ sequence: Int64) throws(StoreError) -> EventChain.Sealed? {
        try transaction.first(Self.oneSealed, [.integer(sequence)]) { row throws(StoreError) in
            try Self.sealed(&row)
        }
    }

    /// The next events as the chain has them, by sequence.
    package func sealed(after sequence: Int64) throws(StoreError) -> [EventChain.Sealed] {
        let page = try transaction.all(Self.sealed, [.integer(sequence), .integer(Transaction.pageSize)]) {
            row throws(StoreError) in
            try Self.sealed(&row)
        }
        if let last = page.last { try transaction.connection().settle(event: last.event.sequence) }
        return page
    }

    /// All events as the chain has them, by sequence, until `body` returns false. `body` may write.
    package func forEachSealed(_ body: (EventChain.Sealed) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in try sealed(after: last?.event.sequence ?? 0) }, body)
    }

    /// Clears a payload of what must not stay, as another event records, and nothing else.
    ///
    /// - Parameters:
    ///   - content: the digest of the payload that the event was written with.
    ///   - event: the one that records it.
    package func clear(
        _ sequence: Int64, to payload: String, content: String, by event: Int64
    ) throws(StoreError) {
        try transaction.execute(
            Self.clearing, [.text(payload), .text(content), .integer(event), .integer(sequence)])
    }

    private static func sealed(_ row: inout RowReader) throws(StoreError) -> EventChain.Sealed {
        EventChain.Sealed(
            event: try event(&row), hash: row.text(), seal: row.text(), clearedBy: row.optionalInteger())
    }
}

// MARK: - Older stores

extension EventRepository {
    private static let usernames = Query("SELECT id FROM patrons WHERE username = ?")
    private static let activations = Query("UPDATE policy_activations SET actor = ? WHERE actor = ?")

    /// Links the events of a store that was made before there was a chain. A person whose name is a username that
    /// a patron has now, and no program's, is called by their id from now on.
    func linkAll() throws(StoreError) {
        var link = EventChain.Link.start
        var people: [String: String] = [:]
        while true {
            let page = try transaction.all(Self.after, [.integer(link.sequence), .integer(Transaction.pageSize)]) {
                row throws(StoreError) in
                try Self.event(&row)
            }
            if page.isEmpty { return }
            for event in page {
                var event = event
                event.actor = try identified(event.actor, &people)
                if event.kind == Self.activationKind { event.payload = try identified(payload: event.payload, &people) }
                let salt = EventChain.salt()
                let content = EventChain.content(event.payload, salt: salt)
                link = EventChain.Link(
                    sequence: event.sequence, hash: EventChain.hash(of: event, content: content, after: link.hash))
                try transaction.post(
                    Self.linking,
                    [
                        .text(event.actor), .text(event.payload), .text(link.hash), .text(salt),
                        .integer(event.sequence),
                    ])
            }
        }
    }

    /// The one kind of event whose payload names who did it.
    private static let activationKind = "policy.activated"

    private func identified(_ actor: String, _ people: inout [String: String]) throws(StoreError) -> String {
        if ActorName.isReserved(actor) { return actor }
        if let known = people[actor] { return known }
        let id = try transaction.first(Self.usernames, [.text(actor)]) { row in row.integer() }
        let name = id.map(ActorName.patron) ?? actor
        if people.count > 10_000 { people = [:] }
        people[actor] = name
        if name != actor { try transaction.execute(Self.activations, [.text(name), .text(actor)]) }
        return name
    }

    private func identified(payload: String, _ people: inout [String: String]) throws(StoreError) -> String {
        guard case .object(var object)? = try? JSONParser.parse(payload), let actor = object["actor"]?.stringValue
        else {
            return payload
        }
        let name = try identified(actor, &people)
        guard name != actor else { return payload }
        object["actor"] = .string(name)
        return JSON.object(object).text()
    }
}
