/// What is remembered on a way, and how it is taken back.
final class Journal {
    /// How many choices the way had made when something became known.
    typealias Choice = Int

    private var entries: [() -> Void] = []
    /// For each thing that is being put together how many choices were made before it, whether what they decided was used, and which
    /// variables from before it may change.
    private var levels: [(before: Choice, usesEarlier: Bool, changed: Set<ObjectIdentifier>)] = []
    /// Whether the level that ended last used what was known before it.
    private(set) var usedEarlier = false
    /// How many choices the way has made.
    var choices: Choice = 0

    /// How often it was asked which way to go, also where that was known.
    var decisions = 0

    /// What becomes known now.
    var choice: Choice { choices }

    /// Notes that what became known after so many choices decides something.
    func use(_ choice: Choice) {
        for index in levels.indices where choice <= levels[index].before { levels[index].usesEarlier = true }
    }

    /// Within how many conditions of several ways the way at hand is.
    var depth: Int { levels.count }

    /// Notes that something decides that is known of this way alone.
    func useAll() {
        for index in levels.indices { levels[index].usesEarlier = true }
    }

    /// Notes that something is changed that was made within so many conditions of several ways.
    ///
    /// - Throws: ``Changed`` where it outlives the one at hand, whose ways would each change it, and is not put together.
    func change(_ object: AnyObject, madeAt depth: Int) throws {
        guard depth < levels.count else { return }
        let changed = ObjectIdentifier(object)
        if !levels[depth...].allSatisfy({ $0.changed.contains(changed) }) { throw Changed() }
    }

    /// Notes how something is taken back.
    func note(_ undo: @escaping () -> Void) {
        if !levels.isEmpty { entries.append(undo) }
    }

    func begin(changing changed: Set<ObjectIdentifier>) -> Int {
        levels.append((choices, false, changed))
        return entries.count
    }

    /// Forgets what was to be taken back, at the end of a way: it holds on to the way itself.
    func clear() {
        entries = []
        levels = []
    }

    func end(_ mark: Int) {
        usedEarlier = levels.removeLast().usesEarlier
        while entries.count > mark { entries.removeLast()() }
    }
}

/// Something was changed that outlives a condition of several ways.
struct Changed: Error {}
