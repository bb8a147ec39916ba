/// What a fact does, its prose taken apart: `cancel A, then cancel B`, `recall (second one)`.
struct Operation {
    /// All of it, in small letters, without what stands in brackets.
    let text: String
    /// What stands in brackets.
    let remark: String?
    /// The operations one after the other.
    let steps: [String]
    /// As it was written.
    let original: String

    init(_ original: String) {
        self.original = original
        var plain = ""
        var remark = ""
        var depth = 0
        for character in original {
            if character == "(" {
                depth += 1
            } else if character == ")" {
                depth = max(0, depth - 1)
            } else if depth > 0 {
                remark.append(character)
            } else {
                plain.append(character)
            }
        }
        text = plain.lowercased().split(separator: " ").joined(separator: " ")
        self.remark = remark.isEmpty ? nil : remark.lowercased()
        steps = plain.replacing(", then ", with: "\n").replacing(" then ", with: "\n").replacing(
            " and then ", with: "\n"
        )
        .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    }

    func begins(_ words: String...) -> Bool {
        words.contains { beginning in
            guard text.hasPrefix(beginning) else { return false }
            return text.dropFirst(beginning.count).first.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
        }
    }

    func names(_ words: String) -> Bool { text.contains(words) || remark?.contains(words) == true }

    /// How often: `checkout twice`, `renew three times`, `run the job 4 times`; once where nothing is said.
    var times: Int {
        let words = text.split(separator: " ").map(String.init)
        if words.contains("once") { return 1 }
        if words.contains("twice") { return 2 }
        for (word, next) in zip(words, words.dropFirst()) where next == "times" {
            if let count = NumberWords.number(word), count < 100 { return Int(count) }
        }
        return 1
    }
}

/// Numbers as digits or as words.
enum NumberWords {
    private static let words: [String: Int64] = [
        "zero": 0, "no": 0, "one": 1, "a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
        "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    ]

    static func number(_ word: some StringProtocol) -> Int64? { Int64(word) ?? words[word.lowercased()] }

    /// The last number among the words of a text.
    static func last(in text: String) -> Int64? {
        text.split { !$0.isLetter && !$0.isNumber }.reversed().lazy.compactMap { number($0) }.first
    }
}
