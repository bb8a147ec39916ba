package import Circulation
import Storage
import TextFormats

extension PatronService {
    /// The patron's blocks that hold on a date (nil: today), suspensions among them.
    package func blocks(of key: PatronKey, at date: CivilDate? = nil) throws -> [PatronBlock] {
        guard let patron = try get(key) else { return [] }
        return try transaction.blocks.inForce(patron: patron.id, today: try date ?? today(of: patron))
    }

    /// A part of them.
    package func blocks(of key: PatronKey, at date: CivilDate? = nil, _ part: ListPart) throws -> [PatronBlock] {
        guard let patron = try get(key) else { return [] }
        return try transaction.blocks.inForce(patron: patron.id, today: try date ?? today(of: patron), part)
    }

    /// Blocks a patron.
    ///
    /// A block of n days ends n days after today, by the calendar of the home branch. Refused with `unknown_patron`, or
    /// with `past` if it would have ended.
    /// - Throws: ``DeskError`` for an order that makes no sense.
    package func block(_ key: PatronKey, _ order: BlockRequest) throws -> Outcome<PatronBlock> {
        try order.check()
        let trail = RequestTrail("patrons.block")
        return try session.request(trail) {
            let patron = try known(key, trail)
            let ends = try end(of: order, for: patron)
            if let ends, ends < (try today(of: patron)) {
                throw Refused("past", "A block cannot end on \(ends), because that day has passed.")
            }
            return try insert(
                PatronBlock(
                    patron: patron.id, kind: order.kind, reason: order.reason, actions: order.forbidden,
                    createdAt: session.now, ends: ends))
        }
    }

    /// Blocks a patron until a day; see ``block(_:_:)``.
    package func block(
        _ key: PatronKey, kind: String, reason: String = "", actions: Set<BlockFacts.Action>? = nil,
        ends: CivilDate? = nil
    ) throws -> Outcome<PatronBlock> {
        try block(key, BlockRequest(kind: kind, reason: reason, actions: actions, ends: ends))
    }

    /// Lifts blocks that are in force: one by its id, those of a kind, or all. Refused with `unknown_block` if the
    /// patron has no such one in force.
    ///
    /// - Returns: what was lifted.
    package func unblock(
        _ key: PatronKey, kind: String? = nil, block id: Int64? = nil
    ) throws -> Outcome<[PatronBlock]> {
        let trail = RequestTrail("patrons.unblock")
        return try session.request(trail) {
            let patron = try known(key, trail)
            let inForce = try transaction.blocks.inForce(patron: patron.id, today: today(of: patron))
            let chosen = inForce.filter { (kind == nil || $0.kind == kind) && (id == nil || $0.id == id) }
            if let id, chosen.isEmpty { throw Refused("unknown_block", "The patron has no active block \(id).") }
            return try chosen.map { block in
                var lifted = block
                lifted.liftedAt = session.now
                try session.record(.patronUnblocked, lifted)
                return lifted
            }
        }
    }

    /// Refuses, within a request, what a block of the patron forbids.
    ///
    /// - Parameter branch: where it happens; nil: the patron's own.
    package func checkStanding(of patron: Int64, for action: BlockFacts.Action, at branch: String? = nil) throws {
        guard let found = try transaction.patrons.get(patron) else { throw Self.unknown }
        let today = try session.today(at: branch ?? found.homeBranch)
        guard let facts = try transaction.facts.patron(patron, now: session.now, today: today) else {
            throw Self.unknown
        }
        let reasons = facts.standing(for: action, askedBy: session.actor.facts, on: today)
        if !reasons.isEmpty { throw Refused(Refusal(reasons: reasons)) }
    }

    /// Adds a block within a request.
    func insert(_ block: PatronBlock) throws -> PatronBlock {
        guard let added = try session.record(.patronBlocked, block)?.content else {
            throw DeskError.input(nil, "The block could not be added.")
        }
        return added
    }

    private func end(of order: BlockRequest, for patron: Patron) throws -> CivilDate? {
        let today = try today(of: patron)
        let running = try transaction.blocks.inForce(patron: patron.id, today: today).filter { $0.kind == order.kind }
        // One without end leaves nothing to add to, and nothing longer.
        if order.mode != nil, running.contains(where: { $0.ends == nil }) { return nil }
        let last = running.compactMap(\.ends).max()
        var end = order.ends
        if let length = order.length {
            let calendar = try session.settings.known(branch: patron.homeBranch).calendar
            end = try length.added(to: order.mode == .add ? last ?? today : today, calendar: calendar)
        }
        if order.mode == .longest, let wanted = end, let last { end = max(wanted, last) }
        return end
    }

    private func today(of patron: Patron) throws -> CivilDate {
        try session.today(at: patron.homeBranch)
    }
}

extension DeskSession {
    /// The refusal as staff read it: with the words that staff have written down about each block it names. Patrons,
    /// and the log, see kind and end alone.
    func told(_ refusal: Refusal, about patron: Int64?) throws -> Refusal {
        let codes: Set = [Refusal.Code.blocked, Refusal.Code.suspended]
        guard actor.role == .staff || actor.role == .admin, let patron,
            refusal.reasons.contains(where: { codes.contains($0.code) })
        else { return refusal }
        var told = refusal
        var blocks = try transaction.blocks.of(patron: patron).filter { $0.liftedAt == nil && !$0.reason.isEmpty }
        for index in told.reasons.indices {
            let reason = told.reasons[index]
            guard let found = blocks.firstIndex(where: { $0.isNamed(by: reason) }) else { continue }
            let block = blocks.remove(at: found)
            told.reasons[index].figures["reason"] = .string(block.reason)
            let message = reason.message.adding(block.reason)
            told.reasons[index].message = message
            if told.message == reason.message { told.message = message }
        }
        return told
    }
}

extension PatronBlock {
    fileprivate func isNamed(by reason: Refusal.Reason) -> Bool {
        let kind =
            reason.code == Refusal.Code.suspended ? Self.suspensionKind : reason.figures["kind"]?.stringValue ?? ""
        let until: JSON = ends.map { .string($0.description) } ?? .null
        return kind == self.kind && reason.figures["until"] == until
    }
}

extension String {
    /// `The patron is blocked (card): lost twice.`
    fileprivate func adding(_ words: String) -> String {
        (hasSuffix(".") ? String(dropLast()) : self) + ": " + words + (words.hasSuffix(".") ? "" : ".")
    }
}
