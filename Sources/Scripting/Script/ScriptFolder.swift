package import Circulation
import Foundation
import LuaRuntime

/// The folder of a script, from which `require` takes files: `x.lua` or `lib/x.lua`, never one outside of it. It is on the
/// disk, or kept in a store with a plugin.
package struct ScriptFolder: Sendable {
    /// No file larger than this is read.
    private static let largest = 1 << 20

    private enum Place {
        case disk(URL)
        /// Texts by the names of their files.
        case kept([String: String])
    }

    private let place: Place

    /// - Parameter path: an existing folder.
    package init(path: String) {
        place = .disk(URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath().standardizedFileURL)
    }

    /// - Parameter files: texts by the names of their files.
    package init(files: [String: String]) {
        place = .kept(files)
    }

    /// The text of a required file, and its name for errors.
    ///
    /// - Throws: `LuaHostError` for a name that is none, and a file that is not there or leads out of the folder.
    package func source(of name: String) throws -> (source: String, chunk: String) {
        guard ScriptFolder.isName(name) else {
            throw LuaHostError(
                "require: '\(APIText.quotable(name))' is not a name of a file (letters, digits, _ and dots)")
        }
        let path = name.replacing(".", with: "/")
        for relative in ["\(path).lua", "lib/\(path).lua"] {
            switch place {
            case .kept(let files):
                if let text = files[relative] { return (text, relative) }
            case .disk(let root):
                let file = root.appendingPathComponent(relative)
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                return (try text(of: file, as: relative, in: root), relative)
            }
        }
        throw LuaHostError("require: there is no \(path).lua beside the script, and none in lib")
    }

    /// Whether a name can be that of a policy's file in a folder: `town.lua`, `lib/town.lua`.
    package static func isPolicyFile(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.hasSuffix(".lua") && name.utf8.count <= 200
            && parts.allSatisfy { !["", ".", "..", ".lua"].contains($0) && !$0.contains("\0") }
    }

    /// The policy in a file of the folder, with what it requires from where it stands.
    ///
    /// - Throws: ``PolicyFailure``: `not_found`, `bad_require` for a file that leads out of the folder, and as for any policy.
    package func policy(_ name: String) throws(PolicyFailure) -> ParsedPolicy {
        let missing = PolicyFailure(code: "not_found", message: "there is no \(name) beside the tests", file: name)
        guard ScriptFolder.isPolicyFile(name) else { throw missing }
        switch place {
        case .kept(let files):
            guard let source = files[name] else { throw missing }
            let folder = name.split(separator: "/").dropLast().map { "\($0)/" }.joined()
            return try ParsedPolicy(name: name, source: source) { files[folder + $0] }
        case .disk(let root):
            let file = root.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { throw missing }
            guard Self.lies(file.resolvingSymlinksInPath().standardizedFileURL, in: root) else {
                throw PolicyFailure(code: "bad_require", message: "\(name) leads out of the tests' folder", file: name)
            }
            return try ParsedPolicy(file: file.path)
        }
    }

    /// The real path is what counts: a symbolic link must not lead out of the folder.
    private static func lies(_ real: URL, in root: URL) -> Bool {
        real.path.hasPrefix(root.path.hasSuffix("/") ? root.path : root.path + "/")
    }

    private func text(of file: URL, as relative: String, in root: URL) throws -> String {
        let real = file.resolvingSymlinksInPath().standardizedFileURL
        guard Self.lies(real, in: root) else {
            throw LuaHostError("require: \(relative) lies outside of the script's folder")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: real.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = attributes?[.size] as? Int, size <= ScriptFolder.largest,
            let data = FileManager.default.contents(atPath: real.path),
            let text = String(data: data, encoding: .utf8)
        else { throw LuaHostError("require: \(relative) is not a text file of at most 1 MB") }
        return text
    }

    /// `[A-Za-z_][%w_.]*` in Lua's words, without an empty part.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (first | 0x20) &- 0x61 < 26 || first == 0x5F, name.utf8.count <= 200,
            !name.hasSuffix("."), !name.contains("..")
        else { return false }
        return name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F || $0 == 0x2E }
    }
}
