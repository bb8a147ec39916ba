/// What is known of conditions on a way; what became known last can be taken back.
struct KnownConditions {
    private struct Entry {
        let holds: Bool
        /// After how many choices it became known; nil: it is so of every case.
        let choice: Journal.Choice?
    }

    /// Of conditions that are no negations.
    private var entries: [Condition: Entry] = [:]
    private var log: [(condition: Condition, before: Entry?)] = []

    /// How much was noted; ``takeBack(to:)`` goes back to it.
    var count: Int { log.count }

    /// Whether a condition holds, and after how many choices that became known; nil where it is not known.
    func find(_ condition: Condition) -> (holds: Bool, choice: Journal.Choice?)? {
        let (asked, isNegated) = condition.positive
        return entries[asked].map { ($0.holds != isNegated, $0.choice) }
    }

    /// - Parameter choice: nil: it is so of every case.
    mutating func note(_ condition: Condition, _ holds: Bool, after choice: Journal.Choice?) {
        let (asked, isNegated) = condition.positive
        let before = entries.updateValue(Entry(holds: holds != isNegated, choice: choice), forKey: asked)
        // What was known earlier stays known from then on.
        if let earlier = before?.choice { entries[asked] = Entry(holds: holds != isNegated, choice: earlier) }
        log.append((asked, before))
    }

    mutating func takeBack(to count: Int) {
        while log.count > count, let last = log.popLast() { entries[last.condition] = last.before }
    }
}

/// Names, of which those that came last can be taken back.
struct LoggedNames {
    private var names: Set<String> = []
    private var log: [String] = []

    var count: Int { log.count }

    func contains(_ name: String) -> Bool { names.contains(name) }

    /// What stands behind a beginning in those that have it, in their order, but for what is made of variables.
    func words(behind beginning: String) -> [String] {
        log.compactMap { name in
            guard name.hasPrefix(beginning) else { return nil }
            let word = name.dropFirst(beginning.count)
            return word.hasPrefix("|") || word.hasPrefix("(") ? nil : String(word)
        }
    }

    /// - Returns: whether it is a new one.
    mutating func insert(_ name: String) -> Bool {
        guard names.insert(name).inserted else { return false }
        log.append(name)
        return true
    }

    mutating func takeBack(to count: Int) {
        while log.count > count, let last = log.popLast() { names.remove(last) }
    }
}
