package import Circulation
package import Foundation

/// The Lua files that one command reads, each once: what is checked, tested and put into force is the same, whatever
/// becomes of the files meanwhile.
///
/// It belongs to the command that made it and forgets nothing; to read the files again, make another one.
package final class SourceFiles {
    /// The most bytes of a file.
    package static let maximumSize = 16 << 20

    private let reading: (String) throws -> Data
    private var found: [String: Result<Data, PolicyFailure>] = [:]

    /// - Parameter reading: gives the bytes of a file, at most one more than ``maximumSize``.
    package init(reading: @escaping (String) throws -> Data = SourceFiles.bytes) {
        self.reading = reading
    }

    /// The bytes of a file of the disk, or of a pipe.
    package static func bytes(at path: String) throws -> Data {
        // At the end of a file, which is all of an empty one, there is nothing to read.
        try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: maximumSize + 1) ?? Data()
    }

    /// The text of a file.
    ///
    /// - Parameters:
    ///   - name: what a failure calls the file.
    ///   - maximumSize: the most bytes that it may have.
    /// - Throws: ``PolicyFailure`` with the codes `not_found`, `too_large`, `syntax` (no text).
    package func text(
        at path: String, named name: String, maximumSize: Int = SourceFiles.maximumSize
    ) throws(PolicyFailure) -> String {
        var data = Data()
        do {
            data = try bytes(at: path).get()
        } catch {
            throw PolicyFailure(code: error.code, message: error.message, file: name)
        }
        guard data.count <= maximumSize else {
            throw PolicyFailure(code: "too_large", message: "a file may have \(maximumSize) bytes", file: name)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw PolicyFailure(code: "syntax", message: "the file is not UTF-8 text", file: name)
        }
        return text
    }

    private func bytes(at path: String) -> Result<Data, PolicyFailure> {
        let key = URL(fileURLWithPath: path).standardizedFileURL.path
        if let known = found[key] { return known }
        let result = Result { try reading(path) }.mapError { _ in
            PolicyFailure(code: "not_found", message: SourceFiles.fault(at: path), file: path)
        }
        found[key] = result
        return result
    }

    private static func fault(at path: String) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no such file"
        }
        return isFolder.boolValue ? "it is a folder, not a file" : "the file cannot be read"
    }
}
