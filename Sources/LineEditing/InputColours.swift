/// How the parts of a statement look.
struct InputColours: Sendable {
    /// The names that the language and the API give a meaning.
    let known: Set<String>
    let isOn: Bool

    static let prompt = "1;32"
    static let continuation = "2;32"
    static let faint = "2"
    static let chosen = "7"

    private static let keyword = "35"
    private static let string = "32"
    private static let number = "36"
    private static let comment = "2;3"
    private static let knownName = "34"
    private static let command = "1;33"
    private static let bracket = "1;4"

    /// The rendition (SGR parameters) of each character, empty for the usual one.
    ///
    /// - Parameter cursor: the brackets of a pair, one of which stands in front of it, are made to stand out.
    func renditions(of characters: [Character], cursor: Int) -> [String] {
        var result = [String](repeating: "", count: characters.count)
        guard isOn else { return result }
        if characters.first == ":" && characters.dropFirst().first != ":" {
            for index in characters.indices.prefix(while: { !characters[$0].isWhitespace }) {
                result[index] = InputColours.command
            }
            return result
        }
        let tokens = InputScanner.tokens(characters)
        for token in tokens {
            let rendition = rendition(of: token)
            if !rendition.isEmpty { for index in token.range { result[index] = rendition } }
        }
        for place in InputColours.pair(in: tokens, at: cursor) { result[place] = InputColours.bracket }
        return result
    }

    private func rendition(of token: InputToken) -> String {
        switch token.kind {
        case .keyword: InputColours.keyword
        case .string: InputColours.string
        case .number: InputColours.number
        case .comment: InputColours.comment
        case .command: InputColours.command
        case .name: known.contains(token.text) ? InputColours.knownName : ""
        case .symbol: ""
        }
    }

    /// The places of the bracket in front of the cursor and of its partner; empty without such a pair.
    private static func pair(in tokens: [InputToken], at cursor: Int) -> [Int] {
        let partners: [String: String] = [")": "(", "]": "[", "}": "{"]
        var open: [InputToken] = []
        for token in tokens where token.kind == .symbol {
            if partners.values.contains(token.text) { open.append(token) }
            guard let partner = partners[token.text] else { continue }
            guard let first = open.popLast(), first.text == partner else { return [] }
            if token.range.upperBound == cursor || first.range.upperBound == cursor {
                return [first.range.lowerBound, token.range.lowerBound]
            }
        }
        return []
    }
}
