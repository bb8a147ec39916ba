import ArgumentParser
import Foundation
import LuaSyntax
import TextFormats

/// The argument parser's message about a wrong usage, with suggestions of near names.
enum ParserWords {
    static func text(for error: any Error, columns: Int) -> String {
        let text = Moonshelf.fullMessage(for: error, columns: columns)
        guard !Moonshelf.exitCode(for: error).isSuccess else { return text }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first else { return text }
        let path = command(named: text)
        if let word = quoted(in: first, behind: "Unexpected argument ")
            ?? quoted(in: first, behind: "unexpected arguments: ")
        {
            if let meant = subcommand(for: word, in: path) { lines[0] = "\(first). Did you mean '\(meant)'?" }
        } else if let option = quoted(in: first, behind: "Unknown option ") {
            let plain = first.components(separatedBy: ". Did you mean").first ?? first
            lines[0] = plain + (self.option(for: option, in: path).map { ". Did you mean '\($0)'?" } ?? "")
        }
        return lines.joined(separator: "\n")
    }

    private static func quoted(in line: String, behind words: String) -> String? {
        let parts = line.components(separatedBy: words + "'")
        return parts.count > 1 ? parts[1].components(separatedBy: "'").first : nil
    }

    /// The command whose usage a message shows, with its parent commands.
    private static func command(named text: String) -> [CommandDescription] {
        guard var found = try? CommandDescription.program() else { return [] }
        var path = [found]
        let usage = text.components(separatedBy: "Usage: ").dropFirst().first ?? ""
        for word in usage.split(whereSeparator: \.isWhitespace).dropFirst() {
            guard let next = found.subcommands.first(where: { $0.name == word }) else { break }
            found = next
            path.append(next)
        }
        return path
    }

    /// The command that a word probably means: one that may stand there, or one that belongs elsewhere.
    private static func subcommand(for word: String, in path: [CommandDescription]) -> String? {
        guard let command = path.last, !command.subcommands.isEmpty, let program = path.first else { return nil }
        func words(_ names: [String]) -> String { names.joined(separator: " ") }
        let here = path.map(\.name)
        if let near = NameSuggestion.nearest(to: word, among: command.subcommands.map(\.name) + ["help"]) {
            return words(here + [near])
        }
        var elsewhere: [String: [String]] = [:]
        for outer in program.subcommands {
            for inner in outer.subcommands where elsewhere[inner.name] == nil {
                elsewhere[inner.name] = [program.name, outer.name, inner.name]
            }
            if here.count > 1 { elsewhere[outer.name] = [program.name, outer.name] }
        }
        if let exact = elsewhere[word] { return words(exact) }
        return NameSuggestion.nearest(to: word, among: elsewhere.keys.sorted()).flatMap { elsewhere[$0] }.map(words)
    }

    /// Options as other programs call them.
    private static let elsewhere: [String: [String]] = [
        "--port": ["--http"], "--host": ["--http"], "--bind": ["--http"], "--listen": ["--http"],
        "--address": ["--http"],
        "--db": ["--store"], "--database": ["--store"], "--url": ["--store"],
        "--out": ["--output"], "--file": ["--output"], "--type": ["--format", "--kind"], "--date": ["--now"],
        "--at": ["--now"], "--permit": ["--allow"], "--grant": ["--allow"],
    ]

    private static func option(for word: String, in path: [CommandDescription]) -> String? {
        let name = word.components(separatedBy: "=").first ?? word
        let names = Set((path.last?.arguments ?? []).flatMap(\.names) + (path.first?.arguments ?? []).flatMap(\.names))
        if let known = elsewhere[name]?.first(where: names.contains) { return known }
        let long = names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        let bare = String(name.drop { $0 == "-" })
        guard bare.count > 1 else { return nil }
        return NameSuggestion.nearest(to: bare, among: long.sorted()).map { "--\($0)" }
    }
}
