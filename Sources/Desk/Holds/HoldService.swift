package import Circulation
import Storage

/// Keeping titles for patrons: queues, the hold shelf, copies in transit.
///
/// A copy that comes back, or is scanned, goes to the first in line who may have it: on the shelf of the pickup branch
/// if it is there, else in transit to it. A copy that is set aside is lent to its patron only; neither is the last
/// available copy of a title while others wait for it. Borrowing the title fills the patron's hold.
package struct HoldService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }

    package func get(_ id: Int64) throws -> QueuedHold? {
        guard let hold = try transaction.holds.get(id) else { return nil }
        return try placed(hold)
    }

    /// A title's open holds: those with a copy on the shelf, those with one on its way, then the queue; none for an
    /// unknown title.
    package func queue(of key: TitleKey) throws -> [QueuedHold] {
        guard let title = try session.catalogue.get(key) else { return [] }
        return Self.numbered(try transaction.holds.open(title: title.id))
    }

    /// A part of them, with their places in the queue.
    package func queue(of key: TitleKey, _ part: ListPart) throws -> [QueuedHold] {
        guard let title = try session.catalogue.get(key) else { return [] }
        let before = part.offset == 0 ? 0 : try transaction.holds.setAsideCount(title: title.id)
        let holds = try transaction.holds.open(title: title.id, part)
        return Self.numbered(holds, after: max(0, part.offset - before))
    }

    /// A patron's open holds, the oldest first; none for an unknown patron.
    package func of(_ key: PatronKey) throws -> [QueuedHold] {
        guard let patron = try session.patrons.get(key) else { return [] }
        return try transaction.holds.open(patron: patron.id).map(placed)
    }

    /// A part of them.
    package func of(_ key: PatronKey, _ part: ListPart) throws -> [QueuedHold] {
        guard let patron = try session.patrons.get(key) else { return [] }
        return try transaction.holds.open(patron: patron.id, part).map(placed)
    }

    /// Holds whose copy lies on a shelf or is on its way there.
    ///
    /// - Parameter branch: only those to be picked up there; nil: anywhere.
    package func setAside(at branch: String? = nil, limit: Int) throws -> [Hold] {
        var found: [Hold] = []
        var last: Int64 = 0
        while found.count < limit {
            let page = try transaction.holds.setAside(after: last, limit: Transaction.pageSize)
            guard let end = page.last?.heldCopy else { break }
            found += page.filter { branch == nil || $0.pickupBranch == branch }
            last = end
        }
        return Array(found.prefix(limit))
    }

    /// Streams all holds by id, closed ones too; the body may write, and ends the reading by returning false.
    package func each(_ body: (Hold) throws -> Bool) throws {
        try transaction.holds.forEach(body)
    }

    /// What staff would fetch from the open shelves: for each title the available copies that holds wait for, each with
    /// the hold that would get it at its branch. Scanning the copy sets it aside.
    ///
    /// - Parameter branch: only copies of this branch; nil: of all.
    package func pullList(
        at branch: String? = nil, _ part: ListPart = ListPart(limit: 1_000)
    ) throws -> [PullItem] {
        var items: [PullItem] = []
        var last = Int64.min
        while Int64(items.count) < part.reach {
            let titles = try transaction.holds.titlesToPull(after: last, at: branch, limit: 100)
            guard let end = titles.last else { break }
            for title in titles { items += try pullItems(title, branch) }
            last = end
        }
        return part.of(items)
    }

    private func pullItems(_ title: Int64, _ branch: String?) throws -> [PullItem] {
        guard let record = try transaction.titles.get(title) else { return [] }
        var copies = try transaction.copies.of(title: title).filter { $0.status == .available }
        var items: [PullItem] = []
        for hold in try transaction.holds.waiting(title: title) where try isActive(hold) {
            let fitting = copies.filter { hold.copy == nil || hold.copy == $0.id }
            let here = fitting.first { $0.branch == hold.pickupBranch } ?? fitting.first
            guard let copy = here, try terms(of: hold, for: copy) != nil else { continue }
            copies.removeAll { $0.id == copy.id }
            if branch == nil || copy.branch == branch {
                items.append(PullItem(hold: hold, copy: copy, title: record))
            }
        }
        return items
    }
}

extension HoldService {
    func known(_ id: Int64, _ trail: RequestTrail) throws -> Hold {
        guard let hold = try transaction.holds.get(id) else {
            throw Refused(Refusal.Code.unknownHold, "There is no hold \(id).")
        }
        trail.patron = hold.patron
        trail.titles = hold.title.map { [$0] } ?? []
        trail.copy = hold.heldCopy ?? hold.copy
        return hold
    }

    /// A hold that is still open, and the actor's own where a patron acts for themselves.
    func knownOpen(_ id: Int64, _ trail: RequestTrail) throws -> Hold {
        let hold = try known(id, trail)
        try checkOwner(hold.patron)
        guard hold.isOpen else { throw Refused("closed", "The hold \(id) is \(hold.state.rawValue).") }
        return hold
    }

    /// Patrons manage only their own holds.
    func checkOwner(_ patron: Int64?) throws {
        guard session.actor.role == .patron else { return }
        guard let patron, session.actor.ownPatron == patron else {
            throw Refused(Refusal.Code.notOwner, "That hold belongs to another patron.")
        }
    }

    /// Whether a copy may be given to it today, by the calendar of its pickup branch.
    func isActive(_ hold: Hold) throws -> Bool {
        hold.isActive(on: try today(at: hold.pickupBranch))
    }

    func today(at branch: String) throws -> CivilDate { try session.today(at: branch) }

    func placed(_ hold: Hold) throws -> QueuedHold {
        guard hold.state == .waiting, let title = hold.title else { return QueuedHold(hold: hold) }
        let queue = try transaction.holds.waiting(title: title)
        return QueuedHold(hold: hold, position: queue.firstIndex { $0.id == hold.id }.map { Int64($0) + 1 })
    }

    /// - Parameter first: how many wait before them.
    static func numbered(_ holds: [Hold], after first: Int64 = 0) -> [QueuedHold] {
        var position = first
        return holds.map { hold in
            guard hold.state == .waiting else { return QueuedHold(hold: hold) }
            position += 1
            return QueuedHold(hold: hold, position: position)
        }
    }

    /// Writes a step down.
    ///
    /// - Returns: the hold as it is from now on, with its id.
    @discardableResult
    func record(_ step: HoldChange.Step, _ hold: Hold, reason: String? = nil) throws -> (hold: Hold, event: Int64) {
        let words = try reason.map { try session.patrons.impersonal($0, about: hold.patron) }
        guard let (change, event) = try session.record(HoldChange(step, hold, reason: words)) else {
            throw DeskError.input(nil, "The hold could not be saved.")
        }
        return (change.hold, event)
    }
}
