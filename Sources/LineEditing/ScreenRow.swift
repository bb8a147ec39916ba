import TextFormats

/// A row of the terminal: its text with renditions, and how many columns it takes.
struct ScreenRow: Hashable, Sendable {
    private(set) var text = ""
    private(set) var columns = 0
    private var rendition = ""

    init() {}

    /// A row of one rendition, cut off where the terminal ends.
    init(_ text: String, rendition: String = "", width: Int) {
        append(DisplayWidth.clipped(text, to: width), rendition)
        finish()
    }

    mutating func append(_ text: String, _ rendition: String = "") {
        if rendition != self.rendition {
            if !self.rendition.isEmpty { self.text += "\u{1B}[0m" }
            if !rendition.isEmpty { self.text += "\u{1B}[\(rendition)m" }
            self.rendition = rendition
        }
        self.text += text
        columns += DisplayWidth.of(text)
    }

    /// Ends the last rendition.
    mutating func finish() {
        if !rendition.isEmpty { text += "\u{1B}[0m" }
        rendition = ""
    }
}

/// What stands on the screen while a statement is edited.
struct ScreenFrame: Hashable, Sendable {
    /// Those of the statement, then those of hints and menus.
    var rows: [ScreenRow] = []
    var cursorRow = 0
    var cursorColumn = 0
}

/// Lays a statement out in rows as wide as the terminal.
struct InputLayout {
    var prompt: String
    /// What stands in front of the further lines; as wide as the prompt.
    var continuation: String
    var width: Int
    var colours: InputColours

    func frame(of characters: [Character], cursor: Int) -> ScreenFrame {
        var frame = ScreenFrame()
        var row = ScreenRow()
        row.append(prompt, colours.isOn ? InputColours.prompt : "")
        func feed(_ start: String = "") {
            row.finish()
            frame.rows.append(row)
            row = ScreenRow()
            row.append(start, colours.isOn ? InputColours.continuation : "")
        }
        let renditions = colours.renditions(of: characters, cursor: cursor)
        for (index, character) in characters.enumerated() {
            let shown = InputLayout.shown(character)
            let columns = DisplayWidth.of(shown)
            if character != "\n" && row.columns + columns > width && row.columns > 0 { feed() }
            if index == cursor { (frame.cursorRow, frame.cursorColumn) = (frame.rows.count, row.columns) }
            if character == "\n" { feed(continuation) } else { row.append(shown, renditions[index]) }
        }
        if row.columns >= width { feed() }
        if cursor >= characters.count { (frame.cursorRow, frame.cursorColumn) = (frame.rows.count, row.columns) }
        // On the last column stands what follows; the cursor is in the next row, which may be this line's end alone.
        if frame.cursorColumn >= width { frame.cursorColumn = max(0, width - 1) }
        row.finish()
        frame.rows.append(row)
        return frame
    }

    /// A tab as it is read, and a sign for what has no place on a screen.
    private static func shown(_ character: Character) -> String {
        if character == "\t" { return "    " }
        let text = String(character)
        return DisplayWidth.of(text) == 0 ? "\u{B7}" : text
    }
}
