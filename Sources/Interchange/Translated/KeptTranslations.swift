import TextFormats

/// Translations in a temporary file, which is gone with this.
final class KeptTranslations {
    private let file: UnnamedFile
    private var bytes: [UInt8] = []
    private var reader: JSONArrayReader<FileByteSource>?

    /// - Throws: what the system says where no temporary file can be made.
    init() throws {
        file = try UnnamedFile()
    }

    func append(_ translation: Translation) throws {
        bytes += translation.json.text().utf8
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count > 1 << 16 { try flush() }
    }

    /// From now on it is read.
    func rewind() throws {
        try flush()
        reader = JSONArrayReader(
            source: try FileByteSource(path: file.path), maximumElementLength: 1 << 28)
    }

    func next() throws -> Translation? { try reader?.next().map { Translation($0.value) } }

    private func flush() throws {
        try file.append(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
