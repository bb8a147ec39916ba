/// The text of a message in its pieces: words, `{name}` for a value, `<1>` and `</1>` for an element of the page.
struct MessageText {
    enum Piece: Hashable {
        case words(String)
        case value(String)
        case opening(Int)
        case closing(Int)

        /// The piece as catalogues write it.
        var written: String {
            switch self {
            case .words(let words): words
            case .value(let name): "{\(name)}"
            case .opening(let number): "<\(number)>"
            case .closing(let number): "</\(number)>"
            }
        }
    }

    let pieces: [Piece]

    init(_ text: String) {
        var pieces: [Piece] = []
        var words = ""
        var rest = Substring(text)
        while let first = rest.first {
            if let (piece, end) = Self.mark(at: rest) {
                if !words.isEmpty { pieces.append(.words(words)) }
                words = ""
                pieces.append(piece)
                rest = rest[end...]
            } else {
                words.append(first)
                rest.removeFirst()
            }
        }
        if !words.isEmpty { pieces.append(.words(words)) }
        self.pieces = pieces
    }

    /// A mark at the beginning of a text, and where it ends.
    private static func mark(at text: Substring) -> (Piece, Substring.Index)? {
        let (closer, inside): (Character, Substring) =
            switch text.first {
            case "{": ("}", text.dropFirst())
            case "<": (">", text.dropFirst())
            default: (" ", "")
            }
        guard closer != " ", let end = inside.firstIndex(of: closer) else { return nil }
        let name = inside[..<end]
        let after = inside.index(after: end)
        if closer == "}" {
            let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
            return isName ? (.value(String(name)), after) : nil
        }
        if name.hasPrefix("/"), let number = Int(name.dropFirst()) { return (.closing(number), after) }
        return Int(name).map { (.opening($0), after) }
    }

    /// The values and elements of a text, for comparison with a translation.
    var marks: [String] {
        pieces.compactMap { if case .words = $0 { nil } else { $0.written } }.sorted()
    }

    /// What is wrong with a translation of this text; nil: nothing.
    ///
    /// - Parameter mayOmit: whether values may be left out: of one of several forms for counts, which may say "one" in words.
    func fault(ofTranslation translation: MessageText, mayOmit: Bool = false) -> String? {
        let (own, others) = (Set(marks), Set(translation.marks))
        if let extra = others.subtracting(own).min() { return "the English text has no \(extra)" }
        if !mayOmit, let missing = own.subtracting(others).min() { return "\(missing) is missing" }
        var open: [Int] = []
        for piece in translation.pieces {
            switch piece {
            case .opening(let number): open.append(number)
            case .closing(let number):
                guard open.popLast() == number else {
                    return "</\(number)> stands before its <\(number)>, or across another"
                }
            default: break
            }
        }
        return open.isEmpty ? nil : "<\(open[0])> is not closed"
    }
}
