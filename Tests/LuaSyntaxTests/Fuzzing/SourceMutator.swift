import TestSupport

/// Damages Lua sources at random, by pieces (words, numerals, strings, symbols, spaces) and by bytes.
struct SourceMutator {
    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    /// One to four changes of `source`, with pieces borrowed from `others`.
    mutating func mutate(_ source: [UInt8], borrowingFrom others: [[UInt8]]) -> [UInt8] {
        var pieces = SourceMutator.pieces(of: source)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            change(&pieces, borrowingFrom: others)
        }
        return Array(pieces.joined())
    }

    private mutating func change(_ pieces: inout [[UInt8]], borrowingFrom others: [[UInt8]]) {
        guard !pieces.isEmpty else { return pieces.append(vocabulary()) }
        let index = Int.random(in: 0..<pieces.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: pieces.remove(at: index)
        case 2: pieces.insert(pieces[index], at: index)
        case 3: pieces.swapAt(index, Int.random(in: 0..<pieces.count, using: &random))
        case 4, 5: pieces.insert(vocabulary(), at: index)
        case 6: pieces[index] = vocabulary()
        case 7: pieces.removeSubrange(index..<min(pieces.count, index + Int.random(in: 1...8, using: &random)))
        case 8: changeByte(in: &pieces[index])
        default:
            let other = SourceMutator.pieces(of: others.randomElement(using: &random) ?? [])
            pieces.insert(other.randomElement(using: &random) ?? [], at: index)
        }
    }

    private mutating func changeByte(in piece: inout [UInt8]) {
        guard !piece.isEmpty else { return }
        let index = Int.random(in: 0..<piece.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: piece.remove(at: index)
        case 1: piece.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 2: piece[index] = UInt8.random(in: 32...126, using: &random)
        default: piece.insert(piece[index], at: index)
        }
    }

    private mutating func vocabulary() -> [UInt8] {
        Array((" " + (SourceMutator.words.randomElement(using: &random) ?? "") + " ").utf8)
    }

    private static let words = [
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
        "not", "or", "repeat", "return", "then", "true", "until", "while", "+", "-", "*", "/", "%", "^", "#", "&", "~",
        "|", "<<", ">>", "//", "==", "~=", "<=", ">=", "<", ">", "=", "(", ")", "{", "}", "[", "]", "::", ";", ":", ",",
        ".", "..", "...", "x", "y", "_ENV", "self", "a.b", "f()", "f'x'", "<const>", "<close>", "::a::", "goto a",
        "goto b", "::b::", "local x <const> = 1", "x = 2", "local a", "0x", "0x1p4", "1e", "3.", ".5", "0xep1", "1..2",
        "9223372036854775808", "[[", "]]", "[=[", "]=]", "--", "--[[", "\n", "\r\n", "\n\r", "\"", "'", "\\",
        "'\\z \n'",
        "'\\u{7FFFFFFF}'", "'\\u{80000000}'", "'\\x4'", "'\\300'", "'\\q'", "'\\\n'", "function f() end", "a:b()", "!",
        "@", "?", "é", "\u{0}", "if x then break end", "while x do", "repeat local z until z", "for i = 1, 2 do",
        "for k, v in x do", "local function f(...)", "return ...", "end end",
    ]

    /// Words, runs of digits, quoted text, spaces, and every other byte alone.
    static func pieces(of source: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var index = 0
        while index < source.count {
            let end = pieceEnd(in: source, from: index)
            pieces.append(Array(source[index..<end]))
            index = end
        }
        return pieces
    }

    private static func pieceEnd(in source: [UInt8], from start: Int) -> Int {
        let first = source[start]
        if isWord(first) { return source[start...].firstIndex { !isWord($0) } ?? source.count }
        if first == 0x20 { return source[start...].firstIndex { $0 != 0x20 } ?? source.count }
        guard first == 0x22 || first == 0x27 else { return start + 1 }
        let close = source[(start + 1)...].firstIndex { $0 == first || $0 == 0x0A }
        return close.map { $0 + 1 } ?? source.count
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }
}
