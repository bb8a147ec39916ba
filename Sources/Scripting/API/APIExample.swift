import LuaSyntax

/// A piece of Lua and what comes of it in the sample library; a test runs each and compares.
package struct APIExample: Hashable, Sendable {
    package let code: String
    /// What it gives, as the desk writes Lua values; empty for nothing.
    package let result: String
    /// What it prints and reports, as a terminal shows it, and what it logs, with the level; empty for nothing.
    package let shown: String

    package init(_ code: String, _ result: String = "", shows shown: String = "") {
        self.code = code
        self.result = result
        self.shown = shown
    }

    /// The example as a reader finds it: a statement a line, its result behind `-->`, what it shows behind `--|`.
    package var lines: [String] {
        var lines = statements
        if !result.isEmpty, let last = lines.popLast() { lines.append("\(last)  --> \(result)") }
        return lines
            + shown.split(separator: "\n", omittingEmptySubsequences: false).filter { _ in !shown.isEmpty }
            .map { $0.isEmpty ? "--|" : "--| \($0)" }
    }

    /// The statements of the code; an expression is one piece.
    private var statements: [String] {
        guard (try? LuaParser.parse("return \(code)", chunk: "example")) == nil,
            let chunk = try? LuaParser.parse(code, chunk: "example")
        else { return [code] }
        let bytes = Array(code.utf8)
        let starts = chunk.block.statements.map(\.range.start.offset)
        return zip(starts, starts.dropFirst() + [bytes.count]).map { start, end in
            var statement = bytes[start..<end]
            while statement.last == UInt8(ascii: " ") { statement.removeLast() }
            return String(decoding: statement, as: UTF8.self)
        }
    }

    /// Examples below each other; those of several lines stand apart.
    package static func text(of examples: [APIExample], indent: String = "") -> String {
        var lines: [String] = []
        var isApart = false
        for (index, example) in examples.enumerated() {
            let own = example.lines
            if index > 0, isApart || own.count > 1 { lines.append("") }
            isApart = own.count > 1
            lines += own.map { indent + $0 }
        }
        return lines.joined(separator: "\n")
    }
}
