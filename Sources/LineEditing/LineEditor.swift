import CTerminal
import Foundation
import TextFormats

/// A statement under a person's hands: editing, history, completion, colours, hints.
///
/// One owner, one thread: reading blocks it. `docs/decisions/0017-a-line-editor-of-our-own.md` says why it is our own.
package final class LineEditor: LineSource {
    /// What the editor asks of the session during typing.
    package struct Session {
        /// What can stand at the cursor, given the text in front of it.
        package var complete: (_ head: String) -> Completion
        /// What is known about the call in which the cursor stands.
        package var hint: (_ head: String) -> InputHint?
        /// Whether Enter ends the statement, or goes on to another line of it.
        package var isComplete: (_ statement: String) -> Bool
        /// The names that are coloured.
        package var knownNames: Set<String>

        package init(
            complete: @escaping (_ head: String) -> Completion, hint: @escaping (_ head: String) -> InputHint?,
            isComplete: @escaping (_ statement: String) -> Bool, knownNames: Set<String>
        ) {
            self.complete = complete
            self.hint = hint
            self.isComplete = isComplete
            self.knownNames = knownNames
        }
    }

    let session: Session
    let colours: InputColours
    var history: StatementHistory
    var buffer = EditBuffer()
    var painter = ScreenPainter { text in
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { moonshelf_terminal_write($0.baseAddress, $0.count) }
        }
    }
    var menu: CompletionMenu?
    var search: HistorySearch?
    /// The statement of the history that is shown, nil for the one that is being typed.
    var place: Int?
    /// What was typed before the history was gone through: statements that begin with it are shown.
    var draft = ""
    private var prompt = ""
    private var decoder = KeyDecoder()
    /// Keys that were typed ahead.
    private var keys: [Key] = []
    private var proposed: String?
    /// - Parameter historyPath: the file that keeps statements between runs; nil: none does.
    /// - Returns: nil if the terminal cannot be used.
    package init?(historyPath: String?, usesColour: Bool, session: Session) {
        let terminal = ProcessInfo.processInfo.environment["TERM"] ?? ""
        guard !["", "dumb"].contains(terminal), moonshelf_terminal_keep() else { return nil }
        self.session = session
        colours = InputColours(known: session.knownNames, isOn: usesColour)
        history = StatementHistory(path: historyPath)
        moonshelf_terminal_run()
    }

    deinit { moonshelf_terminal_restore() }

    // MARK: - As a source of lines

    package func next(prompt: String, idleLimit: Int32?) -> LineInput {
        self.prompt = prompt
        begin()
        moonshelf_terminal_edit()
        write("\u{1B}[?2004h")
        defer {
            write("\u{1B}[?2004l")
            moonshelf_terminal_run()
        }
        while true {
            if !keys.isEmpty {
                if let input = handle(keys.removeFirst()) { return input }
                continue
            }
            paint()
            if let input = wait(idleLimit) { return input }
        }
    }

    package func remember(_ statement: String) { history.remember(statement) }

    package func statements(last count: Int) -> [String] { history.statements.suffix(count) }

    package func lend<Result>(_ body: () throws -> Result) rethrows -> Result {
        moonshelf_terminal_restore()
        defer { moonshelf_terminal_run() }
        return try body()
    }

    package func propose(_ statement: String) { proposed = statement }

    package func forgetTypedAhead() { keys = [] }

    package func page(_ lines: [String]) -> Bool {
        guard lines.count > height - 2, height > 4 else { return false }
        moonshelf_terminal_edit()
        defer { moonshelf_terminal_run() }
        var pager = Pager(lines: lines, isColoured: colours.isOn)
        write(Pager.opening)
        defer { write(Pager.closing) }
        while true {
            write(pager.screen(width: width, height: height))
            while keys.isEmpty {
                switch read(milliseconds: decoder.isUndecided ? LineEditor.patience : -1) {
                case MOONSHELF_TERMINAL_NOTHING.rawValue: if let key = decoder.decide() { keys.append(key) }
                case MOONSHELF_TERMINAL_RESIZED.rawValue: write(pager.screen(width: width, height: height))
                case MOONSHELF_TERMINAL_INTERRUPTED.rawValue, MOONSHELF_TERMINAL_END.rawValue: return true
                default: break
                }
            }
            if !pager.take(keys.removeFirst()) { return true }
        }
    }

    // MARK: - Keys

    /// After an ESC, how long the rest of a key's sequence may take.
    private static let patience: Int32 = 50

    /// Reads what was typed.
    ///
    /// - Returns: its bytes, or an event of the terminal.
    private func read(milliseconds: Int32) -> Int32 {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = moonshelf_terminal_read(&bytes, Int32(bytes.count), milliseconds)
        if count > 0 { keys += bytes.prefix(Int(count)).compactMap { decoder.take($0) } }
        return count
    }

    private func wait(_ idleLimit: Int32?) -> LineInput? {
        switch read(milliseconds: decoder.isUndecided ? LineEditor.patience : idleLimit ?? -1) {
        case MOONSHELF_TERMINAL_NOTHING.rawValue:
            guard let key = decoder.decide() else {
                _ = drop()
                return .idle
            }
            keys.append(key)
        case MOONSHELF_TERMINAL_RESIZED.rawValue: painter.erase(width: width)
        case MOONSHELF_TERMINAL_INTERRUPTED.rawValue: return drop()
        case MOONSHELF_TERMINAL_END.rawValue: return leave()
        default: break
        }
        return nil
    }

    private func begin() {
        buffer = EditBuffer(proposed ?? "")
        proposed = nil
        menu = nil
        search = nil
        place = nil
        draft = ""
    }

    /// What was typed is let go.
    func drop() -> LineInput {
        menu = nil
        search = nil
        keys = []
        finish()
        return .interrupted
    }

    func leave() -> LineInput {
        finish()
        return .end
    }

    func submit() -> LineInput {
        finish()
        return .line(buffer.text)
    }

    func suspend() {
        finish()
        moonshelf_terminal_restore()
        moonshelf_terminal_stop()
        moonshelf_terminal_edit()
    }

    func clearScreen() {
        write("\u{1B}[H\u{1B}[2J")
        painter.forget()
    }

    func beep() { write("\u{07}") }

    // MARK: - Showing

    var width: Int {
        let columns = Int(moonshelf_terminal_columns())
        return columns > 0 ? columns : 80
    }

    private var height: Int {
        let rows = Int(moonshelf_terminal_rows())
        return rows > 0 ? rows : 24
    }

    private func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { moonshelf_terminal_write($0.baseAddress, $0.count) }
        }
    }

    private func frame(cursor: Int) -> ScreenFrame {
        let continuation = String(repeating: " ", count: max(0, DisplayWidth.of(prompt) - 4)) + "..> "
        let layout = InputLayout(prompt: prompt, continuation: continuation, width: width, colours: colours)
        return layout.frame(of: buffer.characters, cursor: cursor)
    }

    private func finish() {
        painter.finish(frame(cursor: -1))
    }

    private func paint() {
        var frame = frame(cursor: buffer.cursor)
        let rows = below
        if let rest = suggestion?.prefix(while: { $0 != "\n" }), !rest.isEmpty, frame.cursorColumn < width - 1 {
            let room = width - frame.cursorColumn - 1
            frame.rows[frame.cursorRow].append(DisplayWidth.clipped(SafeText.line(String(rest)), to: room), "2")
            frame.rows[frame.cursorRow].finish()
        }
        painter.paint(frame, below: rows, height: height)
    }

    /// What stands under the statement.
    private var below: [ScreenRow] {
        if let search { return [search.row(width: width, isColoured: colours.isOn)] }
        if let menu { return menu.rows(width: width, isColoured: colours.isOn) }
        guard height >= 8, !buffer.isEmpty else { return [] }
        return session.hint(buffer.head)?.rows(width: width, isColoured: colours.isOn) ?? []
    }

    /// How the latest statement goes on that begins with what stands here.
    ///
    /// Faint behind the cursor; a key takes it over. Without colours it would look like typed text.
    var suggestion: Substring? {
        guard colours.isOn, search == nil, menu == nil, place == nil, buffer.isAtEnd, buffer.characters.count > 2
        else { return nil }
        let text = buffer.text
        guard let found = history.last(before: history.statements.count, where: { $0.hasPrefix(text) && $0 != text })
        else { return nil }
        return history.statements[found].dropFirst(text.count)
    }
}
