import LineEditing
import LuaSyntax
import Scripting

/// The part of a line on which an error came up, as far as its words tell.
struct ErrorMark {
    /// The line as a terminal may show it.
    let line: String
    /// What stands below it: `^~~~`.
    let marker: String

    /// - Parameters:
    ///   - line: from 1.
    /// - Returns: nil where only the line is known.
    init?(_ failure: ScriptFailure, line number: Int, of text: String) {
        guard
            let place = failure.code == "syntax"
                ? Self.syntax(failure, text) : Self.quotedName(failure.message, line: number, of: text),
            place.line == number,
            let excerpt = SourceExcerpt(
                of: SourceText(Array(text.utf8)), line: number, column: place.column, endColumn: place.end)
        else { return nil }
        line = excerpt.line
        marker = excerpt.marker
    }

    private typealias Place = (line: Int, column: Int, end: Int)

    /// Where Lua's own grammar breaks off: as an expression, which is tried first, or as statements.
    private static func syntax(_ failure: ScriptFailure, _ text: String) -> Place? {
        for prefix in ["", "return "] {
            do {
                _ = try LuaParser.parse(prefix + text, chunk: "input", skipsFirstLineComment: false)
            } catch {
                guard failure.message.contains(error.message) else { continue }
                let shift = error.position.line == 1 ? prefix.count : 0
                let column = error.position.column - shift
                return (error.position.line, column, column + 1)
            }
        }
        return nil
    }

    /// The name that a message quotes first, if the line has it.
    private static func quotedName(_ message: String, line number: Int, of text: String) -> Place? {
        let parts = message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let name = String(parts[1])
        let characters = Array(text)
        let found = InputScanner.tokens(characters).first { token in
            let isSame = token.text == name || token.stringContent == name
            return isSame && characters[..<token.range.lowerBound].count { $0 == "\n" } == number - 1
        }
        guard let found else { return nil }
        let start = characters[..<found.range.lowerBound].lastIndex(of: "\n").map { $0 + 1 } ?? 0
        func column(_ end: Int) -> Int { String(characters[start..<end]).unicodeScalars.count + 1 }
        return (number, column(found.range.lowerBound), column(found.range.upperBound))
    }
}
