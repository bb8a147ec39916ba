import Foundation
import TOMLKit

/// `moonshelf.toml` as a process found it.
///
/// A process reads it once; a schedule, whose jobs may be changed while it runs, reads it anew.
struct ConfigurationFile: Sendable {
    static let defaultName = "moonshelf.toml"

    /// The path by which it was found, or would be.
    let name: String
    let lines: [Substring]
    private let text: String

    /// - Parameters:
    ///   - path: the file of `--config`; nil: `moonshelf.toml` in this folder, which need not exist.
    ///   - isRequired: whether the file has to exist; nil: if it was named.
    /// - Throws: ``CommandFailure`` where a file that has to exist cannot be read.
    init(_ path: String?, isRequired: Bool? = nil) throws(CommandFailure) {
        name = path ?? Self.defaultName
        let data = FileManager.default.contents(atPath: name)
        guard data != nil || !(isRequired ?? (path != nil)) else {
            throw CommandFailure(.wrongUsage, code: "usage", message: "There is no configuration \(name).")
        }
        text = String(decoding: data ?? Data(), as: UTF8.self)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// What it says; empty if there is no file.
    ///
    /// - Throws: ``CommandFailure`` with the line.
    func table() throws(CommandFailure) -> TOMLTable {
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: error.description, file: name,
                line: Int(error.source.begin.line))
        } catch {
            throw CommandFailure(.wrongUsage, code: "configuration", message: "\(error)", file: name)
        }
    }

    // MARK: - Lines, for errors

    /// The line of a key of a table, or of a text within its value; the table's head if the key is not found.
    func line(of key: String, in table: String, near text: String? = nil) -> Int? {
        guard let head = lines.firstIndex(where: { Self.words($0).hasPrefix("[\(table)]") }) else {
            return lines.firstIndex { Self.words($0).hasPrefix("\(table).\(key)=") }.map { $0 + 1 }
        }
        let end = lines[(head + 1)...].firstIndex { Self.isHead($0) } ?? lines.endIndex
        let found = line(of: key, from: head, to: end)
        guard let found, let text else { return (found ?? head) + 1 }
        let near = lines[found..<end].firstIndex { $0.contains("\"\(text)\"") || $0.contains("'\(text)'") }
        return (near ?? found) + 1
    }

    /// Where a line sets a key; an index of ``lines``.
    func line(of key: String, from start: Int, to end: Int) -> Int? {
        lines[start..<end].firstIndex { line in
            ["\(key)=", "\"\(key)\"=", "'\(key)'="].contains { Self.words(line).hasPrefix($0) }
        }
    }

    /// Whether a table begins here; the lines of a list may begin with brackets, too.
    private static func isHead(_ line: Substring) -> Bool {
        words(line).prefixMatch(of: /\[\[?[A-Za-z0-9_."'-]+\]\]?(#.*)?$/) != nil
    }

    /// A line without its blanks.
    static func words(_ line: Substring) -> String { line.filter { !$0.isWhitespace } }
}
