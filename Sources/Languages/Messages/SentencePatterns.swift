/// Finds the message of which a finished English sentence was made: refusals come with their values in them, from the desk, from
/// the log, or from a policy, and are said in the language of their reader.
struct SentencePatterns: Sendable {
    private enum Piece: Sendable {
        case words([UInt8])
        case value(Int)
    }

    private struct Pattern: Sendable {
        let identifier: String
        let pieces: [Piece]
        /// How many bytes of it are words.
        let words: Int
    }

    /// By the first byte of the sentence; nil: the sentence begins with a value.
    private var patterns: [UInt8?: [Pattern]] = [:]
    private var all: Set<String> = []

    /// Adds a text that has values between words.
    mutating func add(_ identifier: String, _ text: MessageText) {
        var pieces: [Piece] = []
        var words = 0
        for piece in text.pieces {
            switch piece {
            case .words(let part):
                pieces.append(.words(Array(part.utf8)))
                words += part.utf8.count
            case .value(let name):
                guard let number = Int(name) else { return }
                pieces.append(.value(number))
            case .opening, .closing: return
            }
        }
        // A few letters beside a value fit too much.
        guard pieces.count > 1, words >= 6, all.insert(identifier).inserted else { return }
        var first: UInt8?
        if case .words(let part)? = pieces.first { first = part.first }
        patterns[first, default: []].append(Pattern(identifier: identifier, pieces: pieces, words: words))
        patterns[first]?.sort { $0.words > $1.words }
    }

    mutating func add(_ other: SentencePatterns) {
        for pattern in other.patterns.values.joined() { add(pattern.identifier, MessageText(pattern.identifier)) }
    }

    /// The message with most words that a sentence can be, with its values.
    func message(of sentence: String) -> Phrase? {
        let bytes = Array(sentence.utf8)
        for pattern in (patterns[bytes.first] ?? []) + (patterns[nil] ?? []) {
            if let values = Self.values(of: bytes, pattern.pieces) {
                let ordered = values.sorted { $0.key < $1.key }.map { Phrase.Value.text($0.value) }
                return Phrase(identifier: pattern.identifier, values: ordered)
            }
        }
        return nil
    }

    /// The values of a sentence by the pieces of a pattern, each as short as the words after it allow.
    private static func values(of sentence: [UInt8], _ pieces: [Piece]) -> [Int: String]? {
        var rest = sentence[...]
        var pieces = pieces[...]
        // Most patterns are told from the sentence by their ends.
        if case .words(let last)? = pieces.last {
            guard rest.suffix(last.count).elementsEqual(last) else { return nil }
            rest = rest.dropLast(last.count)
            pieces = pieces.dropLast()
        }
        var values: [Int: String] = [:]
        while let piece = pieces.popFirst() {
            switch piece {
            case .words(let words):
                guard rest.starts(with: words) else { return nil }
                rest = rest.dropFirst(words.count)
            case .value(let number):
                var end = rest.endIndex
                // Before another value, and at the end, it is whatever is left.
                if case .words(let next)? = pieces.first {
                    guard let range = rest.firstRange(of: next) else { return nil }
                    end = range.lowerBound
                }
                values[number] = String(decoding: rest[..<end], as: UTF8.self)
                rest = rest[end...]
            }
        }
        return rest.isEmpty ? values : nil
    }
}
