import Desk
import TextFormats

/// One record as it was read: what it says, and what was found wrong with it. No record at all: it was rejected, or
/// says nothing of its own, as the head of an export.
struct ReadRecord {
    var records: [ImportedRecord]
    var problems: [ImportProblem]
    var isRepaired: Bool
    /// The file as it was named, and the line on which the record begins.
    var file: String
    var line: Int
    /// How it came about where a translator made it.
    var translation: Translation?
    /// The password of its patron, which is no part of the record: nothing that shows or compares records has it.
    var password: PlainPassword?

    var isRejected: Bool { problems.contains { $0.severity == .error } }
    /// Whether it is not a record of the library: the head of an export.
    var saysNothing: Bool { records.isEmpty && !isRejected }

    /// What the file calls a member of the record.
    func name(of member: String?) -> String? {
        guard let translation, let member else { return member }
        let named = translation.records.lazy.compactMap { $0[TranslatedSource.columnsMember]?[member]?.stringValue }
            .first
        if let named { return named }
        let values = translation.records.flatMap { ($0.objectValue ?? [:]).entries.map { $0.value[member] } }
        let column = values.lazy.compactMap { translation.column(of: $0) }.first ?? member
        return translation.path.isEmpty ? column : "\(translation.path).\(column)"
    }
}

extension ReadRecord {
    /// What it says, as JSON has records: without what only the library knows of them.
    var plainRecords: [JSON] {
        guard let translation else { return records.compactMap(\.plain) }
        return translation.records.compactMap { record in
            guard var object = record.objectValue, object["error"] == nil, object["warning"] == nil else { return nil }
            object[TranslatedSource.columnsMember] = nil
            return .object(object)
        }
    }
}

/// A file read record by record; memory depends on the longest record only.
protocol RecordSource {
    /// The next record, nil at the end.
    ///
    /// - Throws: ``ImportProblem`` if the file as a whole cannot be read on.
    mutating func next() throws -> ReadRecord?
    /// How many bytes of the file were read so far.
    var bytesRead: Int { get }
    /// What the file was found to be.
    var description: FileDescription { get }
}

/// Counts what passes through a source of bytes, for the progress bar.
final class CountingByteSource: ByteSource {
    private var source: FileByteSource
    private(set) var count = 0

    init(_ source: FileByteSource) {
        self.source = source
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let read = try source.read(into: buffer)
        count += read
        return read
    }
}
