import Circulation
import Storage

extension PatronService {
    /// Makes one of two records of one person: each ``PatronBelonging`` - loans and holds, past ones too, the account of
    /// fees, messages, blocks, what is in the cart and on the market - goes over to the record that stays, and the other is
    /// removed with all that is personal in it.
    ///
    /// What the record that stays says of the person is left as it is, its role and its password too: the other's let
    /// no one in any more. It has the other's display name if it has none. Sessions, keys and links of both end. Of two holds on one title the one that is further
    /// along stays, the other is cancelled. Suspensions add up to the later end. What went beyond a limit that way is
    /// told and no obstacle. Statistics do not change. Repeating a merge gives the record that stays and changes nothing.
    ///
    /// Refused with `unknown_patron`, or `same_patron`.
    /// - Throws: ``MoneyError`` if the sum of both accounts leaves 64 bits.
    package func merge(_ from: PatronKey, into: PatronKey, reason: String = "") throws -> Outcome<MergedPatron> {
        let trail = RequestTrail("patrons.merge")
        return try session.request(trail) {
            let kept = try known(into, trail)
            if case .id(let gone) = from, try get(from) == nil, try survivor(of: gone) == kept.id {
                return MergedPatron(patron: kept, owed: try session.fees.balance(of: kept.id))
            }
            let gone = try known(from, trail)
            guard gone.id != kept.id else { throw Refused("same_patron", "That is already the same record.") }
            for id in [gone.id, kept.id].sorted() {
                guard try transaction.patrons.lock(id) else { throw Self.unknown }
            }
            return try merge(gone, into: kept, reason: reason)
        }
    }

    private func merge(_ gone: Patron, into one: Patron, reason: String) throws -> MergedPatron {
        try session.customFields.forget(.patron, gone.id, for: one.id)
        var kept = try get(.id(one.id)) ?? one
        let inheritsName = kept.displayName == nil && gone.displayName != nil
        if inheritsName { kept.displayName = gone.displayName }
        let owed = try session.fees.balance(of: gone.id).adding(session.fees.balance(of: kept.id))
        var merged = MergedPatron(patron: kept, owed: owed)
        merged.cancelled = try cancelSecondHolds(of: gone.id, and: kept.id)
        merged.moved = try transaction.patrons.belongings(of: gone.id)
        for patron in [gone, kept] { try transaction.credentials.removeTokens(of: patron.id) }
        try forget(gone, in: kept)
        let words = reason.blackingOut(gone.tellingWords + kept.tellingWords)
        try session.record(
            .patronMerged, PatronMerge(from: gone.id, into: kept.id, reason: words.isEmpty ? nil : words))
        try session.record(.patronRemoved, RemovedPatron(gone.id))
        if inheritsName { try session.record(.patronUpdated, PatronChange(kept, fields: ["display_name"])) }
        session.erasesTraces = true
        merged.exceeded = try session.loans.limitsExceeded(by: kept.id)
        return merged
    }

    /// Of holds that one patron would not have side by side, those further along stay.
    private func cancelSecondHolds(of patron: Int64, and other: Int64) throws -> [Hold] {
        let holds = try transaction.holds.open(patron: patron) + transaction.holds.open(patron: other)
        var kept: [Hold] = []
        var cancelled: [Hold] = []
        for id in holds.sorted(by: { $0.isFurther(than: $1) }).map(\.id) {
            // Ending one may have given its copy to another.
            guard let hold = try transaction.holds.get(id) else { continue }
            let isSecond = kept.contains { other in
                other.title == hold.title && (other.copy == nil || hold.copy == nil || other.copy == hold.copy)
            }
            if isSecond {
                cancelled.append(
                    try session.holds.close(
                        hold, .cancelled,
                        reason: "The patron has another hold on this title."))
            } else {
                kept.append(hold)
            }
        }
        return cancelled
    }
}

extension PatronService {
    /// The patron with whom another's record became one, by way of several merges too; nil if it did not.
    package func survivor(of id: Int64) throws -> Int64? {
        var found: Int64?
        var current = id
        while let next = try merge(of: current)?.into {
            found = next
            current = next
        }
        return found
    }

    private func merge(of id: Int64) throws -> PatronMerge? {
        // A record that became part of another has its removal as its last event, and the merge right before it.
        guard let removed = try transaction.events.last(kind: EventKind.patronRemoved.name, patron: id),
            let before = try transaction.events.get(removed.sequence - 1),
            before.kind == EventKind.patronMerged.name, let merge = try Event(before).body()[.patronMerged],
            merge.from == id
        else { return nil }
        return merge
    }

    /// The patron's id and those of the records that became part of this one.
    package func identities(of id: Int64) throws -> [Int64] {
        var ids = [id]
        var position = 0
        while position < ids.count {
            let filter = EventQuery(kinds: [EventKind.patronMerged.name], patron: ids[position])
            try transaction.events.forEach(filter) { record in
                if let merge = try Event(record).body()[.patronMerged], !ids.contains(merge.from) {
                    ids.append(merge.from)
                }
                return true
            }
            position += 1
        }
        return ids
    }
}

extension Hold {
    /// Whether it is nearer to its end: with a copy on the shelf, with one on its way, or earlier in the queue.
    fileprivate func isFurther(than other: Hold) -> Bool {
        (state.progress, precedes(other) ? 1 : 0) > (other.state.progress, other.precedes(self) ? 1 : 0)
    }
}

extension Hold.State {
    fileprivate var progress: Int {
        switch self {
        case .shelf: 2
        case .transit: 1
        case .waiting, .filled, .expired, .cancelled: 0
        }
    }
}
