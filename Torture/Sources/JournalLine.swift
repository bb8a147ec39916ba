/// A line of a worker's journal. Times are those of the machine's clock, in microseconds.
enum JournalLine: Hashable {
    /// Before the request goes to the store. Whoever reads this can ask for the same again.
    case asked(request: String, operation: Operation, seed: UInt64, at: Int64)
    /// The request was answered.
    case done(request: String, effect: Effect, at: Int64)
    /// The store failed; the same request is made again.
    ///
    /// - `isOpen`: the store says that it cannot know whether the change was kept. Otherwise it says that it was not.
    case failed(request: String, code: String, isOpen: Bool, at: Int64)
    /// How often connections were made again and unknown commits looked up by the driver itself, since the last line.
    case recovered(reconnected: Int, resolved: Int, at: Int64)
}

extension JournalLine {
    var text: String {
        switch self {
        case .asked(let request, let operation, let seed, let at):
            "asked \(request) \(operation.rawValue) \(seed) \(at)"
        case .done(let request, let effect, let at): "done \(request) \(effect.text) \(at)"
        case .failed(let request, let code, let isOpen, let at):
            "failed \(request) \(code) \(isOpen ? "open" : "undone") \(at)"
        case .recovered(let reconnected, let resolved, let at): "recovered \(reconnected) \(resolved) \(at)"
        }
    }

    /// nil for a line that was not written to its end, as the last one of a killed worker may be.
    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard let kind = words.first, let at = words.last.flatMap({ Int64($0) }) else { return nil }
        switch (kind, words.count) {
        case ("asked", 5):
            guard let operation = Operation(rawValue: String(words[2])), let seed = UInt64(words[3]) else { return nil }
            self = .asked(request: String(words[1]), operation: operation, seed: seed, at: at)
        case ("done", 4):
            guard let effect = Effect(words[2]) else { return nil }
            self = .done(request: String(words[1]), effect: effect, at: at)
        case ("failed", 5):
            self = .failed(request: String(words[1]), code: String(words[2]), isOpen: words[3] == "open", at: at)
        case ("recovered", 4):
            guard let reconnected = Int(words[1]), let resolved = Int(words[2]) else { return nil }
            self = .recovered(reconnected: reconnected, resolved: resolved, at: at)
        default: return nil
        }
    }
}
