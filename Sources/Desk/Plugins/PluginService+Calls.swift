package import Circulation
import Storage

// Errors of what plugins add: routes, pages, jobs, commands, channels. Of each the last one is kept, beside the events that
// were set aside, until another version comes into force.
extension PluginService {
    /// The errors of calls, by what was called: those of few entries.
    private func failedCalls(of name: String) throws -> [PluginFailure] {
        try plugins.failures(of: name, limit: 1_000).filter(\.isCall)
    }

    /// How long an error is not kept again, in seconds.
    private static let pause: Int64 = 10

    /// Whether an error was kept moments ago: who makes a route fail by the hundred has nothing written by it.
    ///
    /// - Parameter label: what was called: `route GET /courier`.
    package func isKept(_ fault: PluginFault, _ label: String, of name: String) throws -> Bool {
        try failedCalls(of: name).contains { failure in
            try failure.kind == label && failure.fault == fault
                && failure.failedAt.adding(seconds: Self.pause) > session.now
        }
    }

    /// Keeps the error of a call, unless another version is in force by now, and tells administrators as of an event that was
    /// set aside.
    package func callFailed(_ label: String, of plugin: Plugin, _ fault: PluginFault) throws {
        guard try plugins.get(plugin.name)?.sha256 == plugin.sha256 else { return }
        let calls = try failedCalls(of: plugin.name)
        var failure =
            calls.first { $0.kind == label }
            ?? PluginFailure(
                plugin: plugin.name, sha256: plugin.sha256, event: (calls.map(\.event).min() ?? 0) - 1, kind: label,
                tries: 0, fault: fault, failedAt: session.now)
        failure.tries += 1
        (failure.fault, failure.failedAt) = (fault, session.now)
        try plugins.set(failure)
        try tellSetAside(failure)
    }

    /// Forgets the errors of calls.
    func forgetCalls(of name: String) throws {
        for failure in try failedCalls(of: name) { try plugins.settleFailure(of: name, event: failure.event) }
    }
}
