import Foundation

/// A guide of the documentation, as what a reader does with it: files are written, commands typed, and what comes out is
/// held against what is shown.
///
/// A block is ` ```lua NAME ` (or `json`, `csv`), a file, also one in a folder; ` ```lua from NAME `, lines of a file that is there, or of one of
/// the project; or ` ```console `, commands behind `$ ` with what they print. Lines behind `moonshelf> ` are typed at the desk
/// that the command opened. A line `...` stands for any lines, and a line that ends with ` ...` for any that begins so.
struct Guide {
    private enum Step {
        case file(name: String, text: String)
        case part(name: String, text: String, line: Int)
        case command(words: [String], typed: [String], shown: [String], line: Int)
    }

    private var steps: [Step] = []
    /// What is wrong with the guide, before or while it is followed.
    private(set) var faults: [String] = []
    private(set) var commands = 0

    /// - Parameter text: Markdown.
    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var index = 0
        while index < lines.count {
            let opening = lines[index]
            index += 1
            guard opening.hasPrefix("```") else { continue }
            let start = index
            while index < lines.count, lines[index] != "```" { index += 1 }
            read(opening.dropFirst(3).split(separator: " ").map(String.init), lines[start..<min(index, lines.count)])
            index += 1
        }
    }

    private mutating func read(_ kind: [String], _ lines: ArraySlice<String>) {
        if kind.count == 2, ["lua", "json", "csv"].contains(kind[0]), !kind[1].contains("..") {
            steps.append(.file(name: kind[1], text: lines.joined(separator: "\n") + "\n"))
        } else if kind.count == 3, kind[0] == "lua", kind[1] == "from" {
            steps.append(.part(name: kind[2], text: lines.joined(separator: "\n") + "\n", line: lines.startIndex))
        } else if kind == ["console"], lines.first?.hasPrefix("$ moonshelf ") == true {
            var current: (words: [String], typed: [String], shown: [String], line: Int)?
            func finish() {
                guard let step = current else { return }
                steps.append(.command(words: step.words, typed: step.typed, shown: step.shown, line: step.line))
            }
            for (index, line) in zip(lines.indices, lines) {
                if line.hasPrefix("$ moonshelf ") {
                    finish()
                    current = (Guide.words(of: String(line.dropFirst(12))), [], [], index + 1)
                } else if line.hasPrefix("moonshelf> ") {
                    current?.typed.append(String(line.dropFirst(11)))
                } else {
                    current?.shown.append(line)
                }
            }
            finish()
        } else {
            faults.append("line \(lines.startIndex): a block that is neither a file nor commands")
        }
    }

    /// Follows the guide in a folder, at a moment that counts as now.
    mutating func follow(in folder: borrowing TemporaryFolder, now: String) throws {
        for step in steps {
            switch step {
            case .file(let name, let text):
                let file = folder.url.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            case .part(let name, let text, let line):
                let places = [folder.url, BuiltCommand.root].map { $0.appending(path: name) }
                let file = places.lazy.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.first
                if text.count < 3 || file?.contains(text) != true {
                    faults.append("line \(line): \(name) has no such lines")
                }
            case .command(let words, let typed, let shown, let line):
                commands += 1
                let input = typed.isEmpty ? nil : typed.joined(separator: "\n") + "\n"
                let result = try folder.command.run(["--now", now] + words, input: input)
                let output = Guide.lines(of: result.output + result.error)
                if !Guide.matches(shown.map(Guide.trimmed)[...], output[...]) {
                    let text = output.joined(separator: "\n")
                    faults.append("line \(line): moonshelf \(words.joined(separator: " ")) gave:\n\(text)")
                }
            }
        }
    }

    // MARK: - What is shown

    private static func lines(of text: String) -> [String] {
        // Spreadsheets want CR LF, which no page shows.
        let text = text.replacing("\r\n", with: "\n")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { trimmed(String($0)) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func matches(_ shown: ArraySlice<String>, _ lines: ArraySlice<String>) -> Bool {
        guard let first = shown.first else { return lines.isEmpty }
        if first == "..." {
            return (lines.startIndex...lines.endIndex).contains { matches(shown.dropFirst(), lines[$0...]) }
        }
        guard let line = lines.first else { return false }
        let isAlike = first.hasSuffix(" ...") ? line.hasPrefix(first.dropLast(3)) : line == first
        return isAlike && matches(shown.dropFirst(), lines.dropFirst())
    }

    /// The words of a command line; quotation marks hold several together.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap { $0 }
    }
}
