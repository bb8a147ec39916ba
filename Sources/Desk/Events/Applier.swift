import Circulation
import Storage

/// The one place through which tables change: the desk's services use it for what happens now, and the check of the
/// store for what happened before. So applying the log to an empty store gives the tables that are there.
struct Applier {
    let transaction: Transaction

    /// Makes the change.
    ///
    /// - Returns: the body as it is to be written down, with the ids that new rows were given (an id of 0 asks for one)
    ///   and without the lines of a batch that were there already; nil if nothing of it was new.
    func apply(_ body: EventBody) throws -> EventBody? {
        switch body {
        case .libraryChanged, .branchAdded, .branchUpdated, .branchRemoved, .categoryAdded, .categoryUpdated,
            .categoryRemoved, .itemTypeAdded, .itemTypeUpdated, .itemTypeRemoved:
            try applySettings(body)
            return body
        case .titleAdded, .titleUpdated, .titleRemoved, .copyAdded, .copyUpdated, .copyWithdrawn, .copyUsedInHouse:
            return try applyCatalogue(body)
        case .patronAdded, .patronUpdated, .patronRemoved, .patronMerged, .patronBlocked, .patronUnblocked:
            return try applyPatrons(body)
        case .loanMade, .loanRenewed, .loanReturned, .loanDueSet, .loanRecalled, .loanLost, .loanClaimed,
            .loanImported:
            return try applyLoans(body)
        case .hold(let change):
            return .hold(try apply(change))
        case .holdsMoved(let holds):
            for hold in holds { try transaction.holds.update(hold) }
            return body
        case .market(let event):
            return .market(try apply(event))
        case .policyActivated(var activation, let bundle):
            try transaction.policies.insert(bundle ?? PolicyBundle(sha256: activation.policy, files: []))
            activation.id = try transaction.policies.insert(activation)
            return .policyActivated(activation, bundle: bundle)
        case .policyWithdrawn(let activation):
            guard let moment = activation.withdrawnAt else { return nil }
            return try transaction.policies.withdraw(activation.id, at: moment) ? body : nil
        case .noticeRecorded, .noticeChanged, .ledgerPosted:
            return try applyAccounts(body)
        // The loan that was imported counts the renewal already.
        case .loanRenewalImported, .policyOverridden, .policyFailed, .decisionsPruned, .accountChanged,
            .eventsCleared, .requestRefused:
            return body
        }
    }

    private func applySettings(_ body: EventBody) throws {
        let settings = transaction.settings
        switch body {
        case .libraryChanged(let library): try settings.setLibrary(library)
        case .branchAdded(let branch): try settings.insert(branch)
        case .branchUpdated(let branch): try settings.update(branch)
        case .branchRemoved(let code): try settings.removeBranch(code)
        case .categoryAdded(let category): try settings.insert(category)
        case .categoryUpdated(let category): try settings.update(category)
        case .categoryRemoved(let code): try settings.removeCategory(code)
        case .itemTypeAdded(let itemType): try settings.insert(itemType)
        case .itemTypeUpdated(let itemType): try settings.update(itemType)
        case .itemTypeRemoved(let code): try settings.removeItemType(code)
        default: break
        }
    }

    private func applyCatalogue(_ body: EventBody) throws -> EventBody {
        switch body {
        case .titleAdded(var title):
            title.id = try transaction.titles.insert(title)
            return .titleAdded(title)
        case .titleUpdated(let title):
            try transaction.titles.update(title)
        case .titleRemoved(let id):
            for copy in try transaction.copies.of(title: id) { try transaction.copies.remove(copy.id) }
            try transaction.titles.remove(id)
        case .copyAdded(var copy):
            copy.id = try transaction.copies.insert(copy)
            return .copyAdded(copy)
        case .copyUsedInHouse(var use):
            use.id = try transaction.inHouseUses.insert(use)
            return .copyUsedInHouse(use)
        case .copyUpdated(let copy), .copyWithdrawn(let copy):
            try transaction.copies.update(copy)
        default: break
        }
        return body
    }

    private func applyPatrons(_ body: EventBody) throws -> EventBody {
        switch body {
        case .patronAdded(var patron, let fields):
            patron.id = try transaction.patrons.insert(patron)
            return .patronAdded(patron, fields: fields)
        case .patronUpdated(let patron, _):
            try transaction.patrons.update(patron)
        case .patronRemoved(let id):
            try transaction.patrons.remove(id)
        case .patronMerged(let merge):
            try apply(merge)
        case .patronBlocked(var block):
            block.id = try transaction.blocks.insert(block)
            return .patronBlocked(block)
        case .patronUnblocked(let block):
            try transaction.blocks.update(block)
        default: break
        }
        return body
    }

    private func applyLoans(_ body: EventBody) throws -> EventBody? {
        switch body {
        case .loanMade(var loan):
            loan.id = try transaction.loans.insert(loan)
            if let copy = loan.copy { try transaction.copies.setStatus(.onLoan, of: copy) }
            return .loanMade(loan)
        case .loanRenewed(let change), .loanDueSet(let change), .loanRecalled(let change):
            try transaction.loans.updateDue(change.loan)
        case .loanReturned(let back):
            try transaction.loans.setReturned(back.loan, at: back.returnedAt)
            if let copy = back.copy { try transaction.copies.setStatus(.available, of: copy) }
        case .loanLost(let change):
            try transaction.loans.updateStop(change.loan)
            if let copy = change.loan.copy { try transaction.copies.setStatus(.lost, of: copy) }
        case .loanClaimed(let change):
            try transaction.loans.updateStop(change.loan)
        case .loanImported(var loan):
            guard let id = try transaction.loans.insertIfNew(loan) else { return nil }
            loan.id = id
            if let copy = loan.copy, loan.returnedAt == nil {
                try transaction.copies.setStatus(loan.lostAt == nil ? .onLoan : .lost, of: copy)
            }
            return .loanImported(loan)
        default: break
        }
        return body
    }

    private func applyAccounts(_ body: EventBody) throws -> EventBody? {
        switch body {
        case .noticeRecorded(let notices):
            let recorded = try notices.compactMap { notice in
                var notice = notice
                guard let id = try transaction.notices.insert(notice) else { return Notice?.none }
                notice.id = id
                return notice
            }
            return recorded.isEmpty ? nil : .noticeRecorded(recorded)
        case .ledgerPosted(let entries):
            let posted = try entries.compactMap { entry in
                var entry = entry
                guard let id = try transaction.ledger.insert(entry) else { return LedgerEntry?.none }
                entry.id = id
                return entry
            }
            return posted.isEmpty ? nil : .ledgerPosted(posted)
        case .noticeChanged(let change):
            guard var notice = try transaction.notices.get(change.notice) else { return nil }
            notice.state = change.state
            notice.sentAt = change.sentAt
            notice.readAt = change.readAt
            notice.tries = change.tries
            notice.carriedBy = change.carriedBy
            notice.failure = change.failure
            try transaction.notices.update(notice)
            return body
        default:
            return body
        }
    }
}
