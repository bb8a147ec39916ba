/// The members of a JSON object in the order they were written, each key once.
///
/// Two objects are equal if they have the same members, whatever the order. Look-up is linear, which beats hashing for
/// the dozen members that records have; a caller with thousands of keys builds a dictionary of ``entries``.
package struct JSONObject: Sendable {
    package struct Entry: Hashable, Sendable {
        package let key: String
        package var value: JSON

        package init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }
    }

    package private(set) var entries: [Entry]

    package init() {
        entries = []
    }

    /// For readers that made sure that no key comes twice.
    init(distinctEntries: [Entry]) {
        entries = distinctEntries
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
    package var keys: [String] { entries.map(\.key) }

    /// The value under `key`. Setting replaces in place or appends; setting nil removes the member.
    package subscript(key: String) -> JSON? {
        get {
            for entry in entries where entry.key == key {
                return entry.value
            }
            return nil
        }
        set {
            let index = entries.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Hashable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if left.entries == right.entries { return true }
        let members = Dictionary(left.entries.map { ($0.key, $0.value) }) { first, _ in first }
        return right.entries.allSatisfy { members[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        // Order does not count for equality, so it must not count here: the members' hashes are added up.
        var sum = 0
        for entry in entries {
            sum &+= entry.hashValue
        }
        hasher.combine(sum)
        hasher.combine(count)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members in the order written; of a key written twice the last value stands.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (key, value) in elements {
            self[key] = value
        }
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[Entry]> { entries.makeIterator() }
}
