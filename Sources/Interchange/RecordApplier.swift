import Circulation
import Desk
import Storage
import TextFormats

/// Puts records into the store within one session, and counts what became of each.
struct RecordApplier {
    let run: ImportRun

    /// Applies records; one that the desk does not take is reported.
    ///
    /// - Parameter end: after which none is begun, but for the first; nil: all are applied.
    /// - Returns: what became of them, how many they were, and the passwords that are to be hashed and set after the transaction.
    func apply(
        _ batch: ArraySlice<ReadRecord>, in session: DeskSession, until end: ContinuousClock.Instant? = nil
    ) throws -> (report: ImportReport, count: Int, wanted: [PasswordIntake.Wanted]) {
        var (report, wanted) = (ImportReport(), [PasswordIntake.Wanted]())
        let known = run.duplicates
        var settings = try DeclaredSettings(session: session, run: run)
        for (count, record) in batch.enumerated() {
            if let end, count > 0, ContinuousClock.now >= end { return (report, count, wanted) }
            for problem in record.problems { report.note(problem) }
            if record.saysNothing { continue }
            if record.records == [.wholeLibrary] {
                run.joinsLibrary = try !session.imports.makeRoomForLibrary()
                run.looksForDuplicates = run.joinsLibrary
                settings = try DeclaredSettings(session: session, run: run)
                continue
            }
            report.read += 1
            if record.isRepaired { report.repaired += 1 }
            guard !record.isRejected else {
                report.rejected += 1
                continue
            }
            run.begin(record)
            let before = run.duplicates
            do {
                let changes = try Self.refusing { try applied(record, settings: settings, in: session) }
                // What a record declares beside what it brings does not count.
                let brought = zip(record.records, changes).filter { !$0.0.isDeclaration }.map(\.1)
                let change = RecordApplier.summary(brought.isEmpty ? changes : brought)
                // A guardian who is new is something new of a patron who is not.
                let isLinked = zip(record.records, changes).contains { $0.0.isGuardian && $0.1 == .added }
                if let change { report.count(change == .unchanged && isLinked ? .updated : change) }
                if let one = try run.passwords.judge(record, run, in: session, &report.passwords) { wanted.append(one) }
                report.arrivals.add(run.takeArrivals())
                for (imported, change) in zip(record.records, changes) { report.kinds.count(imported, change) }
                report.declared += run.takeDeclared()
                for warning in run.takeWarnings() { report.note(warning.problem(of: record, severity: .warning)) }
                report.likelyDuplicates = run.duplicates - known
            } catch let refused as RefusedRecord where ["policy_kept", "library_kept"].contains(refused.code) {
                report.note(refused.problem(of: record, severity: .warning))
                report.count(.unchanged)
            } catch let refused as RefusedRecord {
                report.note(refused.problem(of: record))
                report.rejected += 1
                try run.forgetKeys()
                // So is what was found out about it.
                _ = run.takeWarnings()
                run.duplicates = before
                _ = run.takeArrivals()
                run.forgetDeclared()
                // What the record declared is gone with it.
                settings = try DeclaredSettings(session: session, run: run)
            }
        }
        return (report, batch.count, wanted)
    }

    /// Whether something waits for the end of the file.
    var isUnfinished: Bool {
        !run.waitingForParent.isEmpty || !run.waitingReferences.isEmpty || !run.waitingGuardians.isEmpty
    }

    func finish(in session: DeskSession) throws -> ImportReport {
        let settings = try DeclaredSettings(session: session, run: run)
        try settings.finish()
        var report = try setReferences(in: session)
        report.add(try AccountApplier(session: session, settings: settings, run: run).linkWaiting())
        return report
    }

    /// What a service takes for a fault of its caller is one of the record here, whose words are handed on as they stand.
    private static func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DeskError where error.code == .input {
            throw RefusedRecord(field: error.field, code: "input", message: error.message)
        }
    }

    /// Applies what a record of the file brings.
    ///
    /// Nothing stays of a record that is refused after its first write. Those that cannot be, which come by the ten
    /// thousand, are spared the savepoint.
    private func applied(
        _ record: ReadRecord, settings: DeclaredSettings, in session: DeskSession
    ) throws -> [ImportChange] {
        let known = try record.records.map { imported in
            try imported.identities.compactMap { identity in
                try run.meet(identity.key, says: identity.said ?? AnyHashable(imported)).map {
                    (identity: identity, repetition: $0)
                }
            }
        }
        func body() throws -> [ImportChange] {
            try zip(record.records, known).map { imported, known in
                let change = try apply(imported, settings: settings, in: session)
                for known in known { try run.judge(known.repetition, of: known.identity, change) }
                return change
            }
        }
        let isOneWrite = record.records.count == 1 && record.records.allSatisfy(\.isOneWrite)
        return isOneWrite && known.allSatisfy(\.isEmpty) ? try body() : try session.savepoint(body)
    }

    /// One line of the report stands for one record of the file, whatever it brought.
    private static func summary(_ changes: [ImportChange]) -> ImportChange? {
        if changes.isEmpty { return nil }
        if changes.allSatisfy({ $0 == .unchanged }) { return .unchanged }
        return changes.allSatisfy { $0 == .added } ? .added : .updated
    }

    private func apply(
        _ imported: ImportedRecord, settings: DeclaredSettings, in session: DeskSession
    ) throws -> ImportChange {
        switch imported {
        case .title(let title): try TitleApplier(session: session, settings: settings, run: run).apply(title)
        case .copy(let copy): try TitleApplier(session: session, settings: settings, run: run).apply(copy)
        case .patron(let patron, let fields): try apply(patron, saying: fields, settings: settings, in: session)
        case .loan(let loan):
            try LoanApplier(session: session, settings: settings, run: run).apply(loan)
        case .hold(let hold): try HoldApplier(session: session, settings: settings, run: run).apply(hold)
        case .branch(let branch): try settings.declare(branch)
        case .category(let category): try settings.declare(category)
        case .itemType(let itemType): try settings.declare(itemType)
        case .location(let location): try settings.declare(location)
        case .library(let description): try settings.describe(description)
        case .notice(let notice): try apply(notice, in: session)
        case .block(let block): try AccountApplier(session: session, settings: settings, run: run).apply(block)
        case .patronLink(let link): try AccountApplier(session: session, settings: settings, run: run).apply(link)
        case .guardians(let those): try AccountApplier(session: session, settings: settings, run: run).apply(those)
        case .reader(let record): try ReaderApplier(session: session, settings: settings, run: run).apply(record)
        case .ledgerEntry(let entry): try AccountApplier(session: session, settings: settings, run: run).apply(entry)
        case .storedNotice(let notice): try AccountApplier(session: session, settings: settings, run: run).apply(notice)
        case .inHouseUse(let use): try AccountApplier(session: session, settings: settings, run: run).apply(use)
        case .policyActivation(let activation): try apply(activation, in: session)
        case .market(let record): try MarketApplier(session: session, settings: settings, run: run).apply(record)
        case .course(let course): try CourseApplier(session: session).apply(course)
        // The head of a file stands in a record of its own.
        case .wholeLibrary: .unchanged
        }
    }

    private func apply(
        _ patron: Patron, saying fields: Set<PatronField>, settings: DeclaredSettings, in session: DeskSession
    ) throws -> ImportChange {
        var patron = patron
        if fields != PatronField.all, let present = try session.patrons.get(.username(patron.username)) {
            patron = patron.saying(fields, of: present)
        }
        if patron.category.isEmpty { patron.category = try settings.firstCategory() }
        if patron.homeBranch.isEmpty { patron.homeBranch = try settings.firstBranch() }
        try settings.require(category: patron.category)
        try settings.require(branch: patron.homeBranch)
        let (extra, waiting) = try run.settled(patron.extra, .patron, in: session)
        patron.extra = extra
        let (stored, change) = try session.imports.patron(patron).change(field: nil)
        run.note(.patron, patron.id, isNow: stored.id)
        run.wait(waiting, of: stored.id)
        if change == .added, run.looksForDuplicates { try run.added(stored, in: session) }
        return change
    }

    private func apply(_ imported: ImportedActivation, in session: DeskSession) throws -> ImportChange {
        let (stored, change) = try session.imports.activation(
            imported.activation, files: imported.files, known: run.activations
        ).change(field: "policy")
        run.activations.insert(stored.id)
        return change
    }

    private func apply(_ notice: ImportedNotice, in session: DeskSession) throws -> ImportChange {
        guard let patron = try session.patrons.get(.username(notice.username)) else {
            throw RefusedRecord(
                field: "username", code: "unknown_patron", message: "no patron is called '\(notice.username)'")
        }
        let key = ImportedNotice.key(patron.id, notice.isbn)
        if try session.notices.message(to: patron.id, key: key) != nil { return .unchanged }
        let sent = try session.notices.send(
            to: .id(patron.id), channel: NoticeChannel.inbox.name, subject: "Overdue", body: notice.message, key: key
        ).orRefuse(field: nil)
        if notice.isRead { _ = try session.notices.markRead(sent.id).orRefuse(field: nil) }
        // A sweep is not to say again what the other system has said.
        if let title = try session.catalogue.get(.isbn(notice.isbn)) {
            try session.imports.told(patron.id, ofTitle: title.id)
        }
        return .added
    }
}

/// A record that the desk would not take.
struct RefusedRecord: Error {
    var field: String?
    var code: String
    var message: String
    /// The other record that it is about.
    var other: JSON?

    /// - Parameter field: at fault where the refusal names none.
    init(_ refusal: Refusal, field: String?) {
        self.init(
            field: refusal.reasons.first?.figures["field"]?.stringValue ?? field, code: refusal.code,
            message: refusal.message)
    }

    init(field: String? = nil, code: String, message: String) {
        (self.field, self.code, self.message) = (field, code, message)
    }

    func problem(of record: ReadRecord, severity: ImportProblem.Severity = .error) -> ImportProblem {
        ImportProblem(
            file: record.file, line: record.line, field: record.name(of: field), code: code, severity: severity,
            message: message, other: other)
    }
}

extension Imported {
    /// The record as it is in the store, and what became of it; a rejection is the fault of the file's record.
    func change(field: String?) throws -> (record: Record, change: ImportChange) {
        switch self {
        case .added(let record): (record, .added)
        case .updated(let record): (record, .updated)
        case .unchanged(let record): (record, .unchanged)
        case .rejected(let refusal):
            throw RefusedRecord(refusal, field: field)
        }
    }
}

extension Outcome {
    /// The value, or a refusal as the fault of the record.
    func orRefuse(field: String?) throws -> Value {
        switch self {
        case .done(let value): value
        case .refused(let refusal):
            throw RefusedRecord(refusal, field: field)
        }
    }
}

extension ImportedLoan.Work {
    /// Whether it is in the catalogue, or the record is refused.
    fileprivate var isThere: Bool { if case .isbn = self { true } else { false } }
}

extension ImportedRecord {
    fileprivate var isGuardian: Bool { if case .guardians = self { true } else { false } }

    /// Whether it is a code that other records name, or a part of the record before it.
    fileprivate var isDeclaration: Bool {
        switch self {
        case .branch, .category, .itemType, .location, .guardians: true
        default: false
        }
    }

    /// Whether all that can refuse it comes before its first write.
    fileprivate var isOneWrite: Bool {
        switch self {
        case .title(let title): title.copies == 0 && title.barcodes.isEmpty && title.marc == nil
        case .loan(let loan):
            // Its title may have to be added before it is known that nobody is called so.
            !loan.isOfBitBooks && (loan.work?.isThere ?? true || loan.username == nil && loan.borrower == nil)
        case .category, .inHouseUse, .ledgerEntry, .library, .location, .storedNotice: true
        case .block, .branch, .copy, .course, .hold, .itemType, .market, .notice, .patron, .patronLink, .guardians,
            .policyActivation, .reader, .wholeLibrary:
            false
        }
    }
}
