import Foundation
import Reports
import Scripting

extension Repl {
    /// What can stand at the cursor.
    ///
    /// - Parameter cursor: its offset in bytes.
    package func complete(_ line: String, _ cursor: Int) -> Completion {
        let head = String(decoding: line.utf8.prefix(cursor), as: UTF8.self)
        guard head.hasPrefix(":") else { return names(head) }
        guard let blank = head.firstIndex(of: " ") else { return Completion(typed: head, among: commands.map(\.word)) }
        let command = commands.first { $0.word == head[..<blank] }
        let rest = head[blank...].drop { $0 == " " }
        switch command?.completing ?? .nothing {
        case .nothing: return .none
        case .names: return names(head)
        case .files: return Repl.files(rest)
        case .words(let words):
            guard let after = rest.lastIndex(of: " ") else { return Completion(typed: String(rest), among: words) }
            return Repl.files(rest[rest.index(after: after)...])
        }
    }

    private func names(_ head: String) -> Completion {
        let word = String(head.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.reversed())
        guard !word.isEmpty else { return .none }
        return Completion(typed: word, among: KnownNames.script.completions(of: word))
    }

    /// The Lua files and folders that begin with a path.
    private static func files(_ typed: some StringProtocol) -> Completion {
        let text = String(typed)
        let folder = text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        let paths = names.filter { !$0.hasPrefix(".") && SafeText.line($0) == $0 }.compactMap { name -> String? in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder + name, isDirectory: &isFolder) else { return nil }
            return isFolder.boolValue ? folder + name + "/" : name.hasSuffix(".lua") ? folder + name : nil
        }
        return Completion(typed: text, among: paths)
    }
}
