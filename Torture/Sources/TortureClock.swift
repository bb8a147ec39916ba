import Circulation
import Glibc

/// The clock of a library under torture: all its processes read the same time, which passes quickly, so that loans fall
/// due, copies wait on the shelf and fines grow within a minute.
struct TortureClock: Clock {
    /// How much faster than the calendar: a minute is two weeks.
    private static let pace: Int64 = 20_000
    /// A Monday in term.
    private static let beginning: Int64 = 1_794_823_200_000_000

    /// When the library opened, on the machine's clock, in microseconds; ``calendar``: time passes as everywhere.
    let openedAt: Int64
    /// For processes of the library's own program, which know no other time.
    static let calendar: Int64 = 0

    func now() -> Instant {
        if openedAt == Self.calendar { return Instant(microseconds: Self.machine()) }
        return Instant(microseconds: Self.beginning + max(0, Self.machine() - openedAt) * Self.pace)
    }

    /// The machine's clock in microseconds; the same for all its processes.
    static func machine() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
