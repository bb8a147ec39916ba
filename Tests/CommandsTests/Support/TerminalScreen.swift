/// What a terminal of the kind `xterm` shows, as far as line editors use one (ECMA-48, and xterm's private modes).
///
/// Lines that leave the screen at its top are kept, so that a test can read what went by.
struct TerminalScreen {
    private(set) var columns: Int
    private(set) var height: Int
    /// All lines ever shown, a cell for each column that was written; the second cell of a wide character is empty.
    private var cells: [[String]] = [[]]
    /// Where the visible part begins in ``cells``.
    private var top = 0
    /// The cursor's line, counted from the first line ever shown.
    private(set) var line = 0
    private(set) var column = 0
    /// Whether the program asked for pastes to be marked.
    private(set) var marksPastes = false
    /// A character stands in the last column; the next one goes to a new line.
    private var isAtMargin = false
    private var sequence = TerminalSequence()

    init(columns: Int, height: Int) {
        self.columns = columns
        self.height = height
    }

    /// The text of a line without blanks at its end; empty if there is none.
    func text(ofLine line: Int) -> String {
        guard cells.indices.contains(line) else { return "" }
        let text = cells[line].joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// The lines from one on, without empty ones at the end.
    func text(from first: Int = 0) -> String {
        var lines = (max(0, first)..<max(first, cells.count)).map(text(ofLine:))
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// The lines on the screen now.
    var visible: String { text(from: top) }

    mutating func resize(columns: Int) {
        self.columns = columns
        column = min(column, columns - 1)
        isAtMargin = false
    }

    /// Shows what a program wrote.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch sequence.take(byte) {
            case .nothing: break
            case .control(let control): act(on: control)
            case .scalar(let scalar): put(scalar)
            case .command(let letter, let parameters): act(on: letter, parameters)
            }
        }
    }

    // MARK: - Text

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = TerminalScreen.width(of: scalar)
        if width == 0 {
            if column > 0, cells[line].indices.contains(column - 1) {
                cells[line][column - 1].unicodeScalars.append(scalar)
            }
            return
        }
        if isAtMargin || column + width > columns {
            column = 0
            feed()
        }
        pad(to: column + width)
        cells[line][column] = String(scalar)
        if width == 2 { cells[line][column + 1] = "" }
        isAtMargin = column + width >= columns
        column = min(column + width, columns - 1)
    }

    private mutating func pad(to count: Int) {
        while cells[line].count < count { cells[line].append(" ") }
    }

    private mutating func feed() {
        isAtMargin = false
        line += 1
        while cells.count <= line { cells.append([]) }
        top = max(top, line - height + 1)
    }

    private mutating func act(on control: UInt8) {
        switch control {
        case 0x08:
            column = max(0, column - 1)
            isAtMargin = false
        case 0x09: move(to: (column / 8 + 1) * 8)
        case 0x0A: feed()
        case 0x0D: move(to: 0)
        default: break
        }
    }

    // MARK: - Commands

    private mutating func move(to column: Int) {
        self.column = min(max(0, column), columns - 1)
        isAtMargin = false
    }

    private mutating func move(toLine line: Int) {
        self.line = min(max(top, line), top + height - 1)
        while cells.count <= self.line { cells.append([]) }
        isAtMargin = false
    }

    private mutating func act(on letter: UInt8, _ parameters: String) {
        if parameters.hasPrefix("?") {
            if parameters == "?2004" { marksPastes = letter == UInt8(ascii: "h") }
            return
        }
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = numbers.first ?? 0
        let count = max(1, first)
        switch letter {
        case UInt8(ascii: "A"): move(toLine: line - count)
        case UInt8(ascii: "B"): move(toLine: line + count)
        case UInt8(ascii: "C"): move(to: column + count)
        case UInt8(ascii: "D"): move(to: column - count)
        case UInt8(ascii: "G"): move(to: count - 1)
        case UInt8(ascii: "H"):
            move(toLine: top + count - 1)
            move(to: (numbers.count > 1 ? max(1, numbers[1]) : 1) - 1)
        case UInt8(ascii: "J"): eraseBelow(all: first == 2)
        case UInt8(ascii: "K"): cells[line] = Array(cells[line].prefix(column))
        case UInt8(ascii: "P"): delete(count)
        case UInt8(ascii: "@"): insert(count)
        default: break
        }
    }

    private mutating func eraseBelow(all: Bool) {
        for below in (all ? top : line + 1)..<max(all ? top : line + 1, cells.count) { cells[below] = [] }
        if !all { cells[line] = Array(cells[line].prefix(column)) }
    }

    private mutating func delete(_ count: Int) {
        guard column < cells[line].count else { return }
        cells[line].removeSubrange(column..<min(cells[line].count, column + count))
    }

    private mutating func insert(_ count: Int) {
        pad(to: column)
        cells[line].insert(contentsOf: Array(repeating: " ", count: count), at: column)
        cells[line] = Array(cells[line].prefix(columns))
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.properties.generalCategory == .nonspacingMark { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
}

/// Takes a terminal's bytes apart: characters, controls, control sequences.
struct TerminalSequence {
    enum Part {
        case nothing
        case control(UInt8)
        case scalar(Unicode.Scalar)
        case command(UInt8, parameters: String)
    }

    private enum State {
        case text, escape, charset, parameters, string
    }

    private var state = State.text
    private var parameters = ""
    private var pending: [UInt8] = []

    mutating func take(_ byte: UInt8) -> Part {
        switch state {
        case .text: return text(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["):
                parameters = ""
                state = .parameters
            case UInt8(ascii: "]"): state = .string
            case UInt8(ascii: "("), UInt8(ascii: ")"): state = .charset
            default: state = .text
            }
        case .charset: state = .text
        case .string: if byte == 0x07 || byte == 0x5C { state = .text }
        case .parameters:
            if (0x40...0x7E).contains(byte) {
                state = .text
                return .command(byte, parameters: parameters)
            }
            parameters.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return .nothing
    }

    private mutating func text(_ byte: UInt8) -> Part {
        if byte == 0x1B {
            state = .escape
            return .nothing
        }
        if byte < 0x20 || byte == 0x7F { return .control(byte) }
        if byte < 0x80 { return .scalar(Unicode.Scalar(byte)) }
        // A character may come in two reads.
        pending.append(byte)
        let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : 2
        guard pending.count == length else { return .nothing }
        defer { pending.removeAll() }
        return .scalar(String(decoding: pending, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}")
    }
}
