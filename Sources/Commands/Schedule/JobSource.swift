import Desk
import Foundation
import Plugins
import Schedule
import Synchronization

/// The jobs of a configuration and of plugins, which may change meanwhile.
final class JobSource: Sendable {
    private struct Known {
        var jobs: [ScheduledJob] = []
        var stamp: Stamp?
        var wasRead = false
        /// Whether other commands can read it. A job is one of them: what began now would fail at once.
        var isReadable = true

        var inForce: [ScheduledJob]? { isReadable ? jobs : nil }
    }

    /// Identifies a version of a file, to see whether it changed.
    private struct Stamp: Equatable {
        var changed: Date?
        var number: Int?
        var size: Int?
    }

    private let file: String
    private let isRequired: Bool
    private let plugins: PluginPool
    private let teller: ScheduleTeller
    private let known: Mutex<Known>

    /// - Parameter isRequired: whether the configuration has to exist; without one the jobs are those of plugins.
    init(_ file: String, isRequired: Bool, _ plugins: PluginPool, _ teller: ScheduleTeller) {
        self.file = file
        self.isRequired = isRequired
        self.plugins = plugins
        self.teller = teller
        known = Mutex(Known())
    }

    /// - Returns: nil while the configuration cannot be read.
    func now(_ session: DeskSession) throws -> [ScheduledJob]? {
        try configured().map { $0 + (try plugins.jobs(in: session)) }
    }

    private func configured() -> [ScheduledJob]? {
        known.withLock { known in
            let facts = try? FileManager.default.attributesOfItem(atPath: file)
            let stamp = Stamp(
                changed: facts?[.modificationDate] as? Date, number: (facts?[.systemFileNumber] as? NSNumber)?.intValue,
                size: (facts?[.size] as? NSNumber)?.intValue)
            guard stamp != known.stamp || !known.wasRead else { return known.inForce }
            known.wasRead = true
            known.stamp = stamp
            known.isReadable = false
            do {
                let file = try ConfigurationFile(file, isRequired: isRequired)
                _ = try Configuration(file)
                known.isReadable = true
                known.jobs = try JobTable(file).jobs()
                teller.warn(of: known.jobs)
            } catch {
                teller.tell(CommandFailure(error).text)
            }
            return known.inForce
        }
    }
}
