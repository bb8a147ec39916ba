import Circulation
import Desk

extension FactLibrary {
    func desk(channel: ActorFacts.Channel = .desk, branch: String? = nil) -> Desk {
        switch channel {
        case .desk: desk.acting(as: Actor(name: "desk", role: .staff, channel: .desk, branch: branch))
        case .job: desk.acting(as: Actor(name: "job", role: .job, channel: .job, branch: branch))
        default: desk.acting(as: Actor(name: "online", role: .staff, channel: channel, branch: branch))
        }
    }

    /// Asks for a copy, which may be refused.
    func checkout(
        _ barcode: String, by patron: String = FactLibrary.reader, onSite: Bool = false, at branch: String? = nil
    ) throws -> Outcome<Loan> {
        let outcome = try desk(branch: branch).write { session in
            try session.loans.checkout(
                CheckoutRequest(patron: .username(patron), wanted: .barcode(barcode), onSite: onSite))
        }
        let place = (branch.map { " at \($0)" } ?? "") + (onSite ? " on site" : "")
        try noted("\(patron) asks for \(barcode)\(place)", outcome) { "lent, due \(self.due($0.first))" }
        switch outcome {
        case .refused(let refusal): return .refused(refusal)
        case .done(let loans):
            guard let loan = loans.first else { throw NotExpressed("the checkout made no loan") }
            return .done(loan)
        }
    }

    /// Lends a copy that must be lent for the fact to be tried.
    func lend(
        _ barcode: String, to patron: String = FactLibrary.reader, onSite: Bool = false, at branch: String? = nil,
        due: Moment? = nil
    ) throws -> Loan {
        let loan = try checkout(barcode, by: patron, onSite: onSite, at: branch).done("a loan beforehand")
        guard let due else { return loan }
        return try setDue(loan, due)
    }

    /// Staff set a due time.
    func setDue(_ loan: Loan, _ due: Moment) throws -> Loan {
        let outcome = try desk.write { session in
            try due.isDate
                ? session.loans.setDue(.id(loan.id), date: due.date, reason: "as the fact says")
                : session.loans.setDue(.id(loan.id), instant: due.instant, reason: "as the fact says")
        }
        return try noted("staff set the due time of \(barcode(loan))", outcome) { "due \(self.due($0))" }
            .done("the due time \(due.instant)")
    }

    func renew(
        _ loan: Loan, channel: ActorFacts.Channel = .desk, at branch: String? = nil
    ) throws -> Outcome<Loan> {
        let outcome = try desk(channel: channel, branch: branch).write { try $0.loans.renew(.id(loan.id)) }
        let how = channel == .desk ? "" : " (\(channel.rawValue))"
        return try noted("the loan of \(barcode(loan)) is to be renewed\(how)", outcome) {
            "renewed, due \(self.due($0))"
        }
    }

    func checkin(_ loan: Loan, at moment: Instant? = nil) throws -> Outcome<Checkin> {
        let outcome = try desk.write { try $0.loans.checkin(.id(loan.id), at: moment) }
        let dated = moment.map { ", dated \(self.words($0))" } ?? ""
        return try noted("\(barcode(loan)) comes back\(dated)", outcome)
    }

    /// A copy is handed in over the counter of a branch.
    func scan(_ barcode: String, at branch: String? = nil) throws -> Outcome<Checkin> {
        let outcome = try desk(branch: branch).write { try $0.loans.checkin(.barcode(barcode)) }
        return try noted("\(barcode) is scanned\(branch.map { " at \($0)" } ?? "")", outcome) {
            $0.hold.map { "hold \($0.id) is \($0.state.rawValue)" } ?? "done"
        }
    }

    @discardableResult
    func sweep() throws -> SweepReport {
        let report = try desk.sweep()
        if report.failed > 0, let failure = report.failures.first {
            throw NotExpressed("the policy failed in the sweep: \(failure.failure.message)")
        }
        note("sweep: \(report.notices) notices, \(report.charges) lines of accounts, \(report.renewed) renewed")
        return report
    }

    // MARK: What stands

    func loan(_ loan: Loan) throws -> Loan {
        guard let current = try desk.read({ try $0.loans.get(.id(loan.id)) }) else {
            throw NotExpressed("the loan \(loan.id) is gone")
        }
        return current
    }

    /// What the reader owes; negative if the library owes.
    func owed(by patron: String = FactLibrary.reader) throws -> Money {
        try desk.read { try $0.fees.owed(by: .username(patron)) }
    }

    /// How many of a patron's loans are past their due time.
    func overdueLoans(of patron: String = FactLibrary.reader) throws -> Int64 {
        let loans = try desk.read { try $0.loans.active(of: .username(patron)) }
        return Int64(loans.count { $0.due.map { $0.instant < now } ?? false })
    }

    func ledger(of patron: String = FactLibrary.reader) throws -> [LedgerEntry] {
        try desk.read { try $0.fees.ledger(of: .username(patron)) }
    }

    func due(_ loan: Loan?) -> String {
        guard let due = loan?.due else { return "never" }
        return words(due.instant)
    }

    func words(_ instant: Instant) -> String {
        let local = zone.local(of: instant)
        return "\(local.date) \(local.time)"
    }

    private func barcode(_ loan: Loan) -> String {
        (try? loan.copy.flatMap { id in try desk.read { try $0.catalogue.copy(id: id)?.barcode } }) ?? "\(loan.id)"
    }
}
