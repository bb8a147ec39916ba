import Synchronization

/// Questions about rows that other questions find, as one statement each: the other question stands in it.
enum JoinedQuery {
    private struct Key: Hashable {
        let number: Int?
        let others: [String]
    }

    /// They are as few as there are places in the program that ask so.
    private static let kept = Mutex<[Key: Query]>([:])

    static func of(_ question: BoundQuery) -> PostgresQuery {
        guard !question.missing.isEmpty else {
            return PostgresQuery(query: question.query, values: PostgresValues.texts(question.values))
        }
        var values: [StoredValue] = []
        var others: [Int: String] = [:]
        for (place, value) in question.values.enumerated() {
            if case .found(let other, let column)? = question.missing.first(where: { $0.place == place })?.row {
                others[place] = "(SELECT \(column) FROM (\(other.query.text)) AS found)"
                values += other.values
            } else {
                values.append(value)
            }
        }
        return PostgresQuery(query: query(question.query, others), values: PostgresValues.texts(values))
    }

    private static func query(_ query: Query, _ others: [Int: String]) -> Query {
        let key = Key(number: query.number, others: others.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
        return kept.withLock { kept in
            if let query = kept[key] { return query }
            let parts = query.text.split(separator: "?", omittingEmptySubsequences: false)
            var text = String(parts[0])
            for (place, part) in parts.dropFirst().enumerated() { text += (others[place] ?? "?") + part }
            let joined = Query(text)
            if query.number != nil { kept[key] = joined }
            return joined
        }
    }
}
