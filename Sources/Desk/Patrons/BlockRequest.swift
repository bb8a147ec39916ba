package import Circulation

/// How a new block stands to those of its kind that are in force.
package enum BlockMode: String, Hashable, Sendable, CaseIterable {
    /// It begins where the last of them ends.
    case add
    /// It ends no earlier than any of them.
    case longest
}

/// A block that is to be put on a patron.
package struct BlockRequest: Hashable, Sendable {
    /// A word of the library's own, or ``PatronBlock/suspensionKind``.
    package var kind: String
    /// Staff's own words; no event repeats them.
    package var reason: String
    /// What it forbids; nil: borrowing, renewing and holds for a suspension, everything for any other.
    package var actions: Set<BlockFacts.Action>?
    /// The last day.
    package var ends: CivilDate?
    /// How long it lasts, in place of `ends`; neither: until it is lifted.
    package var length: Period?
    /// nil: others of its kind do not matter.
    package var mode: BlockMode?

    package init(
        kind: String, reason: String = "", actions: Set<BlockFacts.Action>? = nil, ends: CivilDate? = nil,
        length: Period? = nil, mode: BlockMode? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.actions = actions
        self.ends = ends
        self.length = length
        self.mode = mode
    }

    var forbidden: Set<BlockFacts.Action> {
        actions ?? (kind == PatronBlock.suspensionKind ? BlockFacts.Action.lending : Set(BlockFacts.Action.allCases))
    }

    /// - Throws: ``DeskError`` for what makes no sense.
    func check() throws {
        guard !kind.isEmpty else { throw DeskError.input("kind", "A block needs a kind.") }
        guard !forbidden.isEmpty else { throw DeskError.input("actions", "A block must restrict at least one action.") }
        guard ends == nil || length == nil else {
            throw DeskError.input("length", "A block can have a last day or a length, not both.")
        }
        if let length, length.isElapsed || length.count < 1 {
            throw DeskError.input("length", "A block must last at least one day, week, month or open day.")
        }
        if mode == .add, ends != nil {
            throw DeskError.input(
                "mode",
                "Only a length can be added to a block, not a last day.")
        }
    }
}
