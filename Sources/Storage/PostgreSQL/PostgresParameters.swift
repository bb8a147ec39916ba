/// Parameters as PostgreSQL writes them.
enum PostgresParameters {
    /// Each `?` outside of texts, quoted names and comments becomes `$1`, `$2` and so on.
    ///
    /// - Returns: the text and how many there are.
    static func numbered(_ text: String) -> (text: String, count: Int) {
        var result = String.UnicodeScalarView()
        var count = 0
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let end = end(of: scalars, from: index)
            if end > index {
                result.append(contentsOf: scalars[index..<end])
                index = end
                continue
            }
            if scalars[index] == "?" {
                count += 1
                result.append(contentsOf: "$\(count)".unicodeScalars)
            } else {
                result.append(scalars[index])
            }
            index += 1
        }
        return (String(result), count)
    }

    /// The statement without the semicolon that may end it, before which and after which blanks and comments may stand.
    static func withoutLastSemicolon(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var last: Int?
        var index = 0
        while index < scalars.count {
            let end = end(of: scalars, from: index)
            let isComment = end > index && (scalars[index] == "-" || scalars[index] == "/")
            if !isComment, !scalars[index].properties.isWhitespace { last = index }
            index = max(end, index + 1)
        }
        guard let last, scalars[last] == ";" else { return text }
        var result = String.UnicodeScalarView(scalars[..<last])
        result.append(contentsOf: scalars[(last + 1)...])
        return String(result)
    }

    /// Where the text, name or comment ends that begins here; the same place if none does.
    private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int {
        func find(_ isEnd: (Int) -> Bool, length: Int, from first: Int) -> Int {
            var index = first
            while index < scalars.count {
                if isEnd(index) { return index + length }
                index += 1
            }
            return scalars.count
        }
        let next = start + 1 < scalars.count ? scalars[start + 1] : " "
        switch scalars[start] {
        case "'": return find({ scalars[$0] == "'" }, length: 1, from: start + 1)
        case "\"": return find({ scalars[$0] == "\"" }, length: 1, from: start + 1)
        case "-" where next == "-": return find({ scalars[$0] == "\n" }, length: 1, from: start + 2)
        case "/" where next == "*":
            return find(
                { $0 + 1 < scalars.count && scalars[$0] == "*" && scalars[$0 + 1] == "/" }, length: 2, from: start + 2)
        default: return start
        }
    }
}
