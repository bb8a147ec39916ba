import Circulation
import Desk
import Foundation
import LuaRuntime
import Scripting
import Synchronization

/// One report that is run for a page: it can read, and no more, and not for ever.
struct ReportRun {
    let source: ScriptSource
    let desk: Desk
    let clock: any Clock
    let turn: ReportTurn

    /// As much of the processor's time as nobody at the desk would wait longer for.
    private static let limits = LuaLimits(memory: 128 << 20, deadline: .seconds(20))

    /// What the report declares; nothing of it is run beyond that.
    ///
    /// - Throws: `CapabilityError`; `LuaSyntaxError` if the text is no Lua.
    func declared() throws -> ScriptResult { try run(["--help"]) }

    /// - Parameter words: as the command line would have them.
    /// - Throws: ``Problem`` while another one is made.
    func result(_ words: [String]) throws -> ScriptResult {
        guard turn.begin() else {
            throw Problem(
                503, "busy", "Another report is being made just now; try again in a moment.",
                fields: ["Retry-After": "5"])
        }
        defer { turn.end() }
        return try run(words)
    }

    private func run(_ words: [String]) throws -> ScriptResult {
        // What it needs was looked at before it came off the shelf.
        let options = ScriptOptions(
            granted: try ScriptRunner.needs(of: source), arguments: words, limits: Self.limits)
        let runner = ScriptRunner(desk: desk, clock: { [clock] in clock.now() }, output: RecordedOutput())
        return runner.run(source, options: options)
    }
}

/// Reports are made one after another, so that they leave the desk its threads.
package final class ReportTurn: Sendable {
    private let isTaken = Mutex(false)

    /// Whether it is one's own now.
    func begin() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func end() { isTaken.withLock { $0 = false } }
}

/// The folder of the library's scripts, of which those are reports that need nothing but to read.
struct ReportShelf {
    private let folder: String?

    init(_ folder: String?) {
        self.folder = folder
    }

    /// Without the ending `.lua`, by the alphabet.
    var names: [String] {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        return files.filter { $0.hasSuffix(".lua") }.map { String($0.dropLast(4)) }.filter { source($0) != nil }
            .sorted()
    }

    /// A report; nil for a name that is none, and for a script that asks to change something.
    func source(_ name: String) -> ScriptSource? {
        let isName =
            !name.isEmpty && name.utf8.count <= 100
            && name.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
            }
        guard isName, let folder,
            let text = try? String(contentsOf: URL(filePath: folder).appending(path: name + ".lua"), encoding: .utf8)
        else { return nil }
        let source = ScriptSource(text: text, name: name + ".lua", folder: ScriptFolder(path: folder))
        guard let needs = try? ScriptRunner.needs(of: source), !needs.contains(where: \.writes) else { return nil }
        return source
    }
}
