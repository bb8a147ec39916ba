import Foundation
import Storage

/// What Ctrl-C and its like do to a long command: the transaction under way is undone, what was half written is removed,
/// and the command says so. A second one ends the process at once; the database undoes the rest then.
enum StopSignals {
    static let request = StopRequest()

    private static let asking: [UInt8] = Array("moonshelf: stopping; once more ends it at once\n".utf8)

    /// From now on signals ask instead of ending the process.
    static func listen() {
        // Made before a handler may need it.
        _ = (request, asking)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            guard StopSignals.request.make(number) else { _exit(128 + number) }
            guard isatty(STDERR_FILENO) == 1 else { return }
            StopSignals.asking.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
        action.sa_flags = SA_RESTART
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var former = sigaction()
            sigaction(number, nil, &former)
            if isIgnored(former) { continue }
            sigaction(number, &action, nil)
        }
    }

    /// Whether whoever started us had a signal ignored, as `nohup` does: that is to stay.
    static func isIgnored(_ action: sigaction) -> Bool {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

extension CommandFailure {
    /// What was stopped by a signal, as a shell tells it.
    static func stopped(by signal: Int32) -> CommandFailure {
        CommandFailure(
            ExitStatus(signal: signal), code: "interrupted", message: "Interrupted: what was not finished was undone.")
    }
}

extension ExitStatus {
    /// How a shell tells of what a signal ended.
    init(signal: Int32) {
        switch signal {
        case SIGTERM: self = .terminated
        case SIGHUP: self = .hungUp
        default: self = .interrupted
        }
    }
}
