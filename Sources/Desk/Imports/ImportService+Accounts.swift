package import Circulation
import Storage

// What belongs to a patron: blocks, the lines of the account, messages. Each keeps its id where it is free.
extension ImportService {
    /// Takes in a block. One of the same kind that began at the same moment is the same; it takes over when it ends and
    /// when it was lifted.
    package func block(_ block: PatronBlock) throws -> Imported<PatronBlock> {
        try rejecting {
            let transaction = session.transaction
            let present = try transaction.blocks.of(patron: block.patron).first {
                $0.kind == block.kind && $0.createdAt == block.createdAt && $0.actions == block.actions
                    && $0.reason == block.reason
            }
            guard var present else {
                var block = block
                block.id = 0
                guard let added = try session.record(.patronBlocked, block, at: block.createdAt)?.content else {
                    throw DeskError.input(nil, "The block could not be added.")
                }
                return .added(added)
            }
            guard present.ends != block.ends || present.liftedAt != block.liftedAt else { return .unchanged(present) }
            present.ends = block.ends
            present.liftedAt = block.liftedAt
            try session.record(.patronUnblocked, present)
            return .updated(present)
        }
    }

    /// Takes in a link between patrons, unless there is one, by the rules that hold for staff too.
    package func patronLink(_ link: PatronLink) throws -> Imported<PatronLink> {
        try rejecting {
            switch try session.patrons.proposed(link) {
            case .present(let present): return .unchanged(present)
            case .new(var link):
                if try link.id <= 0 || session.transaction.patronLinks.get(link.id) != nil { link.id = 0 }
                return .added(try session.patrons.insert(link))
            }
        }
    }

    /// Takes in a line of an account under its own key; the key that was seen before changes nothing.
    package func ledgerEntry(_ entry: LedgerEntry) throws -> Imported<LedgerEntry> {
        try rejecting {
            let ledger = session.transaction.ledger
            if let before = try ledger.find(key: entry.key) { return .unchanged(before) }
            let currency = try session.settings.library().currency
            guard entry.amount.currency == currency else {
                throw Refused("currency", "The library's account is in \(currency.code).")
            }
            if entry.patron != 0 {
                let (_, isTooMuch) = try ledger.balance(patron: entry.patron)
                    .addingReportingOverflow(entry.amount.minorUnits)
                if isTooMuch { throw Refused("amount", "No account can hold such an amount.") }
            }
            var entry = entry
            if try ledger.get(entry.id) != nil { entry.id = 0 }
            guard let posted = try session.record(.ledgerPosted, [entry], at: entry.at)?.content,
                let added = posted.first
            else { throw DeskError.input(nil, "The entry could not be posted.") }
            return .added(added)
        }
    }

    /// Takes in a message as it is, in whatever state. One of the same kind, subject, due instant, stage and repetition
    /// is the same and stays.
    package func notice(_ notice: Notice) throws -> Imported<Notice> {
        var notice = notice
        if try session.transaction.notices.get(notice.id) != nil { notice.id = 0 }
        guard
            let recorded = try session.record(.noticeRecorded, [notice], at: notice.createdAt)?.content,
            let added = recorded.first
        else { return .unchanged(try session.transaction.notices.find(like: notice) ?? notice) }
        return .added(added)
    }

    /// Takes in a use in the house.
    ///
    /// - Parameter ordinal: which one of several that say the same, counted from 1.
    package func inHouseUse(_ use: InHouseUse, ordinal: Int64) throws -> Imported<InHouseUse> {
        guard try session.transaction.inHouseUses.count(like: use) < ordinal else { return .unchanged(use) }
        var use = use
        if try session.transaction.inHouseUses.exists(use.id) { use.id = 0 }
        guard let added = try session.record(.copyUsedInHouse, use, at: use.usedAt)?.content else {
            throw DeskError.input(nil, "The use was not recorded.")
        }
        return .added(added)
    }
}
