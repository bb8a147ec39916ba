package import Circulation

/// Identifies one start of a run: its holder may report how the run went, until another process begins
/// the run anew.
package struct JobTicket: Hashable, Sendable {
    package var run: Int64
    package var owner: String
    /// How often the run was begun by then.
    package var tries: Int64

    package init(run: Int64, owner: String, tries: Int64) {
        self.run = run
        self.owner = owner
        self.tries = tries
    }

    /// - Parameter run: as it was begun.
    package init(_ run: JobRun) {
        self.init(run: run.id, owner: run.owner ?? "", tries: run.tries)
    }

    /// Whether a run is still as it was begun.
    func holds(_ run: JobRun) -> Bool { run.state == .running && run.owner == owner && run.tries == tries }
}

/// How a run ended.
package struct JobOutcome: Hashable, Sendable {
    /// As shells report it; nil: it never began.
    package var exitStatus: Int64?
    /// Why it failed, beyond what it says itself.
    package var reason: String?
    /// The end of what it said.
    package var output: String
    package var report: String?

    package init(exitStatus: Int64?, reason: String? = nil, output: String = "", report: String? = nil) {
        self.exitStatus = exitStatus
        self.reason = reason
        self.output = output
        self.report = report
    }

    package var isSuccess: Bool { exitStatus == 0 && reason == nil }
}

/// Whether a process exists, as far as this machine knows.
package enum ProcessPresence: Hashable, Sendable {
    case present, gone
    /// It is another machine's.
    case unknown
}
