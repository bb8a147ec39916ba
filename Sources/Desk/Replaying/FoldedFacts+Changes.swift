import Circulation
import Storage

// What events change of what is known. Events that come with every loan are followed, others make it forget what they
// are about, and rare ones all.
extension FoldedFacts {
    /// Applies an event to the tables, and follows it.
    func follow(_ body: EventBody) throws {
        do {
            let before = try holdBefore(body)
            _ = try body.applied(to: transaction)
            try body.follow(self)
            if let before { forget(before) }
        } catch {
            // How much of it was done is unknown.
            forgetAll()
            throw error
        }
        trim()
    }

    /// A step of a hold also lets go of what it had before.
    private func holdBefore(_ body: EventBody) throws -> Hold? {
        guard let change = body.content(HoldChange.self), change.hold.id != 0 else { return nil }
        return try transaction.holds.get(change.hold.id)
    }

    func noteMade(_ loan: Loan) throws {
        loans[loan.id] = loan
        silent.insert(loan.id)
        if let copy = loan.copy { setStatus(.onLoan, of: copy) }
        guard let patron = loan.patron, let known = patrons[patron] else { return }
        guard let copyID = loan.copy, let copy = try copy(copyID), loan.returnedAt == nil, loan.claimedAt == nil,
            known.loans.last.map({ $0 < loan.id }) ?? true
        else {
            patrons[patron] = nil
            return
        }
        let settings = try transaction.settings.snapshot()
        let facts = OpenLoanFacts(
            title: copy.title, itemTypes: settings.itemTypes(from: copy.itemType), branch: "",
            branches: settings.branches(from: loan.branch ?? ""), copyBranches: settings.branches(from: copy.branch),
            location: copy.location, onSite: loan.onSite, channel: loan.channel, dueAt: loan.due?.instant)
        known.facts.loans.append(facts)
        known.loans.append(loan.id)
    }

    func noteReturned(_ back: LoanReturn) throws {
        if let patron = try borrower(of: back.loan), let known = patrons[patron],
            let place = known.loans.firstIndex(of: back.loan)
        {
            known.facts.loans.remove(at: place)
            known.loans.remove(at: place)
        }
        loans[back.loan] = nil
        silent.remove(back.loan)
        if let copy = back.copy { setStatus(.available, of: copy) }
    }

    func noteDue(_ loan: Loan) throws {
        if let patron = try borrower(of: loan.id), let known = patrons[patron],
            let place = known.loans.firstIndex(of: loan.id)
        {
            known.facts.loans[place].dueAt = loan.due?.instant
        }
        loans[loan.id]?.due = loan.due
        loans[loan.id]?.renewals = loan.renewals
        loans[loan.id]?.unseenRenewals = loan.unseenRenewals
        loans[loan.id]?.renewedAt = loan.renewedAt
        loans[loan.id]?.recalledAt = loan.recalledAt
        loans[loan.id]?.policy = loan.policy
    }

    /// As the tables have it, whatever the event says.
    private func borrower(of loan: Int64) throws -> Int64? {
        if let loan = loans[loan] { return loan.patron }
        return patrons.isEmpty ? nil : try transaction.loans.get(loan)?.patron
    }

    private func setStatus(_ status: CopyStatus, of id: Int64) {
        guard let known = copies[id] else { return }
        copies[id]?.status = status
        titles[known.title]?.count(known.status, by: -1)
        titles[known.title]?.count(status, by: 1)
    }

    func forget(loan: Loan) throws {
        if let patron = loan.patron { patrons[patron] = nil }
        if let patron = try borrower(of: loan.id) { patrons[patron] = nil }
        loans[loan.id] = nil
        silent.remove(loan.id)
        if let copy = loan.copy { forget(copy: copy) }
    }

    private func forget(copy id: Int64) {
        if let copy = copies.removeValue(forKey: id) { titles[copy.title] = nil }
    }

    func forget(_ hold: Hold) {
        if let patron = hold.patron { patrons[patron] = nil }
        if let title = hold.title { titles[title] = nil }
        if let copy = hold.heldCopy { forget(copy: copy) }
    }
}

extension TitleFacts {
    /// Counts a copy, or counts it no more.
    fileprivate mutating func count(_ status: CopyStatus, by number: Int64) {
        switch status {
        case .lost, .withdrawn: return
        case .available: available += number
        case .onLoan, .onHoldShelf, .inTransit: break
        }
        copies += number
    }
}
