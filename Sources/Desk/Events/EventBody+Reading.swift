import Circulation

extension EventBody {
    /// Reads a payload back. The switch is the table of what each kind carries.
    init(kind: EventKind, at: Instant, payload: EventPayload) throws {
        switch kind {
        case .libraryChanged: self = .libraryChanged(try payload.library())
        case .branchAdded: self = .branchAdded(try payload.branch())
        case .branchUpdated: self = .branchUpdated(try payload.branch())
        case .branchRemoved: self = .branchRemoved(code: try payload.text("code"))
        case .categoryAdded: self = .categoryAdded(try payload.category())
        case .categoryUpdated: self = .categoryUpdated(try payload.category())
        case .categoryRemoved: self = .categoryRemoved(code: try payload.text("code"))
        case .itemTypeAdded: self = .itemTypeAdded(try payload.itemType())
        case .itemTypeUpdated: self = .itemTypeUpdated(try payload.itemType())
        case .itemTypeRemoved: self = .itemTypeRemoved(code: try payload.text("code"))
        case .titleAdded: self = .titleAdded(try payload.record())
        case .titleUpdated: self = .titleUpdated(try payload.record())
        case .titleRemoved: self = .titleRemoved(id: try payload.integer("id"))
        case .copyAdded: self = .copyAdded(try payload.record())
        case .copyUpdated: self = .copyUpdated(try payload.record())
        case .copyWithdrawn: self = .copyWithdrawn(try payload.record())
        case .copyUsedInHouse: self = .copyUsedInHouse(try payload.record())
        case .patronAdded: self = .patronAdded(try payload.record(), fields: try payload.texts("personal"))
        case .patronUpdated: self = .patronUpdated(try payload.record(), fields: try payload.texts("personal"))
        case .patronRemoved: self = .patronRemoved(id: try payload.integer("id"))
        case .patronMerged: self = .patronMerged(try payload.patronMerge())
        case .patronBlocked: self = .patronBlocked(try payload.record())
        case .patronUnblocked: self = .patronUnblocked(try payload.record())
        case .loanMade: self = .loanMade(try payload.record())
        case .loanRenewed: self = .loanRenewed(try payload.loanChange())
        case .loanReturned: self = .loanReturned(try payload.loanReturn())
        case .loanDueSet: self = .loanDueSet(try payload.loanChange())
        case .loanImported: self = .loanImported(try payload.record())
        case .loanRenewalImported: self = .loanRenewalImported(try payload.pastRenewal())
        case .loanRecalled: self = .loanRecalled(try payload.loanChange())
        case .loanLost: self = .loanLost(try payload.loanChange())
        case .loanClaimed: self = .loanClaimed(try payload.loanChange())
        case .holdMoved: self = .holdsMoved(try payload.inners("holds").map { try $0.record() })
        case .holdPlaced, .holdSuspended, .holdResumed, .holdPickupSet, .holdInTransit, .holdShelved,
            .holdShelfExtended,
            .holdReturned,
            .holdFilled, .holdExpired, .holdCancelled, .holdImported:
            self = .hold(try payload.holdChange(kind))
        case .listingPublished, .listingUpdated, .listingDecided, .listingWithdrawn, .listingTaken, .listingReturned,
            .listingImported, .orderPlaced, .orderImported, .orderDone, .orderCancelled, .rentalBegun, .rentalImported,
            .rentalEnded, .cartChanged, .favouriteAdded, .favouriteRemoved, .suggestionSubmitted, .suggestionDecided,
            .suggestionImported:
            guard let event = try MarketEvent(kind: kind, payload: payload) else {
                throw DeskError.event("The kind \(kind.rawValue) tells of no market.")
            }
            self = .market(event)
        case .policyOverridden: self = .policyOverridden(try payload.override())
        case .policyWithdrawn: self = .policyWithdrawn(try payload.record())
        case .policyActivated: self = .policyActivated(try payload.record(), bundle: nil)
        case .policyFailed: self = .policyFailed(try payload.failedDecision())
        case .accountChanged: self = .accountChanged(try AccountChange(payload))
        case .eventsCleared: self = .eventsCleared(try EventClearing(payload))
        case .decisionsPruned: self = .decisionsPruned(try DecisionPruning(payload))
        case .requestRefused: self = .requestRefused(try payload.refusedRequest())
        case .noticeRecorded: self = .noticeRecorded(try payload.inners("notices").map { try $0.record() })
        case .noticeChanged: self = .noticeChanged(try payload.noticeChange())
        case .ledgerPosted: self = .ledgerPosted(try payload.inners("entries").map { try $0.record() })
        }
    }
}

extension EventPayload {
    fileprivate func loanChange() throws -> LoanChange {
        LoanChange(
            loan: try record(), previousDueAt: try optionalInstant("previous_due_at"),
            reason: try optionalText("reason"))
    }

    fileprivate func patronMerge() throws -> PatronMerge {
        PatronMerge(from: try integer("from"), into: try integer("into"), reason: try optionalText("reason"))
    }

    fileprivate func loanReturn() throws -> LoanReturn {
        LoanReturn(
            loan: try integer("loan"), copy: try optionalInteger("copy"), patron: try optionalInteger("patron"),
            returnedAt: try instant("returned_at"))
    }

    fileprivate func pastRenewal() throws -> PastRenewal {
        PastRenewal(
            loan: try integer("loan"), copy: try optionalInteger("copy"), patron: try optionalInteger("patron"),
            renewedAt: try instant("renewed_at"))
    }

    fileprivate func override() throws -> PolicyOverride {
        PolicyOverride(
            patron: try integer("patron"), title: try optionalInteger("title"), copy: try optionalInteger("copy"),
            loan: try optionalInteger("loan"), codes: try texts("codes"), policy: try text("policy"),
            reason: try text("reason"))
    }

    fileprivate func failedDecision() throws -> FailedDecision {
        let failure = PolicyFailure(
            code: try text("code"), message: try text("message"), file: try optionalText("file"),
            line: try optionalInteger("line").flatMap { Int(exactly: $0) })
        return FailedDecision(
            point: try choice("point", DecisionPoint.self), policy: try text("policy"), failure: failure,
            patron: try optionalInteger("patron"), title: try optionalInteger("title"),
            copy: try optionalInteger("copy"), loan: try optionalInteger("loan"))
    }

    fileprivate func refusedRequest() throws -> RefusedRequest {
        RefusedRequest(
            request: try text("request"), patron: try optionalInteger("patron"), titles: try ids("titles"),
            copy: try optionalInteger("copy"), loan: try optionalInteger("loan"),
            refusal: try inner("refusal").refusal())
    }

    fileprivate func noticeChange() throws -> NoticeChange {
        NoticeChange(
            notice: try integer("notice"), patron: try integer("patron"), loan: try optionalInteger("loan"),
            state: try choice("state", Notice.State.self), sentAt: try optionalInstant("sent_at"),
            readAt: try optionalInstant("read_at"), tries: try integer("tries"),
            carriedBy: try optionalInteger("carried_by"), failure: try optionalText("failure"))
    }
}
