import Circulation
import Storage

/// One run of the outbox: takes what is due, message by message, hands it to a sender and writes down what became of
/// it.
///
/// The store keeps two runs from the same message; one that was killed leaves a lease that runs out. So whatever was
/// queued is delivered at least once, and every try of it carries the same identity.
struct DeliveryRun {
    private enum Progress {
        case sent
        /// The channel takes no more before that moment.
        case full(Instant)
        case done
    }

    /// What a step found.
    private struct Taken {
        var consignment: Consignment?
        /// The last notice seen.
        var last: Int64
        /// When the channel takes the next message; nil: now.
        var freeAt: Instant?
        /// When its quiet hours are over; nil: it is not quiet.
        var quietUntil: Instant?
    }

    let desk: Desk
    let delivery: any Delivery
    let terms: DeliveryTerms
    let limit: Int64
    let worker = String(UInt64.random(in: .min ... .max), radix: 36)
    let control: DeliveryControl
    private(set) var report = DeliveryReport()
    /// Consignments taken by this run.
    private var taken: Int64 = 0
    /// The last notice seen, by channel.
    private var seen: [String: Int64] = [:]
    /// How often in a row a channel was out of order.
    private var faults: [String: Int] = [:]
    private static let mostFaults = 3

    init(_ desk: Desk, _ delivery: any Delivery, _ terms: DeliveryTerms, limit: Int64?, _ control: DeliveryControl) {
        self.desk = desk
        self.delivery = delivery
        self.terms = terms
        self.limit = limit ?? .max
        self.control = control
    }

    mutating func run() throws -> DeliveryReport {
        try desk.write { session in
            try session.transaction.deliveries.clear(before: session.now.later(by: .seconds(-3_600)))
        }
        var open = try openChannels()
        while !open.isEmpty, !isOver {
            var earliest: Instant?
            for channel in open {
                switch try drain(channel) {
                case .sent: break
                case .full(let moment): earliest = min(earliest ?? moment, moment)
                case .done: open.removeAll { $0 == channel }
                }
            }
            guard let earliest, !isOver else { continue }
            let now = desk.clock.now()
            let pause = Duration.microseconds(max(0, earliest.microseconds(since: now)) + 1_000)
            if !control.wait(pause) { break }
        }
        report.isStopped = control.isStopped()
        try countWaiting()
        return report
    }

    private var isOver: Bool { taken >= limit || control.isStopped() }

    /// The channels by which this run sends. Messages for an unknown channel are given up.
    private mutating func openChannels() throws -> [String] {
        let waiting = try desk.read { try $0.transaction.deliveries.channels() }
        var open: [String] = []
        for channel in waiting {
            if channel == NoticeChannel.inbox.name || delivery.channels.contains(channel) {
                open.append(channel)
            } else if NoticeChannel.named(channel) == nil {
                var more = true
                while more, !control.isStopped() {
                    (more, report) = try desk.write { [report] session in
                        var report = report
                        return (try session.notices.giveUp(channel: channel, into: &report), report)
                    }
                }
            }
        }
        return open
    }

    /// Sends by a channel until it has no more, takes no more for now, or is out of order.
    private mutating func drain(_ channel: String) throws -> Progress {
        while !isOver {
            switch try step(channel) {
            case .sent: continue
            case let progress: return progress
            }
        }
        return .done
    }

    private mutating func step(_ channel: String) throws -> Progress {
        let most = delivery.messagesAMinute(by: channel)
        let hours = channel == NoticeChannel.inbox.name ? nil : delivery.quietHours(of: channel)
        var last = seen[channel] ?? .min
        let (next, settled) = try desk.write { [report, worker, delivery, last] session in
            if let quiet = try session.notices.quietUntil(hours) {
                return (Taken(last: last, quietUntil: quiet), report)
            }
            // In the same transaction as the lease, so that several workers keep the limit together.
            if let moment = try session.notices.nextFree(channel, messagesAMinute: most) {
                return (Taken(last: last, freeAt: moment), report)
            }
            var (report, taken) = (report, Taken(last: last))
            let until = session.now.later(by: delivery.timeLimit + .seconds(60))
            taken.consignment = try session.notices.take(
                by: channel, after: &taken.last, worker: worker, until: until, into: &report)
            return (taken, report)
        }
        last = next.last
        (seen[channel], report) = (last, settled)
        if let moment = next.freeAt { return .full(moment) }
        if let moment = next.quietUntil { report.quiet[channel] = moment }
        guard let consignment = next.consignment else { return .done }
        taken += 1
        // No transaction is open here: a network may take its time.
        let outcome = delivery.deliver(consignment)
        report = try desk.write { [report, worker, terms, control] session in
            var report = report
            try session.notices.settle(
                consignment, outcome, worker: worker, terms: terms, chance: control.chance(), into: &report)
            return report
        }
        return judge(outcome, of: channel)
    }

    private mutating func judge(_ outcome: DeliveryOutcome, of channel: String) -> Progress {
        guard case .failed(let fault) = outcome, fault.concernsChannel else {
            faults[channel] = 0
            return outcome == .stopped ? .done : .sent
        }
        faults[channel, default: 0] += 1
        guard faults[channel, default: 0] >= Self.mostFaults else { return .sent }
        report.outOfOrder[channel] = fault.words
        return .done
    }

    private mutating func countWaiting() throws {
        report = try desk.read { [report, delivery] session in
            var report = report
            let notices = session.transaction.notices
            report.waiting = try notices.count(NoticeQuery(states: [.queued]))
            for channel in try session.transaction.deliveries.channels()
            where channel != NoticeChannel.inbox.name && !delivery.channels.contains(channel) {
                report.notSetUp[channel] = try notices.count(NoticeQuery(states: [.queued], channel: channel))
            }
            return report
        }
    }
}

/// What a run of the outbox asks of its caller.
package struct DeliveryControl {
    /// True ends the run after the message under way.
    package var isStopped: () -> Bool
    /// Waits so long for a channel that takes no more for now; false: without waiting, the run ends.
    package var wait: (Duration) -> Bool
    /// A number from 0 to 1, anew each time.
    package var chance: () -> Double

    package init(
        isStopped: @escaping () -> Bool = { false }, wait: @escaping (Duration) -> Bool = { _ in false },
        chance: @escaping () -> Double = { .random(in: 0...1) }
    ) {
        self.isStopped = isStopped
        self.wait = wait
        self.chance = chance
    }
}

extension Desk {
    /// Delivers what waits in the outbox. It can be stopped or killed at any point and run again, beside others: what
    /// is queued goes out at least once, under the same identity each time, and what cannot is given up visibly.
    ///
    /// - Parameters:
    ///   - limit: at most so many messages.
    /// - Throws: ``StoreError``; what was sent by then is written down, but for the message under way.
    package func deliver(
        by delivery: any Delivery, terms: DeliveryTerms = DeliveryTerms(), limit: Int64? = nil,
        control: DeliveryControl = DeliveryControl()
    ) throws -> DeliveryReport {
        var run = DeliveryRun(self, delivery, terms, limit: limit, control)
        return try run.run()
    }
}
