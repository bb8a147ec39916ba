import Circulation
import Storage
import TextFormats

extension PatronService {
    /// Takes out of the logs what could still tell who a removed patron was: the `extra` of the cases they were decided
    /// by, and their name, e-mail, phone and username wherever staff have written them into a reason or a label.
    func forget(_ patron: Patron) throws {
        let words = patron.tellingWords
        try transaction.decisions.forEach(patron: patron.id) { record in
            let question = try Self.scrubbed(record.caseJSON, extra: true, words)
            if question != record.caseJSON {
                try transaction.decisions.replaceCase(event: record.event, ordinal: record.ordinal, by: question)
            }
            return true
        }
        guard !words.isEmpty else { return }
        try transaction.events.forEach(EventFilter(patron: patron.id)) { event in
            let payload = try Self.scrubbed(event.payload, extra: false, words)
            if payload != event.payload {
                try transaction.events.replacePayload(of: event.sequence, by: payload)
            }
            return true
        }
    }

    private static func scrubbed(_ text: String, extra: Bool, _ words: [String]) throws -> String {
        guard case .object(var object) = try JSONParser.parse(text) else { return text }
        if extra, case .object(var patron)? = object["patron"] {
            patron["extra"] = .object([:])
            object["patron"] = .object(patron)
        }
        return JSON.object(object).scrubbed(of: words).text()
    }
}

extension Patron {
    /// What names a person: too short a word would black out half of every text.
    var tellingWords: [String] {
        var words: Set<String> = []
        for text in [username, name, surname, email ?? "", phone ?? ""] {
            words.insert(text)
            for part in text.split(whereSeparator: \.isWhitespace) { words.insert(String(part)) }
        }
        return words.filter { $0.count >= 3 }.sorted { ($1.count, $0) < ($0.count, $1) }
    }
}

extension PatronService {
    /// Staff's own words about a patron as they may stand in an event: without the patron's name.
    func impersonal(_ text: String, about patron: Int64?) throws -> String {
        guard !text.isEmpty, let patron, let found = try transaction.patrons.get(patron) else { return text }
        return text.blackingOut(found.tellingWords)
    }
}

extension JSON {
    fileprivate func scrubbed(of words: [String], isFree: Bool = false) -> JSON {
        switch self {
        case .string(let text) where isFree: .string(text.blackingOut(words))
        case .array(let values): .array(values.map { $0.scrubbed(of: words, isFree: isFree) })
        case .object(let object): .object(object.scrubbed(of: words))
        default: self
        }
    }
}

extension JSONObject {
    fileprivate func scrubbed(of words: [String]) -> JSONObject {
        var scrubbed = self
        for entry in self {
            // Where people write freely. A label stands in the ledger as well: it was cleared when it was posted.
            scrubbed[entry.key] = entry.value.scrubbed(of: words, isFree: entry.key == "reason")
        }
        return scrubbed
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
