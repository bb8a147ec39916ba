package import Circulation
import Storage

extension PatronService {
    /// The patron's blocks that hold on a date (nil: today), suspensions among them.
    package func blocks(of key: PatronKey, at date: CivilDate? = nil) throws -> [PatronBlock] {
        guard let patron = try get(key) else { return [] }
        return try transaction.blocks.inForce(patron: patron.id, today: try date ?? today(of: patron))
    }

    /// Blocks a patron.
    ///
    /// - Parameters:
    ///   - kind: a short code of the library's own.
    ///   - reason: staff's own words; no event repeats them.
    ///   - ends: the last day; nil: until it is lifted.
    package func block(
        _ key: PatronKey, kind: String, reason: String = "",
        actions: Set<BlockFacts.Action> = Set(BlockFacts.Action.allCases), ends: CivilDate? = nil
    ) throws -> Outcome<PatronBlock> {
        guard !kind.isEmpty else { throw DeskError.input("kind", "A block needs a kind.") }
        guard !actions.isEmpty else { throw DeskError.input("actions", "A block blocks something.") }
        let trail = RequestTrail("patrons.block")
        return try session.request(trail) {
            let patron = try known(key, trail)
            return try insert(
                PatronBlock(
                    patron: patron.id, kind: kind, reason: reason, actions: actions, createdAt: session.now,
                    ends: ends))
        }
    }

    /// Lifts the blocks of a kind (nil: all of them). The value is what was lifted.
    package func unblock(_ key: PatronKey, kind: String? = nil) throws -> Outcome<[PatronBlock]> {
        let trail = RequestTrail("patrons.unblock")
        return try session.request(trail) {
            let patron = try known(key, trail)
            let today = try today(of: patron)
            var lifted: [PatronBlock] = []
            for var block in try transaction.blocks.inForce(patron: patron.id, today: today)
            where kind == nil || block.kind == kind {
                block.liftedAt = session.now
                try session.record(.patronUnblocked(block))
                lifted.append(block)
            }
            return lifted
        }
    }

    /// Adds a block within a request.
    func insert(_ block: PatronBlock) throws -> PatronBlock {
        guard case .patronBlocked(let added)? = try session.record(.patronBlocked(block))?.body else {
            throw DeskError.input(nil, "The block was not added.")
        }
        return added
    }

    private func today(of patron: Patron) throws -> CivilDate {
        try session.settingsSnapshot().zone(ofBranch: patron.homeBranch).date(of: session.now)
    }
}
