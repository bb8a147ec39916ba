/// What can stand at the cursor.
package struct Completion: Hashable, Sendable {
    /// What all candidates have in common beyond what was typed; empty if nothing.
    package var insertion: String
    /// The names that fit, in order.
    package var candidates: [String]

    package static let none = Completion(insertion: "", candidates: [])

    package init(insertion: String, candidates: [String]) {
        self.insertion = insertion
        self.candidates = candidates
    }

    /// The names among `candidates` that begin with `typed`.
    package init(typed: String, among candidates: some Sequence<String>) {
        let fitting = Set(candidates.filter { $0.hasPrefix(typed) }).sorted()
        guard var common = fitting.first else {
            self = .none
            return
        }
        for candidate in fitting.dropFirst() {
            common = String(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
        }
        self.init(insertion: String(common.dropFirst(typed.count)), candidates: fitting)
    }

    /// The candidates in columns.
    func columns(width: Int) -> String {
        let longest = (candidates.map(\.count).max() ?? 1) + 2
        let perLine = max(1, width / longest)
        return stride(from: 0, to: candidates.count, by: perLine).map { start in
            candidates[start..<min(candidates.count, start + perLine)]
                .map { $0 + String(repeating: " ", count: longest - $0.count) }.joined()
        }.joined(separator: "\n")
    }
}
