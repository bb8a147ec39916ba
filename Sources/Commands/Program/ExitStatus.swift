/// The exit statuses of commands. The numbers above 64 are those of `sysexits.h`.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    case done = 0
    case refused = 1
    case wrongUsage = 2
    case scriptFailed = 3
    case badData = 65
    case unreachable = 69
    case internalFault = 70
    case cannotWrite = 73
    case tryAgain = 75
    /// A signal ended it, with unfinished work undone: 128 plus the signal's number, as in shells.
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// One sentence for the manual.
    package var summary: String {
        switch self {
        case .done: "Done."
        case .refused: "Refused; tests failed; a check found something; a sweep with failures."
        case .wrongUsage: "Wrong usage."
        case .scriptFailed: "The script or policy failed by its own fault."
        case .badData: "Bad input data."
        case .unreachable: "A service is unreachable."
        case .internalFault: "A fault of the program."
        case .cannotWrite: "Something cannot be written."
        case .tryAgain: "The store is busy; try again."
        case .hungUp: "A hangup ended it; what was not finished was undone."
        case .interrupted: "Ctrl-C ended it; what was not finished was undone."
        case .terminated: "It was asked to end; unfinished work was undone."
        }
    }
}
