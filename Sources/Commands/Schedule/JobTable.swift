import Circulation
import Foundation
import Schedule
import TOMLKit

/// The jobs of a configuration: its tables `[[jobs]]`.
struct JobTable {
    private let file: ConfigurationFile
    private let table: TOMLTable

    /// - Throws: ``CommandFailure`` where the file cannot be understood.
    init(_ file: ConfigurationFile) throws(CommandFailure) {
        self.file = file
        table = try file.table()
    }

    /// - Throws: ``CommandFailure`` with the file, the line, the job, the key and what was expected.
    func jobs() throws(CommandFailure) -> [ScheduledJob] {
        guard let value = table["jobs"] else { return [] }
        guard let array = value.array, array.allSatisfy({ $0.table != nil }) else {
            throw CommandFailure(
                .wrongUsage, code: "configuration",
                message: "'jobs' must be a list of tables, each begun by a line [[jobs]].", file: file.name,
                line: line(startingWith: "jobs", from: 0) ?? line(startingWith: "[jobs]", from: 0))
        }
        var jobs: [ScheduledJob] = []
        for (place, entry) in array.enumerated() {
            guard let table = entry.table else { continue }
            let reader = JobReader(
                table: table, file: file.name, place: place + 1, canMail: self.table["mail"] != nil,
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
        var heads = file.lines.indices.filter { ConfigurationFile.words(file.lines[$0]).hasPrefix("[[jobs]]") }[...]
        guard place < heads.count else { return nil }
        heads = heads.dropFirst(place)
        guard let head = heads.first else { return nil }
        let end =
            file.lines[(head + 1)...].firstIndex { ConfigurationFile.words($0).hasPrefix("[") } ?? file.lines.endIndex
        return (file.line(of: key, from: head, to: end) ?? head) + 1
    }

    private func line(startingWith text: String, from start: Int) -> Int? {
        file.lines[start...].firstIndex { ConfigurationFile.words($0).hasPrefix(text) }.map { $0 + 1 }
    }
}
