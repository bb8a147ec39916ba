import Circulation

extension JobService {
    /// The name under which the hours that were written down are kept, beside those of jobs.
    private static let ticks = "schedule.tick"
    private static let secondsOfHour: Int64 = 3_600

    /// Whether an hour has begun since the last one that was written down.
    package func hasToTick() throws -> Bool { try plannedUntil(Self.ticks).map { $0 < hour } ?? true }

    /// Writes down that an hour has begun, once for all who watch a schedule. Hours in which no one did are not made up
    /// for.
    package func tick() throws {
        let last = try plannedUntil(Self.ticks)
        guard last.map({ $0 < hour }) ?? true else { return }
        try plan([], of: Self.ticks, until: hour)
        try session.record(.scheduleTick, ScheduleTick(hour: hour, since: last))
    }

    private var hour: Instant {
        let seconds = session.now.seconds
        let rest = seconds % Self.secondsOfHour
        return Instant(seconds: seconds - (rest < 0 ? rest + Self.secondsOfHour : rest))
    }
}
