import Foundation
import Scripting

/// A script as it is named to the command: a file, a pipe, or `-` for standard input.
struct ScriptFile {
    let path: String
    /// No script is larger than this, in bytes.
    private static let largest = 16 << 20
    /// What errors call a script that comes from standard input.
    static let standardInputName = "stdin"

    init(_ path: String) {
        self.path = path
    }

    private var isStandardInput: Bool { path == "-" }
    private var name: String { isStandardInput ? Self.standardInputName : path }

    /// The script's text. What comes from standard input can require nothing, since it lies in no folder.
    ///
    /// - Throws: ``CommandFailure``: it is missing, cannot be read, or is not text.
    func source() throws -> ScriptSource {
        guard let text = String(validating: try bytes(), as: UTF8.self) else {
            throw CommandFailure(.scriptFailed, code: "syntax", message: "The script is not UTF-8 text.", file: name)
        }
        guard !isStandardInput else { return ScriptSource(text: text, name: name) }
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        return ScriptSource(text: text, name: name, folder: ScriptFolder(path: folder))
    }

    private func bytes() throws -> Data {
        guard isStandardInput || FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure.usage("There is no script \(path).")
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure.usage("\(path) is a folder; name a script in it.")
        }
        let handle = isStandardInput ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let handle, let data = try? handle.read(upToCount: Self.largest + 1) ?? Data() else {
            throw CommandFailure.usage("The script \(path) cannot be read.")
        }
        guard data.count <= Self.largest else {
            throw CommandFailure.usage("\(path) is larger than a script may be, which is \(Self.largest >> 20) MiB.")
        }
        return data
    }
}
