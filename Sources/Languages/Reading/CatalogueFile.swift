import TextFormats

/// A catalogue of messages as GNU gettext writes it (`de.po`): what it says of itself, and each English text with its
/// translation.
package struct CatalogueFile: Sendable {
    /// A text with its translation.
    package struct Entry: Hashable, Sendable {
        /// The English text.
        package var identifier: String
        /// The English text for several.
        package var severalIdentifier: String?
        /// The translation, or one for each form of the language's numbers; empty: not translated.
        package var translations: [String]
        /// The line of the file in which it begins, from 1.
        package var line: Int
        /// Whether its translator marked it as uncertain; such a translation is not used.
        package var isFuzzy: Bool
    }

    /// What is wrong with a file.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let file: String
        /// From 1.
        package let line: Int
        package let message: String

        package var description: String { "\(file):\(line): \(message)" }
    }

    /// The fields of its head: `Language`, `Plural-Forms` and others.
    package let head: [String: String]
    package let entries: [Entry]

    /// - Parameters:
    ///   - text: the file's content.
    ///   - file: its name, for messages.
    /// - Throws: ``Fault`` with the first line that cannot be read.
    package init(_ text: String, file: String) throws(Fault) {
        var reader = Reader(file: file)
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            try reader.read(Substring(line).drop(while: \.isWhitespace), number)
        }
        try reader.finish(number)
        var entries = reader.entries
        var head: [String: String] = [:]
        if let first = entries.first, first.identifier.isEmpty {
            entries.removeFirst()
            for field in (first.translations.first ?? "").split(separator: "\n") {
                guard let colon = field.firstIndex(of: ":") else { continue }
                head[String(field[..<colon])] = String(field[field.index(after: colon)...].drop(while: \.isWhitespace))
            }
        }
        self.head = head
        self.entries = entries
    }

    /// Reads line after line.
    private struct Reader {
        private enum Part: Hashable {
            case identifier, several
            case translation(Int)
        }

        private(set) var entries: [Entry] = []
        private let file: String
        private var entry: Entry?
        private var part: Part?
        private var isFuzzy = false
        private var seen: [String: Int] = [:]

        init(file: String) { self.file = file }

        private func fault(_ line: Int, _ message: String) -> Fault { Fault(file: file, line: line, message: message) }

        mutating func read(_ line: Substring, _ number: Int) throws(Fault) {
            if line.isEmpty { return }
            if line.hasPrefix("#") {
                // What follows belongs to the next entry; obsolete entries (#~) are passed over.
                if line.hasPrefix("#,"), line.contains("fuzzy") { isFuzzy = true }
                return
            }
            if line.hasPrefix("\"") { return try append(try quoted(line, number), number) }
            let name = line.prefix { !$0.isWhitespace }
            let text = try quoted(line.dropFirst(name.count).drop(while: \.isWhitespace), number)
            switch name {
            case "msgid":
                try finish(number)
                entry = Entry(identifier: "", translations: [], line: number, isFuzzy: isFuzzy)
                isFuzzy = false
                part = .identifier
            case "msgid_plural":
                guard part == .identifier else { throw fault(number, "msgid_plural stands without msgid before it") }
                entry?.severalIdentifier = ""
                part = .several
            case "msgstr":
                guard entry != nil else { throw fault(number, "msgstr stands without msgid before it") }
                try begin(0, number)
            case _ where name.hasPrefix("msgstr[") && name.hasSuffix("]"):
                guard let form = Int(name.dropFirst(7).dropLast()), (0..<10).contains(form) else {
                    throw fault(number, "msgstr has a number from 0 to 9 in brackets")
                }
                try begin(form, number)
            default:
                throw fault(
                    number,
                    "\"\(SafeText.line(String(name.prefix(40))))\" is none of msgid, msgid_plural, msgstr, \"…\" and #")
            }
            try append(text, number)
        }

        private mutating func begin(_ form: Int, _ number: Int) throws(Fault) {
            guard entry != nil, entry?.translations.count == form else {
                throw fault(number, "the forms of msgstr follow msgid, counted from 0")
            }
            entry?.translations.append("")
            part = .translation(form)
        }

        private mutating func append(_ text: String, _ number: Int) throws(Fault) {
            switch part {
            case .identifier?: entry?.identifier += text
            case .several?: entry?.severalIdentifier? += text
            case .translation(let form)?: entry?.translations[form] += text
            case nil: throw fault(number, "a text stands without msgid or msgstr before it")
            }
        }

        mutating func finish(_ number: Int) throws(Fault) {
            guard let entry else { return }
            self.entry = nil
            part = nil
            guard !entry.translations.isEmpty else {
                throw fault(number, "the msgid of line \(entry.line) has no msgstr")
            }
            if let first = seen[entry.identifier] {
                throw fault(entry.line, "this msgid stands in line \(first) already")
            }
            seen[entry.identifier] = entry.line
            entries.append(entry)
        }

        /// The text of a literal with its escapes.
        private func quoted(_ text: Substring, _ number: Int) throws(Fault) -> String {
            let trimmed = text.reversed().drop(while: \.isWhitespace)
            guard text.first == "\"", trimmed.first == "\"", trimmed.count > 1 else {
                throw fault(number, "a text stands between two quotation marks \"")
            }
            var result = ""
            var isEscaped = false
            for character in text.dropFirst().dropLast(text.count - trimmed.count + 1) {
                if isEscaped {
                    isEscaped = false
                    switch character {
                    case "n": result.append("\n")
                    case "t": result.append("\t")
                    case "\\", "\"": result.append(character)
                    default: throw fault(number, "\\\(character) is none of \\n, \\t, \\\\ and \\\"")
                    }
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    throw fault(number, "a quotation mark within a text is written \\\"")
                } else {
                    result.append(character)
                }
            }
            if isEscaped { throw fault(number, "the text ends with a single \\") }
            return result
        }
    }

    /// A text as a literal of such a file.
    package static func literal(_ text: String) -> String {
        var literal = "\""
        for character in text {
            switch character {
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case "\\", "\"": literal += "\\\(character)"
            default: literal.append(character)
            }
        }
        return literal + "\""
    }
}
