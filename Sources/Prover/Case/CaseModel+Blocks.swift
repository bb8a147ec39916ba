import Circulation

/// What the desk asks of a patron's blocks.
struct BlockCheck {
    let action: BlockFacts.Action
    let isSuspension: Bool
    /// Whether there is such a block.
    let condition: Condition
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
        if !blockChecks.contains(where: { $0.isSuspension == isSuspension }) {
            let check = BlockCheck(action: action, isSuspension: isSuspension, condition: condition)
            blockChecks.append(check)
            path.journal.note { [self] in blockChecks.removeLast() }
            if looksAtBlocks { try relate(check) }
            if looksAtBlocks { try relateAll() }
        }
        return condition
    }

    /// Relates what the desk asks of blocks to those that a policy looks at one by one.
    func relateBlocks() throws {
        if looksAtBlocks { return }
        looksAtBlocks = true
        path.journal.note { [self] in looksAtBlocks = false }
        for check in blockChecks { try relate(check) }
        try relateAll()
    }

    /// States that whatever stops the patron is a suspension or another block, also behind the blocks that are looked at one by one.
    private func relateAll() throws {
        guard blockChecks.count > 1 else { return }
        let place = "\(Self.blocks)\(List.standing)"
        let stops = try Condition.some(blockChecks.map { try isStopping(at: place, $0) })
        let others = try path.count(in: Self.blocks, where: stops, of: behind(), nil)
        try path.assume((.constant(1) <= others).implies(.some(blockChecks.map(\.condition))))
    }

    /// How many blocks there are of which one stands for all.
    private func behind() throws -> Number {
        let length = try path.number("#\(Self.blocks)", ProofDomain.listLength)
        return (length + .constant(-Interpreter.mostRounds)).greatest(.constant(0))
    }

    private func relate(_ check: BlockCheck) throws {
        let length = try path.number("#\(Self.blocks)", ProofDomain.listLength)
        var stopping = try (1...Interpreter.mostRounds).map { index in
            try .constant(index) <= length && isStopping(at: "\(Self.blocks)[\(index)]", check)
        }
        let others = try path.count(
            in: Self.blocks, where: isStopping(at: "\(Self.blocks)\(List.standing)", check),
            of: behind(), nil)
        stopping.append(.constant(1) <= others)
        try path.assume(check.condition.equals(.some(stopping)))
    }

    /// Whether the block at a place is one that a check finds.
    private func isStopping(at place: String, _ check: BlockCheck) throws -> Condition {
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
