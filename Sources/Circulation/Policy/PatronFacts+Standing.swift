extension PatronFacts {
    /// What speaks against the patron, whatever is asked for: the membership has ended, blocks of the action, a
    /// suspension. A block's, a suspension's and the membership's last day count as inside.
    ///
    /// The membership and a suspension without a word on its actions matter to borrowing, renewing and holds alone.
    package func standing(
        for action: BlockFacts.Action, askedBy actor: ActorFacts, on today: CivilDate
    ) -> [Refusal.Reason] {
        var reasons: [Refusal.Reason] = []
        let isLending = BlockFacts.Action.lending.contains(action)
        if isLending, let end = expiresOn, end < today { reasons.append(.expired(end)) }
        var suspension = isLending ? suspendedUntil.flatMap { $0 >= today ? $0 : nil } : nil
        for block in blocks where block.stops(action, askedBy: actor, on: today) {
            if block.kind == PatronBlock.suspensionKind {
                suspension = max(suspension ?? .earliest, block.ends ?? .latest)
            } else {
                reasons.append(.blocked(block))
            }
        }
        if let suspension { reasons.append(.suspended(until: suspension == .latest ? nil : suspension)) }
        return reasons
    }
}

extension BlockFacts {
    /// Whether the block forbids an action on a date.
    func stops(_ action: Action, askedBy actor: ActorFacts, on today: CivilDate) -> Bool {
        if let ends, ends < today { return false }
        return actions.contains(action) || actor.isSelfService && actions.contains(.self)
    }
}

extension BlockFacts.Action {
    /// What a suspension forbids.
    package static let lending: Set<BlockFacts.Action> = [.borrow, .renew, .hold]
}

extension ActorFacts {
    /// Whether patrons do it by themselves: at a self-check machine, or online.
    package var isSelfService: Bool { channel == .`self` || channel == .web && role == .patron }
}

extension DecisionPoint {
    /// What a block must name to stop this point; nil where blocks do not matter.
    package var blockableAction: BlockFacts.Action? {
        switch self {
        case .request, .checkout, .due: .borrow
        case .renew: .renew
        case .hold: .hold
        case .publish: .market
        case .recall, .overdue, .fine, .checkin, .lost, .price, .notify, .expiry: nil
        }
    }
}
