import Foundation
import TextFormats

/// Translations in a temporary file, which is gone with this.
final class KeptTranslations {
    private let file: FileHandle
    private var bytes: [UInt8] = []
    private var reader: JSONArrayReader<FileByteSource>?

    /// - Throws: what the system says where no temporary file can be made.
    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "moonshelf-import-\(UUID().uuidString)")
        let descriptor = open(path.path(percentEncoded: false), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        try? FileManager.default.removeItem(at: path)
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ translation: Translation) throws {
        bytes += translation.json.text().utf8
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count > 1 << 16 { try flush() }
    }

    /// From now on it is read.
    func rewind() throws {
        try flush()
        try file.seek(toOffset: 0)
        reader = JSONArrayReader(
            source: FileByteSource(takingOver: dup(file.fileDescriptor), name: "the translated rows"),
            maximumElementLength: 1 << 28)
    }

    func next() throws -> Translation? { try reader?.next().map { Translation($0.value) } }

    private func flush() throws {
        try file.write(contentsOf: bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
