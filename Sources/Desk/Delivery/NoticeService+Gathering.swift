import Circulation
import Storage
import TextFormats

// Several notices in one message. Those that a first try takes together stay together: each names the message in which it travels,
// so that whatever happens to a worker, the next try sends the same message. One that is withdrawn meanwhile leaves it; none
// joins it.
extension NoticeService {
    /// The most notices of one message; the rest goes in the next ones.
    static let mostGathered = 20

    /// Leases a notice with all that travel in its message.
    ///
    /// - Returns: nil where others of its message come first, or were tried in this run.
    func lease(_ notice: Notice, _ recipient: Patron, worker: String, until: Instant) throws -> Consignment? {
        let held = try transaction.deliveries.get(notice.id)
        let library = try libraryID()
        let (message, notices) = try company(of: notice, held, in: library)
        guard notices.first?.id == notice.id else { return nil }
        for one in notices {
            // Of those that go for the first time nothing is written down.
            let before = held == nil || one.id == notice.id ? held : try transaction.deliveries.get(one.id)
            try transaction.deliveries.set(
                DeliveryRecord(
                    notice: one.id, channel: one.channel, worker: worker, triedAt: session.now, heldUntil: until,
                    words: held?.words, message: message, mayHaveArrived: before?.isUnsure ?? false))
        }
        return Consignment(
            identity: message ?? Self.identity(of: notice, in: library), library: library, notice: notice,
            recipient: recipient, gathered: notices.count > 1 ? try gathered(notices) : nil)
    }

    /// The notices that go together with one, itself among them, and what makes their message one and the same.
    private func company(
        of notice: Notice, _ held: DeliveryRecord?, in library: String
    ) throws -> (message: String?, notices: [Notice]) {
        if let message = held?.message {
            let ids = try transaction.deliveries.notices(in: message)
            let notices = try transaction.notices.get(ids).filter {
                $0.state == .queued && $0.patron == notice.patron
            }
            return (message, notices.sorted { $0.id < $1.id })
        }
        // What was tried alone may have arrived alone.
        guard held == nil, let kinds = try gatheredKinds(by: notice.channel), kinds.contains(notice.kind) else {
            return (nil, [notice])
        }
        let others = try transaction.deliveries.untried(
            of: notice.patron, by: notice.channel, after: notice.id, kinds: kinds,
            limit: Int64(Self.mostGathered - 1))
        guard !others.isEmpty else { return (nil, [notice]) }
        return (Self.identity(of: [notice] + others, in: library), [notice] + others)
    }

    /// The kinds of notices that go together by a channel; nil: none do.
    func gatheredKinds(by channel: String) throws -> Set<String>? {
        guard NoticeChannel.named(channel)?.isGathering == true else { return nil }
        let kinds = try session.settingsSnapshot().library.gatheredKinds
        return kinds.isEmpty ? nil : GatheredKind.names(kinds)
    }

    /// What makes a message of several one and the same: who leads it and who goes along. Other notices in another company are
    /// another message, also where one of them was in this one.
    private static func identity(of notices: [Notice], in library: String) -> String {
        let name = notices.map { identity(of: $0, in: library) }.joined(separator: " ")
        return String(SHA256.hexadecimal(of: Array(name.utf8)).prefix(32))
    }

    // MARK: - What it is about

    /// What a message of several says.
    private func gathered(_ notices: [Notice]) throws -> GatheredNotices {
        let parts = try notices.flatMap { notice in
            let carried = try notice.kind == "digest" ? transaction.notices.carried(by: notice.id) : []
            return carried.isEmpty ? [notice] : carried
        }
        let facts = try SubjectFacts(parts, session)
        return GatheredNotices(
            library: try session.settingsSnapshot().library.name, notices: notices,
            subjects: parts.map(facts.subject))
    }
}

/// Which of the notices that are due would go together, told one after the other by id.
struct PlannedCompanies {
    private struct Company {
        var lead: Int64
        var count = 1
    }

    private var tried: [String: Int64] = [:]
    private var new: [String: Company] = [:]

    /// The notice in whose message one goes; nil: in its own.
    mutating func lead(of notice: Notice, _ service: NoticeService) throws -> Int64? {
        let held = try service.transaction.deliveries.get(notice.id)
        if let message = held?.message {
            if let lead = tried[message] { return lead }
            tried[message] = notice.id
            return nil
        }
        guard held == nil, try service.gatheredKinds(by: notice.channel)?.contains(notice.kind) == true else {
            return nil
        }
        let key = "\(notice.patron) \(notice.channel)"
        guard var company = new[key], company.count < NoticeService.mostGathered else {
            new[key] = Company(lead: notice.id)
            return nil
        }
        company.count += 1
        new[key] = company
        return company.lead
    }
}

/// The records that some notices are about, read together.
private struct SubjectFacts {
    private let loans: [Int64: Loan]
    private let holds: [Int64: Hold]
    private let copies: [Int64: Copy]
    private let titles: [Int64: Title]
    private let settings: SettingsSnapshot

    init(_ notices: [Notice], _ session: DeskSession) throws {
        func byID<Record: NumberedRecord>(_ records: [Record]) -> [Int64: Record] {
            Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
        }
        let transaction = session.transaction
        let (ofLoans, ofHolds) = (Set(notices.compactMap(\.loan)), Set(notices.compactMap(Self.hold)))
        loans = byID(ofLoans.isEmpty ? [] : try transaction.loans.get(ofLoans))
        holds = byID(ofHolds.isEmpty ? [] : try transaction.holds.get(ofHolds))
        let ofCopies = Set(loans.values.compactMap(\.copy) + holds.values.compactMap(\.heldCopy))
        copies = byID(ofCopies.isEmpty ? [] : try transaction.copies.get(ofCopies))
        let ofTitles = Set(loans.values.compactMap(\.title) + holds.values.compactMap(\.title))
        titles = byID(ofTitles.isEmpty ? [] : try transaction.titles.get(ofTitles))
        settings = try session.settingsSnapshot()
    }

    /// The hold that a notice is about.
    private static func hold(_ notice: Notice) -> Int64? {
        let prefix = "hold:"
        guard notice.subjectKey.hasPrefix(prefix) else { return nil }
        return Int64(notice.subjectKey.dropFirst(prefix.count))
    }

    /// What a notice is about; its own subject where that is no title, or is gone.
    func subject(_ notice: Notice) -> NoticeSubject {
        // Of a merged message without parts, what it was merged of.
        let kind = GatheredKind(rawValue: notice.kind) ?? .overdue
        if let loan = notice.loan.flatMap({ loans[$0] }), let title = loan.title.flatMap({ titles[$0] }) {
            let (date, time) = when(loan, notice)
            return NoticeSubject(
                kind: kind, name: title.title, barcode: loan.copy.flatMap { copies[$0]?.barcode }, date: date,
                time: time)
        }
        if let hold = Self.hold(notice).flatMap({ holds[$0] }), let title = hold.title.flatMap({ titles[$0] }) {
            let end = hold.shelfUntil.map { local($0, at: hold.pickupBranch) }
            return NoticeSubject(
                kind: kind, name: title.title, barcode: hold.heldCopy.flatMap { copies[$0]?.barcode },
                date: end?.date, time: end?.time)
        }
        return NoticeSubject(kind: kind, name: notice.subject)
    }

    /// The due time that the notice speaks of.
    private func when(_ loan: Loan, _ notice: Notice) -> (date: CivilDate?, time: CivilTime?) {
        // What has come back is due no more.
        if notice.kind == NotifyEvent.returned.rawValue { return (nil, nil) }
        guard let dueAt = notice.dueAt else { return (nil, nil) }
        let (date, time) = local(dueAt, at: loan.branch ?? "")
        if let due = loan.due, due.instant == dueAt, !due.isExact { return (due.date, nil) }
        return (date, time)
    }

    /// By the clocks of the branch; without the time where it is the very end of a day.
    private func local(_ instant: Instant, at branch: String) -> (date: CivilDate, time: CivilTime?) {
        let (date, time) = settings.zone(ofBranch: branch).local(of: instant)
        return (date, time.secondsSinceMidnight >= 86_399 ? nil : time)
    }
}
