import Circulation
import Storage

extension NoticeService {
    /// Takes reminders of a loan back that were not sent yet, since it has ended or stopped or is due at another time: who
    /// brought a copy back is not to be asked for it. A message of several loses the loan's line.
    func supersede(about loan: Loan) throws {
        guard loan.patron != nil else { return }
        for var notice in try transaction.notices.unsent(about: loan.id) where Self.isReminder(notice) {
            notice.state = .superseded
            try session.record(.noticeChanged, NoticeChange(notice))
        }
        for var part in try transaction.notices.carried(about: loan.id) where Self.isReminder(part) {
            guard let id = part.carriedBy, let carrier = try transaction.notices.get(id), Self.isUnsent(carrier) else {
                continue
            }
            part.carriedBy = nil
            try session.record(.noticeChanged, NoticeChange(part))
            try rewrite(carrier)
        }
    }

    private static func isReminder(_ notice: Notice) -> Bool {
        notice.kind == overdueKind || notice.kind == dueSoonKind
    }

    private static func isUnsent(_ notice: Notice) -> Bool { notice.state == .queued || notice.state == .failed }

    /// Writes a message of several anew of the parts that it still has: the last one goes out under its own words.
    private func rewrite(_ carrier: Notice) throws {
        var carrier = carrier
        var parts = try transaction.notices.carried(by: carrier.id)
        guard parts.count < 2 else {
            (carrier.subject, carrier.body) = try texts(of: parts, in: carrier)
            try transaction.notices.update(carrier)
            return
        }
        if var last = parts.popLast() {
            last.state = carrier.state
            last.tries = carrier.tries
            last.carriedBy = nil
            try session.record(.noticeChanged, NoticeChange(last))
        }
        carrier.state = .superseded
        try session.record(.noticeChanged, NoticeChange(carrier))
    }

    private func texts(of parts: [Notice], in carrier: Notice) throws -> (subject: String, body: String) {
        var many: DigestTemplates.Texts?
        if case .templates(let subject, let body) = carrier.digest {
            many = DigestTemplates.Texts(subject: subject, body: body, line: "")
        }
        let branch = try parts.first?.loan.flatMap { try transaction.loans.get($0)?.branch }
        let context = try session.loans.context(patron: carrier.patron, branch: branch)
        let lines = parts.map { part in
            if case .line(let line) = part.digest { line } else { part.subject }
        }
        return Self.texts(of: zip(parts, lines).map(DigestRun.Part.init), many, context)
    }
}
