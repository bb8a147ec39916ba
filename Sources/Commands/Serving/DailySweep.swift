import Desk
import Foundation
import Plugins
import Schedule

/// The sweep that `serve --daily` has done once a day: a job like those of the configuration, in a process of its own, written into
/// the same log. Several servers of one store share it.
struct DailySweep {
    static let name = "serve --daily"

    let scheduler: Scheduler

    /// - Parameter time: `06:00`, by the library's clocks.
    init(at time: String, over desk: Desk, _ workplace: Workplace, isQuiet: Bool) throws {
        let job = try Self.job(at: time)
        // A scheduler that does not know plugins' jobs takes them for gone.
        let plugins = try workplace.plugins(desk)
        let observer = ScheduleTeller(workplace.console, isQuiet: isQuiet)
        scheduler = try ScheduleMaking(workplace).scheduler(desk, observer) { [job] + (try plugins.jobs(in: $0)) }
    }

    /// - Throws: ``CommandFailure`` for what is no time of day.
    static func job(at time: String) throws -> ScheduledJob {
        guard let parts = time.wholeMatch(of: /([01]?[0-9]|2[0-3]):([0-5][0-9])/),
            let hour = Int(parts.1), let minute = Int(parts.2)
        else { throw CommandFailure.usage("--daily: '\(time)' is not a time of day, such as 06:00.") }
        return ScheduledJob(
            name: name, timing: .cron(try CronExpression(parsing: "\(minute) \(hour) * * *")),
            arguments: ["notices", "sweep"])
    }

    /// Does the work of a server, and the sweep beside it, until that ends.
    static func beside(
        _ sweep: DailySweep?, _ serving: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let scheduler = sweep?.scheduler else { return try await serving() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serving() }
            group.addTask { try await scheduler.watch() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
