import Circulation
import Foundation
import Schedule
import TOMLKit

/// The jobs of a configuration: its tables `[[jobs]]`.
struct JobTable {
    /// The file, for messages.
    let file: String
    /// Its lines.
    private let lines: [Substring]
    private let table: TOMLTable

    init(_ table: TOMLTable, file: String) {
        self.table = table
        self.file = file
        let text = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// - Throws: ``CommandFailure`` with the file, the line, the job, the key and what was expected.
    func jobs() throws(CommandFailure) -> [ScheduledJob] {
        guard let value = table["jobs"] else { return [] }
        guard let array = value.array, array.allSatisfy({ $0.table != nil }) else {
            throw CommandFailure(
                .wrongUsage, code: "configuration",
                message: "'jobs' must be a list of tables, each begun by a line [[jobs]].", file: file,
                line: line(startingWith: "jobs", from: 0) ?? line(startingWith: "[jobs]", from: 0))
        }
        var jobs: [ScheduledJob] = []
        for (place, entry) in array.enumerated() {
            guard let table = entry.table else { continue }
            let reader = JobReader(
                table: table, file: file, place: place + 1, canMail: self.table["mail"] != nil,
                line: { line(of: $0, in: place) })
            let job = try reader.job()
            guard !jobs.contains(where: { $0.name == job.name }) else {
                throw reader.failure("name", "another job is called '\(job.name)' already")
            }
            jobs.append(job)
        }
        return jobs
    }

    /// Where a key of a job stands; its head where the key is not found.
    private func line(of key: String, in place: Int) -> Int? {
        var heads = lines.indices.filter { Self.words(lines[$0]).hasPrefix("[[jobs]]") }[...]
        guard place < heads.count else { return nil }
        heads = heads.dropFirst(place)
        guard let head = heads.first else { return nil }
        let end = lines[(head + 1)...].firstIndex { Self.words($0).hasPrefix("[") } ?? lines.endIndex
        let found = lines[head..<end].firstIndex { line in
            let words = Self.words(line)
            return ["\(key)=", "\"\(key)\"=", "'\(key)'="].contains { words.hasPrefix($0) }
        }
        return (found ?? head) + 1
    }

    private func line(startingWith text: String, from start: Int) -> Int? {
        lines[start...].firstIndex { Self.words($0).hasPrefix(text) }.map { $0 + 1 }
    }

    private static func words(_ line: Substring) -> String { line.filter { $0 != " " && $0 != "\t" } }
}
