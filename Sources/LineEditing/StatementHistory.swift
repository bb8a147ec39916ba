import Foundation

/// The statements of this session and of those before it, in a file that only its owner can read.
///
/// A line of the file is a statement; a line end in it is written as `\n`, a backslash as `\\`. Each statement is added as
/// it is entered, so that none is lost and sessions beside each other keep all of theirs.
struct StatementHistory {
    /// The latest last.
    private(set) var statements: [String] = []
    private let path: String?

    /// How many statements are kept between runs.
    static let size = 2_000

    /// - Parameter path: nil: nothing is kept.
    init(path: String?) {
        self.path = path
        guard let path, let data = FileManager.default.contents(atPath: path) else { return }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        // A file of libedit's, whose lines are written otherwise: it makes room, and stays.
        guard lines.first != "_HiStOrY_V2_" else {
            rename(path, path + ".libedit")
            return
        }
        for line in lines.suffix(StatementHistory.size) { append(StatementHistory.read(line)) }
        if lines.count > 2 * StatementHistory.size { rewrite(path) }
    }

    /// Keeps a statement; one that begins with a blank for this session alone.
    mutating func remember(_ statement: String) {
        guard append(statement), let path, statement.first != " " else { return }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let line = Array((StatementHistory.written(statement) + "\n").utf8)
        // One write for a line: those of other sessions stand before it or behind it.
        _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }

    @discardableResult
    private mutating func append(_ statement: String) -> Bool {
        guard !statement.isEmpty, statements.last != statement else { return false }
        statements.append(statement)
        return true
    }

    private func rewrite(_ path: String) {
        let text = statements.map { StatementHistory.written($0) + "\n" }.joined()
        let pending = path + ".new"
        let file = open(pending, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let bytes = Array(text.utf8)
        let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        if written == bytes.count { rename(pending, path) } else { unlink(pending) }
    }

    // MARK: - Finding

    /// The place of the latest statement before `place` that fits.
    func last(before place: Int, where fits: (String) -> Bool) -> Int? {
        statements.prefix(max(0, place)).lastIndex(where: fits)
    }

    /// The place of the first statement behind `place` that fits.
    func first(after place: Int, where fits: (String) -> Bool) -> Int? {
        place + 1 < statements.count ? statements[(place + 1)...].firstIndex(where: fits) : nil
    }

    // MARK: - Lines of the file

    private static func written(_ statement: String) -> String {
        statement.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func read(_ line: Substring) -> String {
        guard line.contains("\\") else { return String(line) }
        var text = ""
        var isEscaped = false
        for character in line {
            if isEscaped {
                text.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }
}
