/// Brings the screen from one frame to the next, by writing the rows that differ.
///
/// It knows where the cursor stands relative to the first row it painted, and nothing of what is above.
struct ScreenPainter {
    private var shown = ScreenFrame()
    /// The first row of the statement that is shown, where it is taller than the screen.
    private var firstRow = 0
    private let write: (String) -> Void

    init(write: @escaping (String) -> Void) { self.write = write }

    /// Shows a statement with what stands below it.
    ///
    /// - Parameters:
    ///   - below: rows of hints and menus; of them too, only as many are shown as there is room for.
    ///   - height: the rows of the screen.
    mutating func paint(_ input: ScreenFrame, below: [ScreenRow], height: Int) {
        let room = max(1, height - min(below.count, max(0, height - 1)))
        // The window follows the cursor, and shows as much as there is.
        firstRow = min(firstRow, input.cursorRow, max(0, input.rows.count - room))
        firstRow = max(firstRow, input.cursorRow - room + 1, 0)
        var frame = ScreenFrame()
        frame.rows = Array(input.rows[firstRow..<min(input.rows.count, firstRow + room)])
        frame.rows += below.prefix(max(0, height - frame.rows.count))
        (frame.cursorRow, frame.cursorColumn) = (input.cursorRow - firstRow, input.cursorColumn)
        show(frame)
    }

    /// Leaves the whole statement on the screen, the cursor at the beginning of the row below it.
    mutating func finish(_ input: ScreenFrame) {
        var output = up(shown.cursorRow) + "\r"
        if firstRow == 0 && shown.rows.starts(with: input.rows) {
            // All of it is there already.
            output += down(input.rows.count - 1)
        } else {
            output += "\u{1B}[J" + input.rows.map(\.text).joined(separator: "\r\n")
        }
        write(output + "\r\n\u{1B}[J")
        forget()
    }

    /// Begins on a fresh row: what was shown is not ours any more.
    mutating func forget() {
        shown = ScreenFrame()
        firstRow = 0
    }

    /// After the width changed, the terminal has broken the rows anew: all is erased from the first one on.
    mutating func erase(width: Int) {
        var rows = 0
        for row in shown.rows.prefix(shown.cursorRow) { rows += max(1, (row.columns + width - 1) / max(1, width)) }
        rows += shown.cursorColumn / max(1, width)
        write(up(rows) + "\r\u{1B}[J")
        shown = ScreenFrame()
    }

    private mutating func show(_ frame: ScreenFrame) {
        var output = ""
        var row = shown.cursorRow
        for (index, new) in frame.rows.enumerated() {
            let isNew = index >= shown.rows.count
            if !isNew && shown.rows[index] == new { continue }
            // Below the last row there may be no other yet: a line feed makes one.
            let last = max(0, shown.rows.count - 1)
            if index > row && index > last {
                output +=
                    down(max(0, min(last, index) - row)) + String(repeating: "\r\n", count: index - max(last, row))
            } else {
                output += index >= row ? down(index - row) : up(row - index)
            }
            row = index
            output += "\r\u{1B}[K" + new.text
        }
        if frame.rows.count < shown.rows.count {
            let index = frame.rows.count
            output += (index >= row ? down(index - row) : up(row - index)) + "\r\u{1B}[J"
            row = index
        }
        output += frame.cursorRow >= row ? down(frame.cursorRow - row) : up(row - frame.cursorRow)
        output += "\r" + (frame.cursorColumn > 0 ? "\u{1B}[\(frame.cursorColumn)C" : "")
        shown = frame
        write(output)
    }

    private func up(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)A" : "" }
    private func down(_ count: Int) -> String { count > 0 ? "\u{1B}[\(count)B" : "" }
}
