import CEditLine
import Foundation

/// A line of text under a person's hands: editing, history, completion, over libedit.
///
/// One owner, one thread: reading blocks it.
package final class LineEditor: LineSource {
    private let editor: OpaquePointer
    private let history: OpaquePointer
    private let historyPath: String?
    private var prompt: UnsafeMutablePointer<CChar>
    private let complete: (_ line: String, _ cursor: Int) -> Completion
    private let marksPastes: Bool

    /// How many statements are kept between runs.
    package static let historySize = 2_000

    /// - Parameters:
    ///   - historyPath: the file that keeps statements between runs; nil: none does.
    ///   - complete: what can stand at the cursor, given the line and the cursor's offset in bytes.
    /// - Returns: nil if the terminal cannot be used.
    package init?(historyPath: String?, complete: @escaping (_ line: String, _ cursor: Int) -> Completion) {
        moonshelf_use_utf8()
        moonshelf_terminal_keep()
        guard let input = fdopen(STDIN_FILENO, "r"), let output = fdopen(STDOUT_FILENO, "w"),
            let error = fdopen(STDERR_FILENO, "w"), let editor = el_init("moonshelf", input, output, error),
            let history = history_init()
        else {
            moonshelf_terminal_restore()
            return nil
        }
        self.editor = editor
        self.history = history
        self.historyPath = historyPath
        self.complete = complete
        marksPastes = !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
        prompt = LineEditor.copy("")
        moonshelf_history_configure(history, Int32(LineEditor.historySize))
        if let historyPath { _ = moonshelf_history_load(history, historyPath) }
        moonshelf_el_set_context(editor, Unmanaged.passUnretained(self).toOpaque())
        moonshelf_el_set_prompt(editor) { editor in
            LineEditor.from(editor).map { UnsafePointer($0.prompt) }
        }
        moonshelf_el_set_history(editor, history)
        moonshelf_el_use_emacs_keys(editor)
        moonshelf_el_set_completion(editor) { editor, _ in
            LineEditor.from(editor)?.completeAtCursor() ?? UInt8(CC_ERROR)
        }
        moonshelf_el_keep_typed_ahead(editor)
        moonshelf_el_set_paste(editor)
    }

    deinit {
        el_end(editor)
        moonshelf_terminal_restore()
        history_end(history)
        prompt.deallocate()
    }

    package func next(prompt text: String) -> LineInput {
        prompt.deallocate()
        prompt = LineEditor.copy(text)
        var count: Int32 = 0
        var interrupted = false
        guard let bytes = moonshelf_el_read(editor, &count, &interrupted, marksPastes) else {
            print("")
            return interrupted ? .interrupted : .end
        }
        var line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
        while line.last == "\n" || line.last == "\r" || line.last == "\r\n" { line.removeLast() }
        return .line(line)
    }

    package func remember(_ statement: String) {
        _ = moonshelf_history_add(history, statement)
        guard let historyPath else { return }
        // Saved after each statement, so that a crash loses none; readable by its owner alone.
        let mask = umask(0o077)
        _ = moonshelf_history_save(history, historyPath)
        umask(mask)
    }

    package func statements(last count: Int) -> [String] {
        var statements: [String] = []
        var text = moonshelf_history_newest(history)
        while let found = text, statements.count < count {
            statements.append(String(cString: found))
            text = moonshelf_history_older(history)
        }
        return statements.reversed()
    }

    private func completeAtCursor() -> UInt8 {
        guard let info = el_line(editor)?.pointee, let buffer = info.buffer else { return UInt8(CC_ERROR) }
        let length = buffer.distance(to: info.lastchar)
        let line = String(decoding: UnsafeRawBufferPointer(start: buffer, count: length), as: UTF8.self)
        let completion = complete(line, buffer.distance(to: info.cursor))
        if !completion.insertion.isEmpty {
            return el_insertstr(editor, completion.insertion) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
        }
        guard completion.candidates.count > 1 else { return UInt8(CC_REFRESH_BEEP) }
        let width = Int(moonshelf_terminal_columns())
        print("\n" + completion.columns(width: width > 0 ? width : 80))
        fflush(nil)
        return UInt8(CC_REDISPLAY)
    }

    private static func from(_ editor: OpaquePointer?) -> LineEditor? {
        guard let editor, let context = moonshelf_el_context(editor) else { return nil }
        return Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        return copy
    }
}
