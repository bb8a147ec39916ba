package import Circulation
import Storage
import TextFormats

extension NoticeService {
    /// The id of this library, made at its first use and never changed.
    func libraryID() throws -> String {
        let name = "library.id"
        if let known = try transaction.settings.value(name) { return known }
        let words = (0..<4).map { _ in String(UInt64.random(in: 0...0xFFFF_FFFF) | 1 << 32, radix: 16).dropFirst() }
        let made = words.joined()
        try transaction.settings.setValue(made, for: name)
        return made
    }

    /// What makes a notice one and the same for ever. The id of a removed patron's notice may be given again, hence the
    /// moment.
    static func identity(of notice: Notice, in library: String) -> String {
        let name = "\(library) \(notice.id) \(notice.createdAt.microseconds)"
        return String(SHA256.hexadecimal(of: Array(name.utf8)).prefix(32))
    }

    /// Takes the next message that waits to go out by a channel, and keeps others from it until a moment. Notices on the
    /// way to it that need no sender are settled: what is for the inbox is there, and what has no address is given up.
    ///
    /// - Parameters:
    ///   - id: those up to it were seen in this run.
    ///   - report: takes what was settled.
    /// - Returns: nil where no more is due.
    func take(
        by channel: String, after id: inout Int64, worker: String, until: Instant, into report: inout DeliveryReport
    ) throws -> Consignment? {
        while let notice = try transaction.deliveries.waiting(by: channel, after: id, at: session.now).first {
            id = notice.id
            guard let recipient = try transaction.patrons.get(notice.patron) else { continue }
            if channel == NoticeChannel.inbox.name {
                try settle(notice, .delivered)
                report.sent += 1
            } else if let fault = Self.fault(channel, recipient) {
                try settle(notice, .failed(fault))
                report.add(.init(notice: notice.id, channel: channel, fault: fault, isGivenUp: true))
            } else if let consignment = try lease(notice, recipient, worker: worker, until: until) {
                return consignment
            }
        }
        return nil
    }

    /// When a channel takes the next message; nil: now.
    func nextFree(_ channel: String, messagesAMinute most: Int?) throws -> Instant? {
        guard let most else { return nil }
        let since = session.now.later(by: .seconds(-60))
        guard try transaction.deliveries.tries(by: channel, after: since) >= Int64(max(1, most)) else { return nil }
        return try transaction.deliveries.earliestTry(by: channel, after: since)?.later(by: .seconds(60))
    }

    /// When quiet hours that hold now are over, by the library's clocks; nil: it is not quiet.
    package func quietUntil(_ hours: QuietHours?) throws -> Instant? {
        guard let hours else { return nil }
        return hours.end(at: session.now, in: try session.settingsSnapshot().library.zone)
    }

    /// Why a message cannot be sent by any worker; nil: it can.
    static func fault(_ channel: String, _ recipient: Patron) -> DeliveryFault? {
        switch NoticeChannel.named(channel)?.address {
        case .email: recipient.email?.isEmpty ?? true ? .noEmail : nil
        case .phone: recipient.phone?.isEmpty ?? true ? .noPhone : nil
        case nil: nil
        }
    }

    /// Writes down what became of a try, for each notice of the message.
    ///
    /// - Parameters:
    ///   - worker: whose try it was. One whose time ran out before it knew writes it down all the same, but lets the
    ///     pause of the worker that holds it now alone.
    ///   - chance: see ``DeliveryTerms/pause(after:chance:)``.
    func settle(
        _ consignment: Consignment, _ outcome: DeliveryOutcome, worker: String, terms: DeliveryTerms, chance: Double,
        into report: inout DeliveryReport
    ) throws {
        let before = report.sent
        // What goes together pauses together.
        var pause: Duration?
        for notice in consignment.notices {
            try settle(
                notice.id, outcome, worker: worker, tries: terms.tries,
                pause: {
                    let known = pause ?? terms.pause(after: $0, chance: chance)
                    pause = known
                    return known
                }, into: &report)
        }
        guard consignment.gathered != nil, report.sent > before else { return }
        report.sentTogether += report.sent - before
        report.messagesOfSeveral += 1
    }

    private func settle(
        _ id: Int64, _ outcome: DeliveryOutcome, worker: String, tries: Int64, pause: (Int64) -> Duration,
        into report: inout DeliveryReport
    ) throws {
        // Its patron may have been removed meanwhile.
        guard let notice = try transaction.notices.get(id) else { return }
        let held = try transaction.deliveries.get(id)
        let isOurs = held?.worker == worker
        switch outcome {
        case .stopped:
            if isOurs, var held {
                (held.worker, held.heldUntil, held.mayHaveArrived) = (nil, session.now, true)
                try transaction.deliveries.set(held)
            }
        case .delivered:
            try settle(notice, outcome)
            report.sent += 1
            guard var held else { return }
            (held.worker, held.heldUntil, held.words) = (nil, session.now, nil)
            try transaction.deliveries.set(held)
        case .failed(let fault):
            guard isOurs, var held else { return }
            let isGivenUp = fault.isFinal || notice.tries + 1 >= tries
            try settle(notice, outcome, isGivenUp: isGivenUp)
            held.worker = nil
            held.heldUntil = session.now.later(by: pause(notice.tries + 1))
            held.words = try session.patrons.impersonal(fault.words, about: notice.patron)
            held.mayHaveArrived = held.mayHaveArrived || fault.mayHaveArrived
            try transaction.deliveries.set(held)
            report.add(.init(notice: id, channel: notice.channel, fault: fault, isGivenUp: isGivenUp))
        }
    }

    /// The notice's own record of it. One that was read, taken back or merged meanwhile keeps its state.
    private func settle(_ notice: Notice, _ outcome: DeliveryOutcome, isGivenUp: Bool = true) throws {
        var notice = notice
        switch outcome {
        case .stopped: return
        case .delivered:
            notice.failure = nil
            notice.sentAt = session.now
            if notice.state == .queued || notice.state == .failed { notice.state = .sent }
        case .failed(let fault):
            notice.failure = fault.code
            if notice.state == .queued && isGivenUp { notice.state = .failed }
        }
        notice.tries += 1
        try session.record(.noticeChanged, NoticeChange(notice))
    }

    /// Gives up what waits for a channel that there is not.
    ///
    /// - Returns: whether there may be more.
    func giveUp(channel: String, limit: Int64 = 500, into report: inout DeliveryReport) throws -> Bool {
        let fault = DeliveryFault.unknownChannel(channel)
        let notices = try transaction.deliveries.waiting(by: channel, at: session.now, limit: limit)
        for notice in notices {
            try settle(notice, .failed(fault))
            report.add(.init(notice: notice.id, channel: channel, fault: fault, isGivenUp: true))
        }
        return Int64(notices.count) >= limit
    }
}

// MARK: - For administrators

/// A message that waits, and what a run would do with it.
package struct PlannedDelivery: Hashable, Sendable {
    package var notice: Notice
    package var recipient: Patron
    /// Why it would be given up; nil: it would be sent.
    package var fault: DeliveryFault?
    /// The notice in whose message it would go; nil: in its own.
    package var lead: Int64?
}

/// A message that was given up, and why.
package struct FailedDelivery: Hashable, Sendable {
    package var notice: Notice
    package var username: String
    package var tried: TriedNotice?
}

/// What is known of the last try to send a notice.
package struct TriedNotice: Hashable, Sendable {
    /// What the other side said.
    package var words: String?
    /// The identity of the mail that it shared with others; nil: it went alone.
    package var message: String?
    /// Whether the patron may have it all the same.
    package var mayHaveArrived: Bool
}

extension NoticeService {
    /// What is due to go out now, the oldest of each channel first. Reads only.
    package func due(limit: Int) throws -> [PlannedDelivery] {
        var planned: [PlannedDelivery] = []
        var companies = PlannedCompanies()
        for channel in try transaction.deliveries.channels() where planned.count < limit {
            let rest = Int64(limit - planned.count)
            for notice in try transaction.deliveries.waiting(by: channel, at: session.now, limit: rest) {
                guard let recipient = try transaction.patrons.get(notice.patron) else { continue }
                let isKnown = NoticeChannel.named(channel) != nil
                let fault = isKnown ? Self.fault(channel, recipient) : .unknownChannel(channel)
                let lead = try fault == nil ? companies.lead(of: notice, self) : nil
                planned.append(PlannedDelivery(notice: notice, recipient: recipient, fault: fault, lead: lead))
            }
        }
        return planned
    }

    /// The latest of what was given up, the oldest of it first.
    package func failed(limit: Int) throws -> [FailedDelivery] {
        let notices = try list(NoticeQuery(states: [.failed]), ListPart(limit: limit))
        let tries = try lastTries(of: notices.map(\.id))
        let patrons = try transaction.patrons.get(Set(notices.map(\.patron)))
        let usernames = Dictionary(patrons.map { ($0.id, $0.username) }) { first, _ in first }
        return notices.map { notice in
            FailedDelivery(notice: notice, username: usernames[notice.patron] ?? "-", tried: tries[notice.id])
        }
    }

    /// What is known of the last tries to send notices, by their ids; of those that were not tried nothing.
    package func lastTries(of ids: [Int64]) throws -> [Int64: TriedNotice] {
        try transaction.deliveries.get(ids).mapValues {
            TriedNotice(words: $0.words, message: $0.message, mayHaveArrived: $0.mayHaveArrived)
        }
    }

    /// Whether a sender is at it right now.
    func isBeingSent(_ id: Int64) throws -> Bool {
        guard let held = try transaction.deliveries.get(id) else { return false }
        return held.worker != nil && held.heldUntil > session.now
    }

    /// Whether it was ever handed to a sender.
    func wasTried(_ id: Int64) throws -> Bool {
        try transaction.deliveries.get(id) != nil
    }
}
