import Foundation

/// A Markdown file of the project: its headings as the anchors of links, and the links it has.
struct MarkdownPage {
    struct Link: CustomStringConvertible {
        var page: String
        var line: Int
        var target: String
        var description: String { "\(page):\(line): \(target)" }
    }

    /// From the root of the package, as in `docs/repl.md`.
    var path: String
    var anchors: Set<String> = []
    var links: [Link] = []

    /// Reads the lines outside of fenced and indented code; what stands between backquotes is no link.
    init(path: String, text: String) {
        self.path = path
        var isCode = false
        var counts: [String: Int] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, !line.hasPrefix("    "), !line.hasPrefix("```") else { continue }
            if line.hasPrefix("#"), let title = line.firstIndex(where: { $0 != "#" }), line[title] == " " {
                let anchor = Self.anchor(of: line[title...])
                let earlier = counts[anchor, default: 0]
                counts[anchor] = earlier + 1
                anchors.insert(earlier == 0 ? anchor : "\(anchor)-\(earlier)")
            }
            links += Self.targets(in: line).map { Link(page: path, line: index + 1, target: $0) }
        }
    }

    /// The anchor that GitHub and most viewers give to a heading: letters, digits, hyphens and underscores.
    static func anchor(of heading: Substring) -> String {
        let words = heading.drop(while: { $0 == " " }).lowercased()
        return String(
            words.compactMap { character -> Character? in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_"
                    ? character : nil
            })
    }

    /// What the links of a line lead to: `[text](target)`, outside of backquotes.
    private static func targets(in line: Substring) -> [String] {
        guard line.contains("](") else { return [] }
        var targets: [String] = []
        var code = false
        var rest = line
        while let character = rest.first {
            rest = rest.dropFirst()
            if character == "`" { code.toggle() }
            // The text of a link may itself be code, as in [`docs/`](docs/README.md): its end is then outside of it.
            guard !code, character == "]", rest.first == "(" else { continue }
            let target = rest.dropFirst().prefix { $0 != ")" && $0 != " " }
            targets.append(String(target))
        }
        return targets
    }
}
