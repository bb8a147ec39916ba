package import Desk
import Foundation

/// What a scheduler passes to the process of a run, in an environment variable.
package struct JobAssignment: Hashable, Sendable, Codable {
    private var run: Int64
    private var owner: String
    private var tries: Int64
    /// The scheduler's process: as long as it is there, it sees to the time limit.
    package var parent: Int32
    /// In seconds.
    package var timeLimit: Int64
    /// Of processor time, in seconds.
    package var processorLimit: Int64?
    /// In bytes.
    package var addressSpace: Int64
    package var report: String?

    /// The variable.
    package static let variable = "MOONSHELF_JOB"

    package init(_ ticket: JobTicket, parent: Int32, of job: ScheduledJob, report: String?) {
        (run, owner, tries) = (ticket.run, ticket.owner, ticket.tries)
        self.parent = parent
        timeLimit = job.timeLimit
        processorLimit = job.processorLimit
        addressSpace = job.addressSpace
        self.report = report
    }

    /// - Parameter text: as ``text`` gave it.
    package init?(text: String) {
        guard let order = try? JSONDecoder().decode(JobAssignment.self, from: Data(text.utf8)) else { return nil }
        self = order
    }

    package var ticket: JobTicket { JobTicket(run: run, owner: owner, tries: tries) }

    package var text: String {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
