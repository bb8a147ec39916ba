import TextFormats

/// Leafs through lines that are more than a screen: on the terminal's other screen, so that the session stays as it is.
struct Pager {
    private let lines: [String]
    /// The names of columns with the rule under them, which stay where they are.
    private let header: [String]
    private let isColoured: Bool
    private var first = 0
    private var page = 20
    /// The text that is looked for, while it is typed and after.
    private var query = ""
    private var isTyping = false
    private var notice = ""

    static let opening = "\u{1B}[?1049h\u{1B}[?25l"
    static let closing = "\u{1B}[?25h\u{1B}[?1049l"

    init(lines: [String], isColoured: Bool) {
        let isTable =
            lines.count > 2 && lines[1].drop { !"-".contains($0) && lines[1].first == "\u{1B}" }.hasPrefix("--")
        header = isTable ? Array(lines.prefix(2)) : []
        self.lines = Array(lines.dropFirst(header.count))
        self.isColoured = isColoured
    }

    /// The whole screen.
    mutating func screen(width: Int, height: Int) -> String {
        page = max(1, height - 1 - header.count)
        first = max(0, min(first, lines.count - page))
        let last = min(lines.count, first + page)
        var text = "\u{1B}[H"
        for line in header + lines[first..<last] { text += "\u{1B}[K" + line + "\r\n" }
        let place = "lines \(first + 1)-\(last) of \(lines.count)"
        let status =
            isTyping
            ? "/" + query : "\(place)\(notice.isEmpty ? "" : "  \(notice)")  Space: on, b: back, /: find, q: leave"
        let shown = DisplayWidth.clipped(SafeText.line(status), to: max(1, width - 1))
        return text + "\u{1B}[J" + (isColoured ? "\u{1B}[7m\(shown)\u{1B}[0m" : shown)
    }

    /// - Returns: false to leave.
    mutating func take(_ key: Key) -> Bool {
        if isTyping { return type(key) }
        notice = ""
        switch key {
        case .text("q"), .control("c"), .control("d"), .escape: return false
        case .text(" "), .pageDown, .text("f"), .control("f"):
            if first + page >= lines.count { notice = "(end)" }
            first += page
        case .text("b"), .pageUp, .control("b"): first -= page
        case .enter, .down, .text("j"): first += 1
        case .up, .text("k"): first -= 1
        case .home, .text("g"): first = 0
        case .end, .text("G"): first = lines.count
        case .text("/"): (query, isTyping) = ("", true)
        case .text("n"): find()
        default: break
        }
        return true
    }

    private mutating func type(_ key: Key) -> Bool {
        switch key {
        case .text(let text), .paste(let text): query += text
        case .backspace: query = String(query.dropLast())
        case .enter:
            isTyping = false
            find()
        case .escape, .control("c"), .control("g"): isTyping = false
        default: break
        }
        return true
    }

    private mutating func find() {
        let wanted = query.lowercased()
        guard !wanted.isEmpty, first + 1 < lines.count,
            let found = lines[(first + 1)...].firstIndex(where: { $0.lowercased().contains(wanted) })
        else {
            notice = "(not found)"
            return
        }
        first = found
    }
}
