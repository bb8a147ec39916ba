import Foundation
import LineEditing
import Reports
import Scripting
import TextFormats

/// Statements into files and back.
extension Repl {
    // MARK: - :edit

    /// Opens a file in the editor, which is then loaded, or the last statement, which then stands at the prompt.
    func edit(_ words: SessionWords) -> ScriptFailure? {
        guard isInteractive, let lines else { return fault("':edit' needs a terminal.") }
        if let path = words.words.first {
            if let failure = runEditor(path) { return failure }
            return FileManager.default.fileExists(atPath: path) ? load(words) : nil
        }
        let folder = NSTemporaryDirectory() + "moonshelf-" + UUID().uuidString
        let path = folder + "/statement.lua"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let last = lines.statements(last: 100).last { !$0.hasPrefix(":") } ?? ""
            try Data((last + "\n").utf8).write(to: URL(filePath: path))
            if let failure = runEditor(path) { return failure }
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            lines.propose(Repl.trimmed(text))
            return nil
        } catch {
            return fault("The statement cannot be written for the editor: \(error.localizedDescription)")
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text.replacing("\r\n", with: "\n")
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private func runEditor(_ path: String) -> ScriptFailure? {
        let environment = ProcessInfo.processInfo.environment
        let editor = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "editor"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // As other programs do: the variable may hold arguments; the path is one word whatever is in it.
        process.arguments = ["-c", "exec \(editor) \"$1\"", "sh", path]
        let status: Int32? = lendingTerminal {
            let former = signal(SIGINT, SIG_IGN)
            defer { signal(SIGINT, former) }
            guard (try? process.run()) != nil else { return nil }
            process.waitUntilExit()
            return process.terminationStatus
        }
        return status == 0 ? nil : fault("The editor '\(SafeText.line(editor))' failed; $EDITOR names another.")
    }

    // MARK: - :save

    /// Writes what was done as a script that can be run.
    func save(_ words: SessionWords) -> ScriptFailure? {
        guard let path = words.words.first else { return fault("Name a file: ':save FILE'.") }
        let ending = URL(filePath: path).pathExtension.lowercased()
        guard ending.isEmpty || ending == "lua" else {
            return fault("A script's file ends in .lua; \(SafeText.line(path)) ends in .\(SafeText.line(ending)).")
        }
        let script = session.script(parses: evaluator.parses)
        guard script.kept > 0 else {
            return fault("Nothing was done in this session yet that a script could do again.")
        }
        let isOurs = saved.contains(path)
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (isOurs ? O_TRUNC : O_EXCL)
        let file = open(path, flags, 0o600)
        guard file >= 0 else {
            return fault(
                errno == EEXIST
                    ? "\(SafeText.line(path)) is there already; name another file."
                    : "\(SafeText.line(path)) cannot be written: \(String(cString: strerror(errno))).")
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        guard (try? handle.write(contentsOf: Data(script.text.utf8))) != nil else {
            return fault("\(SafeText.line(path)) could not be written whole.")
        }
        saved.insert(path)
        let kept = script.kept == 1 ? "1 statement is" : "\(script.kept) statements are"
        let leftOut = script.leftOut == 0 ? "" : " \(script.leftOut) left out, as comments."
        tell("\(kept) in \(SafeText.line(path)).\(leftOut)")
        return nil
    }
}
