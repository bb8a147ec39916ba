package import Circulation
import Storage

// Lists that staff take down: they are private from then on, and stay what they are for their owners, who are told why.
extension TitleListService {
    /// The lists that staff took down, the latest first.
    package func takenDown(_ part: ListPart = ListPart(limit: 50)) throws -> [TitleList] { try lists.takenDown(part) }

    /// Takes down a list that others see: a public one, or one that is shared by a link, which leads nowhere then for ever. Its owner
    /// is told why, and cannot share it as long as staff do not let it be shared again.
    ///
    /// Refused with `unknown_list`, also for a private one.
    ///
    /// - Parameter reason: why, for the owner and the log; without the owner's name there.
    package func takeDown(_ id: Int64, reason: String) throws -> Outcome<TitleList> {
        let reason = try RatingService.checked(reason: reason, field: "reason")
        let trail = RequestTrail("lists.take_down")
        return try session.request(trail) {
            guard var list = try lists.get(id), list.takenDownAt != nil || list.visibility != .private else {
                throw Self.unknown(id)
            }
            trail.patron = list.patron
            guard list.takenDownAt == nil else { return list }
            Self.show(&list, to: .private)
            list.takenDownAt = session.now
            list.decision = try session.patrons.impersonal(reason, about: list.patron)
            try session.record(.listTakenDown, list)
            try tell(
                list, "taken down", "List taken down: \(list.name)",
                "Staff have taken this list down for the following reason: “\(reason)”. You can still see it among "
                    + "your lists, but nobody else can."
            )
            return list
        }
    }

    /// Lets a list be shared again that staff took down. It stays private until its owner shares it. Refused with `unknown_list`, also for
    /// one that was not taken down.
    package func restore(_ id: Int64) throws -> Outcome<TitleList> {
        let trail = RequestTrail("lists.restore")
        return try session.request(trail) {
            guard var list = try lists.get(id), list.takenDownAt != nil else { throw Self.unknown(id) }
            trail.patron = list.patron
            (list.takenDownAt, list.decision) = (nil, nil)
            try session.record(.listRestored, list)
            try tell(
                list, "restored", "List may be shared again: \(list.name)",
                "Staff have looked at this list again. You can share it or make it public, as before.")
            return list
        }
    }

    /// Puts a message about a list into its owner's inbox.
    private func tell(_ list: TitleList, _ what: String, _ subject: String, _ body: String) throws {
        let key = "list \(list.id) \(what) \(session.now.microseconds)"
        _ = try session.notices.record([
            NoticeService.message(to: list.patron, key, subject: subject, body: body, at: session.now)
        ])
    }
}
