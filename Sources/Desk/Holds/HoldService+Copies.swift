import Circulation
import Storage

extension HoldService {
    /// Gives a copy that is free to the first in line who may have it.
    ///
    /// - Parameters:
    ///   - branch: where the copy is.
    ///   - isThere: false for one that is still on its way to that branch, so that it must be scanned there first.
    /// - Returns: the hold that got it, nil if there was none.
    @discardableResult
    func setAside(_ copy: Copy, at branch: String, isThere: Bool = true) throws -> Hold? {
        // Most copies come back to a queue that is empty; who places a hold meanwhile finds the copy on the pull list.
        guard try !transaction.holds.waiting(title: copy.title).isEmpty else { return nil }
        try transaction.holds.lockQueue(title: copy.title)
        for hold in try transaction.holds.waiting(title: copy.title)
        where hold.copy == nil || hold.copy == copy.id {
            guard try isActive(hold), let terms = try terms(of: hold, for: copy) else { continue }
            var hold = hold
            hold.heldCopy = copy.id
            guard isThere, hold.pickupBranch == branch else {
                hold.state = .transit
                return try record(.inTransit, hold).hold
            }
            return try shelve(hold, copy, terms)
        }
        return nil
    }

    /// What a scan at the desk means for a copy that is not on loan: it leaves the transit at its pickup branch, or it is
    /// set aside for the first in line. A second scan changes nothing.
    ///
    /// - Returns: nil where the scan means nothing.
    func scan(_ copy: Copy, at branch: String) throws -> ScannedCopy? {
        if let hold = try transaction.holds.setAside(copy: copy.id) {
            guard hold.state == .transit, hold.pickupBranch == branch else {
                return ScannedCopy(copy: copy, hold: hold)
            }
            let shelved = try shelve(hold, copy, try terms(of: hold, for: copy) ?? ShelfTerms())
            return try ScannedCopy(copy: transaction.copies.get(copy.id) ?? copy, hold: shelved)
        }
        switch copy.status {
        case .available:
            guard let hold = try setAside(copy, at: branch) else { return nil }
            return try ScannedCopy(copy: transaction.copies.get(copy.id) ?? copy, hold: hold)
        case .inTransit:
            var arrived = copy
            arrived.status = .available
            try session.record(.copyUpdated, arrived)
            let hold = try setAside(arrived, at: branch)
            return try ScannedCopy(copy: transaction.copies.get(copy.id) ?? arrived, hold: hold)
        case .onLoan, .onHoldShelf, .lost, .withdrawn:
            return nil
        }
    }

    /// Ends an open hold; a copy that was set aside goes to the next in line.
    func close(_ hold: Hold, _ step: HoldChange.Step, reason: String? = nil) throws -> Hold {
        var closed = hold
        closed.state = step == .expired ? .expired : .cancelled
        closed.closedAt = session.now
        closed.heldCopy = nil
        closed = try record(step, closed, reason: reason).hold
        try passOn(from: hold)
        return closed
    }

    /// Gives the copy that a hold had to the next in line. One that was still in transit goes on travelling.
    private func passOn(from hold: Hold) throws {
        guard hold.isSetAside, let id = hold.heldCopy, let copy = try transaction.copies.get(id),
            copy.status == .available
        else { return }
        try setAside(copy, at: hold.pickupBranch, isThere: hold.state == .shelf)
    }

    private func shelve(_ hold: Hold, _ copy: Copy, _ terms: ShelfTerms) throws -> Hold {
        var hold = hold
        hold.state = .shelf
        hold.shelvedAt = session.now
        hold.shelfUntil = terms.until
        hold = try record(.shelved, hold).hold
        guard let patron = hold.patron else { return hold }
        try session.notices.announce(
            Announcement(.holdReady, to: patron, copy: copy, hold: hold, branch: hold.pickupBranch))
        return hold
    }

    /// How long a copy may stay on the shelf.
    struct ShelfTerms {
        var until: Instant?
    }

    /// What the policy says about giving the copy to the hold's patron: nil if it is not lent to them at all. What may
    /// have passed by the time they come (a limit, a fee) does not keep it from them. A policy that fails is on record
    /// and keeps nothing from anybody.
    func terms(of hold: Hold, for copy: Copy) throws -> ShelfTerms? {
        guard let patronID = hold.patron, let titleID = hold.title else { return nil }
        let desk = try CaseBuilder(session: session)
        guard let patron = try desk.patron(patronID, at: hold.pickupBranch),
            let title = try desk.title(titleID, for: patronID)
        else { return nil }
        if let end = patron.expiresOn, end < (try today(at: hold.pickupBranch)) { return nil }
        guard let activation = try session.policies.inForce() else { return ShelfTerms() }
        var facts = desk.facts(of: copy)
        facts.status = .available
        facts.heldForOther = false
        var question = desk.question(
            .checkout, at: hold.pickupBranch, patron: patron, title: title, copy: facts)
        question.request = RequestFacts(size: 1, titles: [titleID], index: 1)
        question.hold = Self.facts(of: hold, category: patron.category)
        do {
            return try session.policies.asking(activation.policy, at: .checkout) { policy in
                let asked = try desk.ask(policy, question, copy: copy)
                if asked.decision.answer == .failed { throw Refused(asked, title: titleID) }
                if asked.isAboutTheCopy { return nil }
                return ShelfTerms(until: try asked.decision.rule?.shelfEnd(for: question))
            }
        } catch let refused as Refused {
            guard let failed = refused.failed else { throw refused }
            if session.transaction.isWritable { try session.record(.policyFailed, failed) }
            return ShelfTerms()
        }
    }

    static func facts(of hold: Hold, category: String, position: Int64 = 1) -> HoldFacts {
        HoldFacts(
            id: hold.id, category: category, pickupBranch: hold.pickupBranch, placedAt: hold.placedAt,
            expiresOn: hold.expiresOn, isForCopy: hold.copy != nil, priority: hold.priority, position: position)
    }
}

/// A copy that was scanned without being on loan.
struct ScannedCopy {
    var copy: Copy
    /// The hold for which it is set aside.
    var hold: Hold?
}

// MARK: - What others do to copies and patrons

extension HoldService {
    /// Whether the copy is kept from this patron: it is set aside for another, or there are no more available copies than
    /// others wait for who come first.
    func isHeldForOther(_ copy: Copy, than patron: Int64, waiting: Int64) throws -> Bool {
        switch copy.status {
        case .onHoldShelf, .inTransit:
            guard let hold = try transaction.holds.setAside(copy: copy.id) else { return false }
            return hold.patron != patron
        case .available where waiting > 0:
            return try isSpokenFor(copy, patron)
        case .available, .onLoan, .lost, .withdrawn:
            return false
        }
    }

    private func isSpokenFor(_ copy: Copy, _ patron: Int64) throws -> Bool {
        let ahead = try transaction.holds.waiting(title: copy.title).prefix { $0.patron != patron }
            .filter { try isActive($0) }
        let forOneCopy = Set(ahead.compactMap(\.copy))
        if forOneCopy.contains(copy.id) { return true }
        let others = try transaction.copies.of(title: copy.title)
            .count { $0.status == .available && $0.id != copy.id && !forOneCopy.contains($0.id) }
        return ahead.count { $0.copy == nil } > others
    }

    /// The copy that is set aside for the patron, of the title: one on the shelf rather than one in transit.
    func copySetAside(of title: Int64, for patron: Int64) throws -> Copy? {
        let own = try transaction.holds.open(patron: patron).filter { $0.title == title && $0.isSetAside }
        let hold = own.first { $0.state == .shelf } ?? own.first
        return try hold?.heldCopy.flatMap { try transaction.copies.get($0) }
    }

    /// Makes of a loan what it means for holds: it fills the patron's own on the title, and sends one for which the copy
    /// was set aside, if it was lent to another in spite of that, back to its queue.
    func settle(after loan: Loan) throws {
        guard let patron = loan.patron, let title = loan.title, let copy = loan.copy else { return }
        try transaction.holds.lockQueue(title: title)
        if let other = try transaction.holds.setAside(copy: copy), other.patron != patron { try returnToQueue(other) }
        let own = try transaction.holds.open(patron: patron).filter { $0.title == title }
        let fitting = own.filter { $0.copy == nil || $0.copy == copy }
        guard
            let hold = fitting.first(where: { $0.heldCopy == copy }) ?? fitting.first(where: \.isSetAside)
                ?? fitting.first
        else { return }
        var filled = hold
        filled.state = .filled
        filled.heldCopy = copy
        filled.loan = loan.id
        filled.closedAt = session.now
        try record(.filled, filled)
        if hold.heldCopy != copy { try passOn(from: hold) }
    }

    /// A copy that was set aside is gone: its hold waits again, in its old place.
    private func returnToQueue(_ hold: Hold) throws {
        var hold = hold
        hold.state = .waiting
        hold.heldCopy = nil
        hold.shelvedAt = nil
        hold.shelfUntil = nil
        try record(.returned, hold)
    }

    /// A copy was withdrawn, lost, or put elsewhere by staff: what was set aside waits again, and holds that this copy
    /// alone could fill end if it is gone for good.
    func settle(afterLosing copy: Copy) throws {
        if !copy.status.isSetAside, let hold = try transaction.holds.setAside(copy: copy.id) {
            try returnToQueue(hold)
        }
        guard copy.status == .withdrawn || copy.status == .lost else { return }
        for hold in try transaction.holds.open(copy: copy.id) {
            _ = try close(hold, .cancelled, reason: "The copy is \(copy.status.rawValue).")
        }
    }

    /// Ends all open holds of a patron or of a title that is about to go.
    func closeAll(_ holds: [Hold], reason: String) throws {
        for hold in holds {
            guard let current = try transaction.holds.get(hold.id), current.isOpen else { continue }
            _ = try close(current, .cancelled, reason: reason)
        }
    }
}
