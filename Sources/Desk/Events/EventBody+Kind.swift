import Circulation

extension EventBody {
    /// The kind under which it is written down.
    package var kind: EventKind {
        switch self {
        case .libraryChanged: .libraryChanged
        case .branchAdded: .branchAdded
        case .branchUpdated: .branchUpdated
        case .branchRemoved: .branchRemoved
        case .categoryAdded: .categoryAdded
        case .categoryUpdated: .categoryUpdated
        case .categoryRemoved: .categoryRemoved
        case .itemTypeAdded: .itemTypeAdded
        case .itemTypeUpdated: .itemTypeUpdated
        case .itemTypeRemoved: .itemTypeRemoved
        case .titleAdded: .titleAdded
        case .titleUpdated: .titleUpdated
        case .titleRemoved: .titleRemoved
        case .copyAdded: .copyAdded
        case .copyUpdated: .copyUpdated
        case .copyWithdrawn: .copyWithdrawn
        case .copyUsedInHouse: .copyUsedInHouse
        case .patronAdded: .patronAdded
        case .patronUpdated: .patronUpdated
        case .patronRemoved: .patronRemoved
        case .patronMerged: .patronMerged
        case .patronBlocked: .patronBlocked
        case .patronUnblocked: .patronUnblocked
        case .loanMade: .loanMade
        case .loanRenewed: .loanRenewed
        case .loanReturned: .loanReturned
        case .loanDueSet: .loanDueSet
        case .loanImported: .loanImported
        case .loanRenewalImported: .loanRenewalImported
        case .loanRecalled: .loanRecalled
        case .loanLost: .loanLost
        case .loanClaimed: .loanClaimed
        case .hold(let change): change.step.kind
        case .holdsMoved: .holdMoved
        case .market(let event): event.kind
        case .policyOverridden: .policyOverridden
        case .policyActivated: .policyActivated
        case .policyWithdrawn: .policyWithdrawn
        case .policyFailed: .policyFailed
        case .decisionsPruned: .decisionsPruned
        case .accountChanged: .accountChanged
        case .eventsCleared: .eventsCleared
        case .requestRefused: .requestRefused
        case .noticeRecorded: .noticeRecorded
        case .noticeChanged: .noticeChanged
        case .ledgerPosted: .ledgerPosted
        }
    }

    /// The patron, copy and loan by which the log can be searched; an event about several has none.
    var subjects: EventSubjects {
        switch self {
        case .copyAdded(let copy), .copyUpdated(let copy), .copyWithdrawn(let copy): EventSubjects(copy: copy.id)
        case .copyUsedInHouse(let use): EventSubjects(copy: use.copy)
        case .patronAdded(let patron, _), .patronUpdated(let patron, _): EventSubjects(patron: patron.id)
        case .patronRemoved(let id): EventSubjects(patron: id)
        case .accountChanged(let change): EventSubjects(patron: change.patron)
        case .eventsCleared(let clearing): EventSubjects(patron: clearing.patron)
        case .patronMerged(let merge): EventSubjects(patron: merge.into)
        case .patronBlocked(let block), .patronUnblocked(let block): EventSubjects(patron: block.patron)
        case .loanMade(let loan), .loanImported(let loan): EventSubjects(loan)
        case .loanRenewed(let change), .loanDueSet(let change), .loanRecalled(let change), .loanLost(let change),
            .loanClaimed(let change):
            EventSubjects(change.loan)
        case .hold(let change): change.subjects
        case .market(let event): event.subjects
        case .holdsMoved(let holds) where holds.count == 1: EventSubjects(patron: holds[0].patron)
        case .loanReturned(let back): EventSubjects(patron: back.patron, copy: back.copy, loan: back.loan)
        case .loanRenewalImported(let past): EventSubjects(patron: past.patron, copy: past.copy, loan: past.loan)
        case .policyOverridden(let it): EventSubjects(patron: it.patron, copy: it.copy, loan: it.loan)
        case .policyFailed(let it): EventSubjects(patron: it.patron, copy: it.copy, loan: it.loan)
        case .requestRefused(let it): EventSubjects(patron: it.patron, copy: it.copy, loan: it.loan)
        case .noticeRecorded(let notices) where notices.count == 1:
            EventSubjects(patron: notices[0].patron, loan: notices[0].loan)
        case .noticeChanged(let change): EventSubjects(patron: change.patron, loan: change.loan)
        case .ledgerPosted(let entries) where entries.count == 1:
            EventSubjects(patron: entries[0].patron, loan: entries[0].loan)
        default: EventSubjects()
        }
    }
}

/// The columns by which events are searched.
struct EventSubjects: Hashable, Sendable {
    var patron: Int64?
    var copy: Int64?
    var loan: Int64?

    init(patron: Int64? = nil, copy: Int64? = nil, loan: Int64? = nil) {
        self.patron = patron
        self.copy = copy
        self.loan = loan
    }

    init(_ loan: Loan) {
        self.init(patron: loan.patron, copy: loan.copy, loan: loan.id)
    }
}

extension EventBody {
    /// Whether the library's settings change with it.
    var changesSettings: Bool {
        switch self {
        case .libraryChanged, .branchAdded, .branchUpdated, .branchRemoved, .categoryAdded, .categoryUpdated,
            .categoryRemoved, .itemTypeAdded, .itemTypeUpdated, .itemTypeRemoved:
            true
        default: false
        }
    }
}
