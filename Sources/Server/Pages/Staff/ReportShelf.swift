import Circulation
import Desk
import Foundation
import LuaRuntime
import Plugins
import Scripting
import Synchronization

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

/// The folder of the library's scripts, of which those are reports that need nothing but to read, and the reports of
/// plugins of which that is so.
struct ReportShelf {
    private let folder: String?
    private let plugins: [PluginReport]

    /// - Throws: what the store throws.
    init(_ folder: String?, at desk: Desk, clock: any Clock) throws {
        self.folder = folder
        let pool = PluginPool(desk: desk, clock: clock) { RecordedOutput() }
        plugins = try desk.read { try pool.reports(in: $0) }.filter(\.onlyReads)
    }

    /// Of scripts without the ending `.lua`, by the alphabet; then those of plugins.
    var names: [String] {
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        return files.filter { $0.hasSuffix(".lua") }.map { String($0.dropLast(4)) }.filter { source($0) != nil }
            .sorted() + plugins.map(\.part.description)
    }

    /// Runs a report.
    func run(
        _ name: String, _ source: ScriptSource, at desk: Desk, clock: any Clock, options: ScriptOptions
    ) -> ScriptResult {
        if let report = plugins.first(where: { $0.part.description == name }) {
            return report.run(at: desk, clock: { clock.now() }, output: RecordedOutput(), options: options)
        }
        return ScriptRunner(desk: desk, clock: { clock.now() }, output: RecordedOutput()).run(source, options: options)
    }

    /// A report; nil for a name that is none, and for a script that asks to change something.
    func source(_ name: String) -> ScriptSource? {
        if let report = plugins.first(where: { $0.part.description == name }) { return report.source }
        guard Self.isName(name), let folder, let text = Self.text(URL(filePath: folder).appending(path: name + ".lua"))
        else {
            return nil
        }
        let source = ScriptSource(text: text, name: name + ".lua", folder: ScriptFolder(path: folder))
        guard let needs = try? ScriptRunner.needs(of: source), !needs.contains(where: \.writes) else { return nil }
        return source
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 100
            && name.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
            }
    }

    /// A script; nil for one that is longer than any that would be run.
    private static func text(_ file: URL) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: LuaProfile.script.maximumSourceSize + 1),
            data.count <= LuaProfile.script.maximumSourceSize
        else { return nil }
        return String(data: data, encoding: .utf8)
    }
}

// MARK: - Saving

extension ReportShelf {
    /// So many scripts lie in the folder at most.
    private static let most = 1_000

    /// Whether the server may write into the folder.
    static func canSave(in folder: String?) -> Bool {
        folder.map { FileManager.default.isWritableFile(atPath: $0) } ?? false
    }

    /// Puts a script into the folder, under a name that is free.
    ///
    /// - Throws: ``Problem`` for a name that is none or is taken, and where the folder cannot be written.
    static func save(_ script: String, as name: String, in folder: String?) throws {
        guard isName(name), !name.hasSuffix("_test") else {
            throw Problem.input(
                "A name can only have lowercase letters, digits and underscores, and at most 100 of "
                    + "them.", argument: "name")
        }
        guard let folder, canSave(in: folder) else {
            throw Problem.input("The server is not allowed to write to its reports folder.", argument: "name")
        }
        let count = try FileManager.default.contentsOfDirectory(atPath: folder).count
        guard count < most else {
            throw Problem.input(
                "There are already \(count) files in the reports folder, and no room for more.", argument: "name")
        }
        let file = URL(filePath: folder).appending(path: name + ".lua")
        // Nothing that is there is ever written over, a link neither.
        let descriptor = open(
            file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            guard errno == EEXIST else {
                throw Problem.input("The server is not allowed to write to its reports folder.", argument: "name")
            }
            throw Problem.input(
                "There is already a report with that name. Please choose another one.", argument: "name")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(script.utf8))
            try handle.close()
        } catch {
            unlink(file.path(percentEncoded: false))
            throw error
        }
    }
}
