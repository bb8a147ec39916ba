/// What belongs to each code of a small vocabulary, such as a library's item types. A few codes are found faster by
/// looking through them than by hashing.
struct CodeTable<Value: Sendable>: Sendable {
    private static var fewest: Int { 16 }

    private let codes: [String]
    private let values: [Value]
    private let places: [String: Int]

    /// Of two entries with one code the first holds.
    init(_ entries: [(code: String, value: Value)]) {
        codes = entries.map(\.code)
        values = entries.map(\.value)
        let isLarge = entries.count > Self.fewest
        places = isLarge ? Dictionary(zip(codes, codes.indices)) { first, _ in first } : [:]
    }

    subscript(code: String) -> Value? {
        (places.isEmpty ? codes.firstIndex(of: code) : places[code]).map { values[$0] }
    }
}
