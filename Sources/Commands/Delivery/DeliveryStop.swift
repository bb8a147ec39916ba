import Foundation
import Storage

/// What a signal does to a run of the outbox: the message under way is called off or finished, what became of it is written
/// down, and the run ends. A second signal ends the process at once.
///
/// ``StopSignals`` would keep the store from being told what was sent.
enum DeliveryStop {
    static let request = StopRequest()

    static func listen() {
        _ = request
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            if !DeliveryStop.request.make(number) { _exit(128 + number) }
        }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var former = sigaction()
            sigaction(number, nil, &former)
            if !StopSignals.isIgnored(former) { sigaction(number, &action, nil) }
        }
    }

    /// Waits, unless it was or is stopped.
    ///
    /// - Returns: false if it was.
    static func wait(_ pause: Duration) -> Bool {
        let end = ContinuousClock.now + pause
        while request.signal == nil {
            let rest = end - ContinuousClock.now
            if rest <= .zero { return true }
            let slice = min(rest, .milliseconds(200))
            usleep(
                UInt32(slice.components.attoseconds / 1_000_000_000_000) + UInt32(slice.components.seconds) * 1_000_000)
        }
        return false
    }
}
