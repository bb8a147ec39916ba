import Circulation
import LuaSyntax
import Scripting

/// The words that a policy and its tests name: a misspelt one is near to another of them.
enum TypoWords {
    static func words(in chunks: [Chunk], tests: String) -> [String] {
        var collector = Collector()
        for chunk in chunks { chunk.walk(&collector) }
        let test = try? LuaParser.parse(tests, chunk: "tests", maximumSize: PolicyBundle.maximumFileSize)
        test?.walk(&collector)
        return collector.words.sorted()
    }

    /// Whether a text may be a category, an item type, a stage or the like.
    static func isWord(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains($0)
            }
    }

    private struct Collector: LuaVisitor {
        private(set) var words: Set<String> = []

        mutating func enter(_ expression: Expression) {
            if let text = expression.stringLiteral, TypoWords.isWord(text) { words.insert(text) }
            guard case .table(let table) = expression.kind else { return }
            for entry in table.entries {
                if let name = entry.name?.name, TypoWords.isWord(name), RuleField.named[name] == nil {
                    words.insert(name)
                }
            }
        }
    }
}
