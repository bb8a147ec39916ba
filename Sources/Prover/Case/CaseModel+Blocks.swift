import Circulation

/// What the desk asks of the patron's blocks on a way.
struct BlockChecks {
    struct Check {
        let action: BlockFacts.Action
        let isSuspension: Bool
        /// Whether there is such a block.
        let condition: Condition
    }

    fileprivate var asked: [Check] = []
    /// Whether the policy looks at them as well.
    fileprivate var areLookedAt = false
}

extension CaseModel {
    static let blocks = "patron.blocks"
    /// What each check is called, as a variable.
    static let blockNames = [false: "\(blocks) has a block", true: "\(blocks) has a suspension among the blocks"]

    /// Whether the patron has a block that forbids an action today, as ``PatronFacts/standing(for:askedBy:on:)`` finds it.
    ///
    /// - Parameter isSuspension: whether of suspensions, or of all others.
    func isStopped(_ action: BlockFacts.Action, isSuspension: Bool) throws -> Condition {
        if let origin { return try origin.isStopped(action, isSuspension: isSuspension) }
        let condition = try path.condition(Self.blockNames[isSuspension] ?? "")
        path.wish(condition.negated)
        if !blockChecks.asked.contains(where: { $0.isSuspension == isSuspension }) {
            let check = BlockChecks.Check(action: action, isSuspension: isSuspension, condition: condition)
            blockChecks.asked.append(check)
            path.journal.note { [self] in blockChecks.asked.removeLast() }
            if blockChecks.areLookedAt { try relate([check]) }
        }
        return condition
    }

    /// Relates what the desk asks of blocks to those that a policy looks at one by one.
    func relateBlocks() throws {
        if blockChecks.areLookedAt { return }
        blockChecks.areLookedAt = true
        path.journal.note { [self] in blockChecks.areLookedAt = false }
        try relate(blockChecks.asked)
    }

    private func relate(_ checks: [BlockChecks.Check]) throws {
        for check in checks {
            let isThere = try path.isAny(of: Self.blocks) { try isStopping(at: "\(Self.blocks)[\($0)]", check) }
            try path.assume(check.condition.equals(isThere))
        }
        // Whatever stops the patron is a suspension or another block: of those behind that follows from neither alone.
        guard blockChecks.asked.count > 1 else { return }
        let place = "\(Self.blocks)\(List.standing)"
        let stops = try Condition.some(blockChecks.asked.map { try isStopping(at: place, $0) })
        let isThere = try path.isAnyOther(of: Self.blocks, stops)
        try path.assume(isThere.implies(.some(blockChecks.asked.map(\.condition))))
    }

    /// Whether the block at a place is one that a check finds.
    private func isStopping(at place: String, _ check: BlockChecks.Check) throws -> Condition {
        let kind = try path.number("\(place).kind", Self.texts)
        note("\(place).kind", .text(.symbol(kind)))
        let isSuspension = kind.equals(.constant(texts.number(of: PatronBlock.suspensionKind)))
        let (ends, last) = try optional(place, "ends")
        func forbids(_ action: BlockFacts.Action) throws -> Condition {
            let actions = "\(place).actions"
            path.looks.lists[actions] = true
            let isForbidden = try path.condition("\(actions) has \(action.rawValue)")
            let length = try path.number("#\(actions)", ProofDomain.listLength)
            try path.assume(isForbidden.implies(.constant(1) <= length))
            return isForbidden
        }
        return try (check.isSuspension ? isSuspension : isSuspension.negated)
            && (ends.negated || today() <= last)
            && (forbids(check.action) || isSelfService() && forbids(.`self`))
    }

    /// As ``ActorFacts/isSelfService``.
    private func isSelfService() throws -> Condition {
        func isSo(_ field: String, _ word: String) throws -> Condition {
            guard case .text(let text) = try value("actor", field) else { return .constant(false) }
            return texts.number(of: text).equals(.constant(texts.number(of: word)))
        }
        let (web, patron) = (ActorFacts.Channel.web.rawValue, ActorFacts.Role.patron.rawValue)
        return try isSo("channel", ActorFacts.Channel.`self`.rawValue) || isSo("channel", web) && isSo("role", patron)
    }
}
