import Foundation
import Glibc

/// Where a worker writes down what it asks and what it is told, before it does anything else.
///
/// A line reaches the system in one call, so that the death of the worker takes none away; the machine itself is not
/// switched off here, so there is no wait for the disk.
final class Journal {
    private let file: Int32

    init(path: String) throws {
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TortureFailure("\(path) cannot be written") }
    }

    deinit {
        close(file)
    }

    func write(_ line: JournalLine) throws {
        let bytes = Array((line.text + "\n").utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw TortureFailure("a line of the journal could not be written")
        }
    }

    /// How many requests were answered up to now, according to a journal that may still be written.
    static func answers(path: String) throws -> Int {
        guard let data = FileManager.default.contents(atPath: path) else { return 0 }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix("done ") }
    }

    /// The lines of a journal, oldest first.
    ///
    /// - Throws: ``TortureFailure`` for a line that no worker writes; the last one alone may be cut short.
    static func read(path: String) throws -> [JournalLine] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var lines: [JournalLine] = []
        let rows = text.split(separator: "\n")
        for (index, row) in rows.enumerated() {
            guard let line = JournalLine(row) else {
                if index == rows.count - 1 && !text.hasSuffix("\n") { break }
                throw TortureFailure("\(path) holds a line that is none of a journal: \(row)")
            }
            lines.append(line)
        }
        return lines
    }
}
