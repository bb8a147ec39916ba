import Circulation
import Storage

// Holds are placed and changed as people wanted; what becomes of them follows from the copies here.
extension SimulatedReplay {
    func follow(_ item: ReplayStream.Item, _ change: HoldChange) throws {
        let session = fold.session(of: item.record, nil)
        switch change.step {
        case .placed: return try place(item, change.hold)
        case .imported:
            try keep(EventBody(change.kind, change))
            holds[change.hold.id] = change.hold.id
        case .expired: try sweep(item)
        case .cancelled:
            if let id = holds[change.hold.id] { _ = try session.holds.cancel(id) }
        case .suspended:
            if let id = holds[change.hold.id] {
                _ = try session.holds.suspend(id, until: change.hold.suspendedUntil)
            }
        case .resumed:
            if let id = holds[change.hold.id] { _ = try session.holds.resume(id) }
        case .pickupSet:
            if let id = holds[change.hold.id] {
                _ = try session.holds.setPickup(id, branch: change.hold.pickupBranch)
            }
        case .shelved: try scan(change.hold, item, at: change.hold.pickupBranch, [.available, .inTransit])
        case .inTransit: try scan(change.hold, item, at: try branch(besides: change.hold), [.available])
        case .shelfExtended, .returned, .filled: break
        }
        if change.hold.closedAt != nil { holds[change.hold.id] = nil }
        if let copy = change.hold.heldCopy {
            if change.hold.state == .transit { onTheWay.insert(copy) } else { onTheWay.remove(copy) }
        }
    }

    /// Staff put a queue into another order: those that wait here as well get the places that they got.
    func move(_ item: ReplayStream.Item, _ moved: [Hold]) throws {
        let here = try moved.compactMap { recorded -> Hold? in
            guard let id = holds[recorded.id], var hold = try transaction.holds.get(id), hold.state == .waiting else {
                return nil
            }
            (hold.priority, hold.queuedAt) = (recorded.priority, recorded.queuedAt)
            return hold
        }
        if !here.isEmpty { try fold.session(of: item.record, nil).record(.holdsMoved, here) }
    }

    /// Who waits for a copy that has gone waits for another one, if any will do.
    func letGo(of copy: Int64, _ item: ReplayStream.Item) throws {
        guard let copy = try transaction.copies.get(copy), copy.status == .withdrawn || copy.status == .lost else {
            return
        }
        try fold.session(of: item.record, nil).holds.settle(afterLosing: copy)
    }

    private func place(_ item: ReplayStream.Item, _ hold: Hold) throws {
        guard let (record, recorded) = try recordedCase(item, isExpected: hold.policy != nil)?.parts else { return }
        try adopt(recorded)
        guard var before = try stored(record) else { return }
        before.isOverridden = before.answer != Decision.Answer.allow.rawValue
        let session = fold.session(of: item.record, recorded)
        var (after, placed) = try place(
            recorded, hold.copy, session, suspendedUntil: hold.suspendedUntil, override: before.isOverridden)
        if before.isOverridden, after.isGranted {
            (after.answer, after.code, after.isOverridden) = (before.answer, before.code, true)
        }
        holds[hold.id] = placed
        try tell(item, recorded, loan: nil, before, after)
    }

    /// Places a hold as a recorded case asks for it.
    func place(
        _ recorded: Case, _ copy: Int64?, _ session: DeskSession, suspendedUntil: CivilDate? = nil,
        override: Bool = false
    ) throws -> (answer: ReplayedAnswer, hold: Int64?) {
        let barcode = try copy.flatMap { try transaction.copies.get($0)?.barcode }
        let request = HoldRequest(
            patron: .id(recorded.patron.id),
            wanted: barcode.map { .copy($0) } ?? .title(.id(recorded.title?.id ?? 0)),
            pickupBranch: recorded.hold?.pickupBranch, expiresOn: recorded.hold?.expiresOn,
            suspendedUntil: suspendedUntil, override: override, reason: "As recorded")
        switch try session.holds.place(request) {
        case .refused(let refusal): return (ReplayedAnswer(refusal), nil)
        case .done(let queued):
            var answer = ReplayedAnswer(answer: Decision.Answer.allow.rawValue)
            if queued.hold.priority != 0 { answer.priority = queued.hold.priority }
            return (answer, queued.hold.id)
        }
    }

    /// Staff have a copy in hand that came out of the shelves, as the pull list asks, or has come from another branch. One that came back
    /// there and then is set aside here already.
    private func scan(
        _ hold: Hold, _ item: ReplayStream.Item, at branch: String?, _ statuses: Set<CopyStatus>
    ) throws {
        guard let id = hold.heldCopy, let copy = try transaction.copies.get(id), statuses.contains(copy.status) else {
            return
        }
        var actor = fold.session(of: item.record, nil).actor
        actor.branch = branch
        _ = try fold.session(at: item.record.at, as: actor).loans.checkin(.barcode(copy.barcode))
    }

    /// Where a copy was that was sent to the pickup branch of a hold: mostly where it belongs.
    private func branch(besides hold: Hold) throws -> String? {
        let home = try hold.heldCopy.flatMap { try transaction.copies.get($0) }?.branch
        if let home, home != hold.pickupBranch { return home }
        return try transaction.settings.branches().first { $0.code != hold.pickupBranch }?.code
    }
}
