/// Finds the message of which a finished English sentence was made: refusals come with their values in them, from the desk, from
/// the log, or from a policy, and are said in the language of whoever reads them.
struct SentencePatterns: Sendable {
    private struct Pattern: Sendable {
        let identifier: String
        let pieces: [MessageText.Piece]
        /// How many characters of it are words.
        let words: Int
    }

    /// By the first character of the sentence; nil: the sentence begins with a value.
    private var patterns: [Character?: [Pattern]] = [:]
    private var all: Set<String> = []

    /// Adds a text that has values between words.
    mutating func add(_ identifier: String, _ text: MessageText) {
        var words = 0
        var hasValue = false
        for piece in text.pieces {
            switch piece {
            case .words(let part): words += part.count
            case .value(let name):
                guard Int(name) != nil else { return }
                hasValue = true
            case .opening, .closing: return
            }
        }
        // A few letters beside a value fit too much.
        guard hasValue, words >= 6, all.insert(identifier).inserted else { return }
        var first: Character?
        if case .words(let part)? = text.pieces.first { first = part.first }
        patterns[first, default: []].append(Pattern(identifier: identifier, pieces: text.pieces, words: words))
        patterns[first]?.sort { $0.words > $1.words }
    }

    mutating func add(_ other: SentencePatterns) {
        for pattern in other.patterns.values.joined() { add(pattern.identifier, MessageText(pattern.identifier)) }
    }

    /// The message with most words that a sentence can be, with its values.
    func message(of sentence: String) -> Phrase? {
        for pattern in (patterns[sentence.first] ?? []) + (patterns[nil] ?? []) {
            if let values = Self.values(of: Substring(sentence), pattern.pieces[...]) {
                let ordered = values.sorted { $0.key < $1.key }.map { Phrase.Value.text($0.value) }
                return Phrase(identifier: pattern.identifier, values: ordered)
            }
        }
        return nil
    }

    /// The values of a sentence by the pieces of a pattern, each as short as the words after it allow.
    private static func values(
        of sentence: Substring, _ pieces: ArraySlice<MessageText.Piece>
    ) -> [Int: String]? {
        var rest = sentence
        var pieces = pieces
        var values: [Int: String] = [:]
        while let piece = pieces.popFirst() {
            switch piece {
            case .words(let words):
                guard rest.hasPrefix(words) else { return nil }
                rest = rest.dropFirst(words.count)
            case .value(let name):
                guard let number = Int(name) else { return nil }
                guard case .words(let next)? = pieces.first else {
                    // At the end, or before another value: whatever is left.
                    values[number] = String(rest)
                    rest = ""
                    continue
                }
                let range = pieces.count == 1 ? rest.lastRange(of: next) : rest.firstRange(of: next)
                guard let range else { return nil }
                values[number] = String(rest[..<range.lowerBound])
                rest = rest[range.lowerBound...]
            case .opening, .closing: return nil
            }
        }
        return rest.isEmpty ? values : nil
    }
}

extension Substring {
    /// Where a text ends the other one.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        hasSuffix(text) ? index(endIndex, offsetBy: -text.count)..<endIndex : nil
    }
}
