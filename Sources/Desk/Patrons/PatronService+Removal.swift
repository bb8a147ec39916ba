import Circulation
import Storage
import TextFormats

// A removed person's name must be nowhere: what the tables hold goes with the patron, the rest is seen to here.
extension PatronService {
    /// Takes out of the logs what could still tell who a removed patron was: the `extra` and the birth date of the cases they were
    /// decided by, and their name, e-mail, phone and username wherever they were written into a reason or a message.
    /// Events name staff by an id, which stays.
    func forget(_ patron: Patron) throws {
        let ids = try identities(of: patron.id)
        let words = patron.tellingWords + patron.extra.tellingWords + (try formerWords(of: ids))
        for id in ids {
            try clearDecisions(of: id, words, withExtra: true)
            try clearEvents(of: id, words, keysOf: ids)
        }
        for entry in try transaction.ledger.of(patron: patron.id) {
            let key = entry.key.withoutWords(patrons: ids)
            if key != entry.key { try transaction.ledger.setKey(key, of: entry.id) }
        }
        try session.jobs.forget(words)
        try session.plugins.forget(words)
        try session.outbox.forget(words)
        try session.idempotency.forget(words)
    }

    /// What their `extra` held when a policy was asked, and may have found its way into a message.
    private func formerWords(of ids: [Int64]) throws -> [String] {
        var words: Set<String> = []
        for id in ids {
            try transaction.decisions.forEach(patron: id) { record in
                if let extra = try JSONParser.parse(record.caseJSON)["patron"]?["extra"]?.objectValue {
                    words.formUnion(extra.tellingWords)
                }
                return true
            }
        }
        return words.sorted { ($1.count, $0) < ($0.count, $1) }
    }

    /// Does the same for a record that becomes part of another. What the other record says as well may stay.
    func forget(_ patron: Patron, in kept: Patron) throws {
        let remaining = kept.tellingWords.map { $0.lowercased() }
        let words = (patron.tellingWords + patron.extra.tellingWords).filter { word in
            !remaining.contains { $0.contains(word.lowercased()) }
        }
        for id in try identities(of: patron.id) {
            try clearDecisions(of: id, words, withExtra: true)
            try clearEvents(of: id, words)
        }
        for id in try identities(of: kept.id) {
            try clearDecisions(of: id, words, withExtra: false)
            try clearEvents(of: id, words)
        }
        try clearTexts(of: patron, in: kept, words)
        try session.jobs.forget(words)
        try session.plugins.forget(words)
        try session.outbox.forget(words)
        try session.idempotency.forget(words)
    }

    private func clearDecisions(of id: Int64, _ words: [String], withExtra: Bool) throws {
        try transaction.decisions.forEach(patron: id) { record in
            var cleared = record
            cleared.caseJSON = try Self.cleared(record.caseJSON, words, ofExtra: withExtra)
            cleared.decisionJSON = try Self.cleared(record.decisionJSON, words)
            if cleared != record { try transaction.decisions.replaceTexts(by: cleared) }
            return true
        }
    }

    /// - Parameter patrons: whose own keys of messages and of lines of the ledger are cleared too.
    private func clearEvents(of id: Int64, _ words: [String], keysOf patrons: [Int64] = []) throws {
        guard !words.isEmpty || !patrons.isEmpty else { return }
        var changed: [(event: Int64, payload: String)] = []
        try transaction.events.forEach(EventQuery(patron: id)) { event in
            let payload = try Self.cleared(event.payload, words, keysOf: patrons)
            if payload != event.payload { changed.append((event.sequence, payload)) }
            if changed.count == EventClearing.most {
                try clear(changed, of: id)
                changed = []
            }
            return true
        }
        if !changed.isEmpty { try clear(changed, of: id) }
    }

    /// Puts payloads in the place of others, and writes down that it was done, so that the chain of events still holds.
    private func clear(_ changed: [(event: Int64, payload: String)], of patron: Int64) throws {
        let events = transaction.events
        let cleared = try changed.compactMap { change in
            try events.sealed(change.event).map { before in
                EventClearing.Cleared(
                    event: change.event, was: before.content, isNow: EventChain.content(change.payload, salt: ""))
            }
        }
        let clearing = EventClearing(patron: patron, events: cleared)
        guard let told = try session.record(.eventsCleared, clearing)?.sequence else { return }
        for (change, cleared) in zip(changed, cleared) {
            try events.clear(change.event, to: change.payload, content: cleared.was, by: told)
        }
    }

    /// The texts that go over to the record that stays: a message that still waits is addressed to it.
    private func clearTexts(of patron: Patron, in kept: Patron, _ words: [String]) throws {
        guard !words.isEmpty else { return }
        let names = [
            (patron.name, kept.name), (patron.surname, kept.surname), (patron.username, kept.username),
            (patron.email ?? "", kept.email ?? ""), (patron.displayName ?? "", kept.publicName),
        ].filter { pair in words.contains(pair.0) && !pair.1.isEmpty }
        for id in [patron.id, kept.id] {
            try transaction.notices.forEach(NoticeQuery(patron: id)) { notice in
                var cleared = notice
                for (name, newName) in notice.state == .queued ? names : [] {
                    cleared.subject = cleared.subject.replacing(name, with: newName)
                    cleared.body = cleared.body.replacing(name, with: newName)
                    cleared.digest = cleared.digest?.mapped { $0.replacing(name, with: newName) }
                }
                cleared.subject = cleared.subject.blackingOut(words)
                cleared.body = cleared.body.blackingOut(words)
                cleared.digest = cleared.digest?.mapped { $0.blackingOut(words) }
                if cleared != notice { try transaction.notices.update(cleared) }
                return true
            }
            for block in try transaction.blocks.of(patron: id) {
                var cleared = block
                cleared.reason = block.reason.blackingOut(words)
                if cleared != block { try transaction.blocks.update(cleared) }
            }
        }
    }

    private static func cleared(
        _ text: String, _ words: [String], ofExtra: Bool = false, keysOf patrons: [Int64] = []
    ) throws -> String {
        guard case .object(var object) = try JSONParser.parse(text) else { return text }
        if ofExtra, case .object(var patron)? = object["patron"] {
            patron["extra"] = .object([:])
            patron["birth_date"] = nil
            object["patron"] = .object(patron)
        }
        return JSON.object(words.isEmpty && patrons.isEmpty ? object : object.cleared(of: words, patrons)).text()
    }
}

extension DigestWords {
    fileprivate func mapped(_ change: (String) -> String) -> DigestWords {
        switch self {
        case .line(let line): .line(change(line))
        case .templates(let subject, let body): .templates(subject: change(subject), body: change(body))
        }
    }
}

extension Patron {
    /// What names a person: too short a word would black out half of every text.
    var tellingWords: [String] {
        var words: Set<String> = []
        for text in [username, name, surname, displayName ?? "", email ?? "", phone ?? ""] {
            words.insert(text)
            for part in text.split(whereSeparator: \.isWhitespace) { words.insert(String(part)) }
        }
        return words.filter { $0.count >= 3 }.sorted { ($1.count, $0) < ($0.count, $1) }
    }
}

extension JSONObject {
    /// The texts in the library's own fields, which a policy may have put into a message.
    fileprivate var tellingWords: [String] {
        JSON.object(self).texts.filter { $0.count >= 3 }.sorted { ($1.count, $0) < ($0.count, $1) }
    }
}

extension PatronService {
    /// Staff's own words about a patron as they may stand in an event: without the patron's name.
    package func impersonal(_ text: String, about patron: Int64?) throws -> String {
        guard !text.isEmpty, let patron, let found = try transaction.patrons.get(patron) else { return text }
        return text.blackingOut(found.tellingWords)
    }
}

extension JSON {
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.texts)
        case .object(let object): object.flatMap { $0.value.texts }
        default: []
        }
    }

    fileprivate func cleared(of words: [String], _ patrons: [Int64], isFree: Bool = false) -> JSON {
        switch self {
        case .string(let text) where isFree: .string(text.blackingOut(words))
        case .array(let values): .array(values.map { $0.cleared(of: words, patrons, isFree: isFree) })
        case .object(let object): .object(object.cleared(of: words, patrons))
        default: self
        }
    }
}

extension JSONObject {
    fileprivate func cleared(of words: [String], _ patrons: [Int64]) -> JSONObject {
        var cleared = self
        for entry in self {
            if EventText.unique.contains(entry.key), case .string(let key) = entry.value {
                cleared[entry.key] = .string(key.withoutWords(patrons: patrons))
            } else {
                cleared[entry.key] = entry.value.cleared(of: words, patrons, isFree: EventText.free.contains(entry.key))
            }
        }
        return cleared
    }
}

extension String {
    /// The text with each of the words, in any case, replaced by dots.
    func blackingOut(_ words: [String]) -> String {
        var text = self
        for word in words {
            while let range = text.range(ofFolded: word) { text.replaceSubrange(range, with: "…") }
        }
        return text
    }

    /// The key of a message or a line of the ledger, `KIND:PATRON:` and what the caller gave it, without the latter,
    /// which may have been made out of a name: as unique as before, and the same wherever it stands.
    fileprivate func withoutWords(patrons: [Int64]) -> String {
        let parts = split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let patron = Int64(parts[1]), patrons.contains(patron) else { return self }
        return "\(parts[0]):\(parts[1]):\(SHA256.hexadecimal(of: Array(parts[2].utf8)).prefix(32))"
    }

    private func range(ofFolded word: String) -> Range<Index>? {
        let wanted = word.lowercased()
        guard !wanted.isEmpty else { return nil }
        var start = startIndex
        while start < endIndex {
            var end = start
            var seen = ""
            while end < endIndex, seen.count < wanted.count {
                seen += self[end].lowercased()
                end = index(after: end)
            }
            if seen == wanted { return start..<end }
            start = index(after: start)
        }
        return nil
    }
}
