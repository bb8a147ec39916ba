/// How far lines of Lua stand in.
enum Indentation {
    static let step = 4

    /// The blanks of a line that follows: as many as the last one has, more if that opened a block.
    static func ofNextLine(after text: String) -> String {
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        let blanks = line.prefix { $0 == " " }.count
        return String(repeating: " ", count: blanks + (opening(of: String(line)) > 0 ? step : 0))
    }

    /// How many blanks the last line has too many, since it consists of a word that ends a block.
    static func surplus(in text: String) -> Int {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1, let line = lines.last, lines.count > 1 else { return 0 }
        let blanks = line.prefix { $0 == " " }.count
        guard closers.contains(String(line.dropFirst(blanks))) else { return 0 }
        let before = lines[lines.count - 2]
        let outer = before.prefix { $0 == " " }.count
        // Behind the line that opened the block, and behind a line of the block.
        let wanted = opening(of: String(before)) > 0 ? outer : max(0, outer - step)
        return max(0, blanks - wanted)
    }

    private static let closers: Set<String> = ["end", "}", ")", "until", "else", "elseif", "})"]

    /// How many blocks a line opens more than it closes.
    private static func opening(of line: String) -> Int {
        var depth = 0
        for token in InputScanner.tokens(line) where token.kind == .keyword || token.kind == .symbol {
            switch token.text {
            case "do", "then", "function", "repeat", "{", "(", "else": depth += 1
            case "end", "until", "}", ")": depth = max(0, depth - 1)
            case "elseif": depth = max(0, depth - 1)
            default: break
            }
        }
        return depth
    }
}
