import Foundation
import Storage

/// What Ctrl-C and its like do to a long command: the transaction under way is undone, what was half written is
/// removed, and the command says so. A second one ends the process at once; the database undoes the rest then.
enum StopSignals {
    static let request = StopRequest()
    /// For a command that ends what it is at by itself: its store stays open until the result is recorded.
    static let ofCommand = StopRequest()

    /// What a signal is to stop.
    enum Work { case store, command }

    private static let asking: [UInt8] = Array("moonshelf: stopping; once more ends it at once\n".utf8)

    /// From now on signals ask instead of ending the process.
    static func listen(for work: Work = .store) {
        // Made before a handler may need it.
        _ = (request, ofCommand, asking)
        var action = sigaction()
        switch work {
        case .store: action.__sigaction_handler.sa_handler = { StopSignals.ask(StopSignals.request, $0) }
        case .command: action.__sigaction_handler.sa_handler = { StopSignals.ask(StopSignals.ofCommand, $0) }
        }
        action.sa_flags = SA_RESTART
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var former = sigaction()
            sigaction(number, nil, &former)
            if isIgnored(former) { continue }
            sigaction(number, &action, nil)
        }
    }

    private static func ask(_ request: StopRequest, _ number: Int32) {
        guard request.make(number) else { _exit(128 + number) }
        guard isatty(STDERR_FILENO) == 1 else { return }
        asking.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Whether the parent process ignored a signal, as `nohup` does: it stays ignored.
    static func isIgnored(_ action: sigaction) -> Bool {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

extension StopRequest {
    /// Waits, unless it was or is stopped.
    ///
    /// - Returns: false if it was.
    func wait(_ pause: Duration) -> Bool {
        let end = ContinuousClock.now + pause
        while signal == nil {
            let rest = (end - ContinuousClock.now) / .seconds(1)
            if rest <= 0 { return true }
            Thread.sleep(forTimeInterval: min(rest, 0.2))
        }
        return false
    }
}

extension CommandFailure {
    /// The exit status of work stopped by a signal, as shells report it.
    static func stopped(by signal: Int32) -> CommandFailure {
        CommandFailure(
            ExitStatus(signal: signal), code: "interrupted", message: "Interrupted: what was not finished was undone.")
    }
}

extension ExitStatus {
    /// The exit status that shells report for a signal.
    init(signal: Int32) {
        switch signal {
        case SIGTERM: self = .terminated
        case SIGHUP: self = .hungUp
        default: self = .interrupted
        }
    }
}
