import Foundation

/// The text of a configuration, for errors with line numbers.
struct ConfigurationText {
    private let lines: [Substring]

    init(_ file: String) {
        let data = FileManager.default.contents(atPath: file) ?? Data()
        lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The line of a key of a table, or of a text within its value; the table's head if the key is not found.
    func line(of key: String, in table: String, near text: String? = nil) -> Int? {
        guard let head = lines.firstIndex(where: { Self.words($0).hasPrefix("[\(table)]") }) else {
            return lines.firstIndex { Self.words($0).hasPrefix("\(table).\(key)=") }.map { $0 + 1 }
        }
        let end = lines[(head + 1)...].firstIndex { Self.isHead($0) } ?? lines.endIndex
        let found = lines[head..<end].firstIndex { line in
            ["\(key)=", "\"\(key)\"=", "'\(key)'="].contains { Self.words(line).hasPrefix($0) }
        }
        guard let found, let text else { return (found ?? head) + 1 }
        let near = lines[found..<end].firstIndex { $0.contains("\"\(text)\"") || $0.contains("'\(text)'") }
        return (near ?? found) + 1
    }

    /// Whether a table begins here; the lines of a list may begin with brackets, too.
    private static func isHead(_ line: Substring) -> Bool {
        words(line).prefixMatch(of: /\[\[?[A-Za-z0-9_."'-]+\]\]?(#.*)?$/) != nil
    }

    private static func words(_ line: Substring) -> String { line.filter { !$0.isWhitespace } }
}
