package import Circulation
import Storage

// What was given up is tried again: as the mail that it was, in a mail made anew, or alone.
extension NoticeService {
    /// Puts a message that was given up back into the queue.
    ///
    /// What surely did not arrive may go with others of its patron. What may have arrived goes out as the mail that it was, under the
    /// same identity, so that whoever has it already is not sent another one; with it go back those with which it shared that mail.
    ///
    /// - Parameter isAlone: it goes in a mail of its own, whatever it shared a mail with. What arrived in the shared one arrives
    ///   once more then.
    package func retry(_ id: Int64, alone isAlone: Bool = false) throws -> Outcome<Notice> {
        try change(id, "notifications.retry", from: [.failed], unless: .queued) { notice in
            notice = try queuedAgain(notice, alone: isAlone)
            for other in try isAlone ? [] : companions(of: notice) {
                try session.record(.noticeChanged, NoticeChange(queuedAgain(other, alone: false)))
            }
        }
    }

    /// Puts all messages that were given up back into the queue.
    ///
    /// - Parameter isAlone: each goes in a mail of its own.
    /// - Returns: how many they were.
    package func retryAll(alone isAlone: Bool = false) throws -> Int64 {
        var count: Int64 = 0
        try transaction.notices.forEach(NoticeQuery(states: [.failed])) { notice in
            // Some went back with others already.
            let isHere = try transaction.notices.get(notice.id)?.state == .failed
            count += isHere ? Int64(try isAlone ? 0 : companions(of: notice).count) + 1 : 0
            _ = try retry(notice.id, alone: isAlone)
            return true
        }
        return count
    }

    /// The other notices that were given up with one in a mail that may have arrived.
    private func companions(of notice: Notice) throws -> [Notice] {
        guard let held = try transaction.deliveries.get(notice.id), held.isUnsure, let message = held.message else {
            return []
        }
        let ids = try transaction.deliveries.notices(in: message).filter { $0 != notice.id }
        return try transaction.notices.get(ids).filter { $0.state == .failed && $0.patron == notice.patron }
    }

    private func queuedAgain(_ notice: Notice, alone isAlone: Bool) throws -> Notice {
        var notice = notice
        (notice.state, notice.tries, notice.failure) = (.queued, 0, nil)
        guard let held = try transaction.deliveries.get(notice.id), isAlone || held.isUnsure else {
            // As if it had never been tried.
            try transaction.deliveries.remove(notice.id)
            return notice
        }
        // A try that names no message keeps it from going with others.
        try transaction.deliveries.set(
            DeliveryRecord(
                notice: notice.id, channel: notice.channel, worker: nil, triedAt: held.triedAt,
                heldUntil: session.now, message: isAlone ? nil : held.message, mayHaveArrived: held.isUnsure))
        return notice
    }
}

extension DeliveryRecord {
    /// Whether it may have arrived, if the worker that it names does not say any more what became of it.
    var isUnsure: Bool { mayHaveArrived || worker != nil }
}
