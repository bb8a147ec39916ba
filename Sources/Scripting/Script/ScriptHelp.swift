import LuaSyntax

/// What `--help` of a script says: its first comment, and the arguments it declares.
package enum ScriptHelp {
    package static func text(of source: ScriptSource, parameters: [ScriptParameter]) -> String {
        text(of: source.name, firstComment(of: source.text), parameters: parameters)
    }

    /// The help of something that takes arguments.
    package static func text(of name: String, _ comment: [String], parameters: [ScriptParameter]) -> String {
        var lines = [name]
        if !comment.isEmpty { lines += [""] + comment }
        if parameters.isEmpty {
            lines += ["", "It declares no arguments."]
        } else {
            lines += ["", "Arguments:"] + parameters.map(\.usage)
        }
        return lines.joined(separator: "\n")
    }

    /// The lines of the comment with which a script begins, without their dashes.
    package static func firstComment(of text: String) -> [String] {
        let source = SourceText(text)
        var lines: [String] = []
        for line in (1...source.lineCount).lazy.compactMap({ source.line($0) }) {
            if lines.isEmpty && (line.hasPrefix("#") || line.allSatisfy(\.isWhitespace)) { continue }
            guard line.hasPrefix("--"), !line.hasPrefix("--[[") else { break }
            let body = line.drop { $0 == "-" }
            lines.append(String(body.first == " " ? body.dropFirst() : body))
        }
        return lines
    }
}
