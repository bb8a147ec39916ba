import TextFormats

/// Makes a case smaller while it shows the same: members are taken out, lists shortened, numbers brought down, moments and dates
/// made plain.
struct CaseShrinker {
    /// How many cases may be tried.
    private var left: Int
    private let shows: (JSONObject) -> Bool

    private init(_ tries: Int, _ shows: @escaping (JSONObject) -> Bool) {
        left = tries
        self.shows = shows
    }

    /// - Parameter shows: whether a case still shows what the first one does.
    static func shrunk(
        _ object: JSONObject, tries: Int = 400, while shows: @escaping (JSONObject) -> Bool
    ) -> JSONObject {
        var shrinker = CaseShrinker(tries, shows)
        var best = object
        while let smaller = shrinker.smaller(best) { best = smaller }
        return best
    }

    /// The first smaller case that shows the same, nil if there is none.
    private mutating func smaller(_ object: JSONObject) -> JSONObject? {
        let moved = PlainTimes.moved(object)
        let without = moved.map { object in
            var object = object
            object["now"] = nil
            return object
        }
        for candidate in [without, moved].compactMap({ $0 }) + CaseShrinker.candidates(object, isWhole: true) {
            guard left > 0 else { return nil }
            left -= 1
            if shows(candidate) { return candidate }
        }
        return nil
    }

    /// Everything a step smaller, the greatest steps first.
    private static func candidates(_ object: JSONObject, isWhole: Bool) -> [JSONObject] {
        var removed: [JSONObject] = []
        var changed: [JSONObject] = []
        for entry in object where !(isWhole && entry.key == "point") {
            var without = object
            without[entry.key] = nil
            removed.append(without)
            for value in candidates(entry.value, key: entry.key) {
                var with = object
                with[entry.key] = value
                changed.append(with)
            }
        }
        return removed + changed
    }

    private static func candidates(_ value: JSON, key: String) -> [JSON] {
        switch value {
        case .object(let object): return candidates(object, isWhole: false).map { .object($0) }
        case .array(let array): return candidates(array, key: key)
        case .integer(let number) where number > 0:
            return [0, number / 2, number - 1].filter { $0 < number }.reduce(into: []) { list, smaller in
                if !list.contains(.integer(smaller)) { list.append(.integer(smaller)) }
            }
        case .string(let text): return PlainTimes.plainer(than: text).map { .string($0) }
        default: return []
        }
    }

    private static func candidates(_ array: [JSON], key: String) -> [JSON] {
        guard !array.isEmpty else { return [] }
        var smaller: [JSON] = []
        if array.count > 2 { smaller.append(.array(Array(array.prefix(array.count / 2)))) }
        for index in array.indices.prefix(8) {
            var without = array
            without.remove(at: index)
            smaller.append(.array(without))
        }
        for index in array.indices.prefix(8) {
            for value in candidates(array[index], key: key) {
                var with = array
                with[index] = value
                smaller.append(.array(with))
            }
        }
        // The number of loans says the same as so many books.
        if key == "loans", array.allSatisfy({ $0 == ["item_type": "book"] || $0 == [:] }) {
            smaller.insert(.integer(Int64(array.count)), at: 0)
        }
        return smaller
    }
}
