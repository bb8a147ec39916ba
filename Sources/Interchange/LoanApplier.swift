import Circulation
import Desk
import Storage
import TextFormats

/// Puts loans of another system into the store, each under a key made of its content and its ordinal among identical
/// rows of the file, so that the same file again adds nothing.
struct LoanApplier {
    let session: DeskSession
    let settings: DeclaredSettings
    let run: ImportRun

    func apply(_ imported: ImportedLoan) throws -> ImportChange {
        let imported = try withBorrower(imported)
        let key = try imported.key ?? key(of: imported.content)
        var loan = try imported.details ?? Loan(lentAt: lentAt(imported))
        loan.lentAt = try lentAt(imported)
        loan.importKey = key
        loan.title = try TitleApplier(session: session, settings: settings, run: run).id(of: imported.work)
        loan.category = imported.category
        loan.branch = imported.branch
        loan.itemType = imported.itemType
        loan.renewals = imported.renewals
        loan.returnedAt = try returnedAt(imported)
        loan.lostAt = imported.lostAt
        loan.claimedAt = imported.claimedAt
        if let username = imported.username { try lend(&loan, to: username, imported) }
        if loan.returnedAt != nil, let barcode = imported.barcode {
            loan.copy = try session.catalogue.copy(barcode: barcode)?.id
        }
        loan.due = try loan.due ?? imported.dueOn.map { try dueTime(on: $0, branch: loan.branch) }
        let isExported = imported.details.map { $0.id != 0 } ?? false
        var terms = try run.arrivals.terms(in: session, isExported: isExported)
        if imported.isOfBitBooks { try keepWord(of: loan, imported, &terms) }
        let arrived = try session.imports.loan(loan, renewed: imported.renewed, under: terms)
        let (stored, change) = try arrived.loan.change(field: nil)
        try run.lent(imported)
        if change == .added { run.note { $0.note(stored, arrived, at: session.now, of: imported) } }
        run.note(.loan, imported.details?.id, isNow: stored.id)
        return change
    }

    /// What the other system told is what its messages say, and nothing else.
    private func keepWord(of loan: Loan, _ imported: ImportedLoan, _ terms: inout ArrivalTerms) throws {
        terms.takesLost = true
        terms.noticesSentUntil = run.arrivals.noticesSentUntil
        terms.told = .nothing
        guard case .isbn(let isbn) = imported.work, let patron = loan.patron,
            let message = try session.notices.message(to: patron, key: ImportedNotice.key(patron, isbn))
        else { return }
        terms.told = .late(by: message.createdAt)
    }

    /// The loan with the patron whom it names by a username or a name.
    private func withBorrower(_ imported: ImportedLoan) throws -> ImportedLoan {
        guard let name = imported.borrower, imported.username == nil else { return imported }
        var imported = imported
        let found = try session.patrons.called(name)
        if let patron = found.first, found.count == 1 {
            imported.username = patron.username
        } else {
            run.warn("borrower", "left_out", "'\(name)' is the name of no patron, or of several; left out")
        }
        return imported
    }

    /// Due at the end of the day: other systems seldom say more.
    private func dueTime(on date: CivilDate, branch: String?) throws -> DueTime {
        let own = try branch.flatMap { try session.settings.branch($0)?.zone }
        let zone = try own ?? session.settings.library().zone
        return DueTime(instant: zone.instant(of: date, .lastSecond), date: date, isExact: false)
    }

    private func key(of content: String) throws -> String {
        let digest = SHA256.hexadecimal(of: content.utf8)
        return "row:\(digest):\(try run.tally.ordinals(of: [digest]).first ?? 1)"
    }

    private func lentAt(_ imported: ImportedLoan) throws -> Instant {
        try imported.lentAt ?? midnight(imported.lentOn)
    }

    private func returnedAt(_ imported: ImportedLoan) throws -> Instant? {
        try imported.returnedAt ?? imported.returnedOn.map(midnight)
    }

    /// Of a day without a time the beginning stands, in the library's zone.
    private func midnight(_ date: CivilDate) throws -> Instant {
        try session.settings.library().zone.instant(of: date, .midnight)
    }

    /// A loan of a known patron that is still open takes a copy and counts like any other.
    private func lend(_ loan: inout Loan, to username: String, _ imported: ImportedLoan) throws {
        guard let patron = try session.patrons.get(.username(username)) else {
            throw RefusedRecord(field: "username", code: "unknown_patron", message: "no patron is called '\(username)'")
        }
        loan.patron = patron.id
        loan.category = loan.category ?? patron.category
        loan.homeBranch = loan.homeBranch ?? patron.homeBranch
        guard loan.returnedAt == nil else { return }
        // A loan that is in the store already has its copy; the key identifies it.
        if let key = loan.importKey, try session.imports.hasLoan(key) { return }
        // An export says which copy it is, or that none is known any more.
        if let details = imported.details, details.id != 0, imported.barcode == nil { return }
        let isOpen = try imported.dueOn != nil || run.arrivals.terms(in: session, isExported: false).decidedBy != nil
        let taken =
            try imported.isOfBitBooks && isOpen ? givenCopy(of: loan.title) : freeCopy(imported, title: loan.title)
        guard let copy = taken else {
            throw RefusedRecord(field: "isbn", code: "no_copies", message: "no copy of the title is free for this loan")
        }
        loan.copy = copy.id
        loan.title = copy.title
        loan.itemType = copy.itemType
        loan.branch = loan.branch ?? copy.branch
    }

    /// A copy of which the other system knew that it is out; where it counted fewer than it had loans, another one, if need be
    /// a further one: the loan is lost in no case.
    private func givenCopy(of title: Int64?) throws -> Copy? {
        guard let id = title, let title = try session.catalogue.get(.id(id)) else { return nil }
        let copies = try session.catalogue.copies(of: .id(id))
        let given = try copies.first { copy in
            try copy.status == .lost && session.loans.get(.barcode(copy.barcode)) == nil
        }
        if let given { return given }
        let words = "no further copy of '\(title.title)' counts as given (given_copies) for this loan"
        if let available = copies.first(where: { $0.status == .available }) {
            run.warn("isbn", "not_given", "\(words): it takes one that was available")
            return available
        }
        run.warn("isbn", "not_given", "\(words), and none is available: a copy is added for it")
        return try session.catalogue.addCopies(of: .id(id)).orRefuse(field: "isbn").first
    }

    private func freeCopy(_ imported: ImportedLoan, title: Int64?) throws -> Copy? {
        if let barcode = imported.barcode {
            guard let copy = try session.catalogue.copy(barcode: barcode) else { return nil }
            let isLost =
                try imported.lostAt != nil && copy.status == .lost && session.loans.get(.barcode(barcode)) == nil
            return isLost || copy.status == .available ? copy : nil
        }
        guard let title else { return nil }
        return try session.catalogue.copies(of: .id(title)).first { $0.status == .available }
    }
}
