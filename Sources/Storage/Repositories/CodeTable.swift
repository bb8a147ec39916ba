/// What belongs to each code of a small vocabulary, such as a library's item types. A few codes are found faster by
/// looking through them than by hashing.
struct CodeTable<Value: Sendable>: Sendable {
    private static var fewest: Int { 16 }

    private let entries: [(code: String, value: Value)]
    private let places: [String: Int]

    /// Of two entries with one code the first holds.
    init(_ entries: [(code: String, value: Value)]) {
        self.entries = entries
        let isLarge = entries.count > Self.fewest
        places =
            isLarge
            ? Dictionary(entries.enumerated().map { ($0.element.code, $0.offset) }) { first, _ in first } : [:]
    }

    subscript(code: String) -> Value? {
        guard places.isEmpty else { return places[code].map { entries[$0].value } }
        for entry in entries where entry.code == code { return entry.value }
        return nil
    }
}
