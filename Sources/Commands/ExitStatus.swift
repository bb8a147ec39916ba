/// How a command ends, for the shell. The numbers above 64 are those of `sysexits.h`.
package enum ExitStatus: Int32, Hashable, Sendable {
    case done = 0
    /// Refused; tests failed; a check found something; a sweep with failures.
    case refused = 1
    case wrongUsage = 2
    /// The script or policy failed by its own fault.
    case scriptFailed = 3
    case badData = 65
    case unreachable = 69
    case internalFault = 70
    case cannotWrite = 73
    case tryAgain = 75
    /// A signal ended it, after what was not finished was undone: 128 and the signal's number, as shells have it.
    case hungUp = 129
    case interrupted = 130
    case terminated = 143
}
