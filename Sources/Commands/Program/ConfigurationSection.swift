import Circulation
import Foundation
import Outbound
import TOMLKit
import TextFormats

/// A table of `moonshelf.toml`, read key by key; keys that remain in the end are unknown.
struct ConfigurationSection {
    private(set) var name: String
    private let file: ConfigurationFile
    private let table: TOMLTable
    private var known: [String] = []

    /// - Returns: nil if the configuration has no such table.
    init?(_ name: String, of configuration: TOMLTable, file: ConfigurationFile) throws(CommandFailure) {
        guard let value = configuration[name] else { return nil }
        guard let table = value.table else {
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: "'\(name)' must be a table: [\(name)].",
                file: file.name)
        }
        self.name = name
        self.file = file
        self.table = table
    }

    /// A table within a table: `[webhooks.courier]`.
    ///
    /// - Throws: ``CommandFailure`` where it is none.
    init?(_ name: String, under parent: String, of table: TOMLTable, file: ConfigurationFile) throws(CommandFailure) {
        try self.init(name, of: table, file: file)
        self.name = "\(parent).\(name)"
    }

    /// - Parameter text: the element of a list that is at fault.
    func fault(_ key: String, _ words: String, near text: String? = nil) -> CommandFailure {
        CommandFailure(
            .wrongUsage, code: "configuration", message: "'\(name).\(key)' \(words).", file: file.name,
            line: file.line(of: key, in: name, near: text))
    }

    mutating func text(_ key: String) throws(CommandFailure) -> String? {
        known.append(key)
        guard let value = table[key] else { return nil }
        guard let text = value.string, !text.isEmpty else { throw fault(key, "must be a text") }
        return text
    }

    mutating func needed(_ key: String) throws(CommandFailure) -> String {
        guard let text = try text(key) else { throw fault(key, "is missing") }
        return text
    }

    /// A list of texts; empty if it is missing.
    mutating func texts(_ key: String) throws(CommandFailure) -> [String] {
        known.append(key)
        guard let value = table[key] else { return [] }
        let texts = value.array?.map(\.string) ?? [nil]
        guard !texts.contains(nil) else { throw fault(key, "must be a list of texts") }
        return texts.compactMap(\.self)
    }

    mutating func number(_ key: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        known.append(key)
        guard let value = table[key] else { return nil }
        guard let number = value.int, range.contains(number) else {
            throw fault(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func flag(_ key: String) throws(CommandFailure) -> Bool? {
        known.append(key)
        guard let value = table[key] else { return nil }
        guard let flag = value.bool else { throw fault(key, "must be true or false") }
        return flag
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ type: Choice.Type
    ) throws(CommandFailure) -> Choice? {
        guard let text = try text(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw fault(key, "must be one of \(words)")
        }
        return choice
    }

    mutating func party(_ key: String) throws(CommandFailure) -> MailParty? {
        guard let text = try text(key) else { return nil }
        guard let party = MailParty(text) else {
            throw fault(key, "must be an address, such as \"City Library <desk@example.org>\"")
        }
        // Every mail has it.
        guard !party.address.isInternational else {
            throw fault(key, "must have ASCII letters alone before the @, or many a mail server takes no mail from it")
        }
        return party
    }

    /// `quiet_hours`, from one time of day to another.
    mutating func quietHours() throws(CommandFailure) -> QuietHours? {
        guard let text = try text("quiet_hours") else { return nil }
        guard let hours = QuietHours(parsing: text) else {
            throw fault("quiet_hours", "must be two times of day, such as \"21:00-08:00\"")
        }
        return hours
    }

    /// The path of a file, from the folder of the configuration on.
    mutating func file(_ key: String) throws(CommandFailure) -> String? {
        guard let path = try text(key) else { return nil }
        let folder = URL(filePath: file.name).deletingLastPathComponent()
        return URL(filePath: path, relativeTo: folder).path(percentEncoded: false)
    }

    /// A secret from the environment or, without one, from the first line of a file. It is never shown.
    mutating func secret(_ key: String, _ given: String?) throws(CommandFailure) -> [UInt8]? {
        let path = try file(key)
        if let given, !given.isEmpty { return Array(given.utf8) }
        guard let path else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw fault(key, "names \(path), which cannot be read")
        }
        let line = data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw fault(key, "names \(path), whose first line is empty") }
        return Array(line)
    }

    /// - Throws: for an unknown key.
    func finish() throws(CommandFailure) {
        for key in table.keys where !known.contains(key) {
            let words = known.listed(by: "or")
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: "Unknown key '\(name).\(key)'; expected \(words).",
                file: file.name, line: file.line(of: key, in: name))
        }
    }
}
