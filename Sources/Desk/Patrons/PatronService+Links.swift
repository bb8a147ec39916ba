package import Circulation
import Storage

extension PatronService {
    /// To whom the patron is linked: guardians, those for whom the patron answers, and the others of the household, each in
    /// the order in which they were linked.
    package func links(of key: PatronKey) throws -> [LinkedPatron] {
        guard let patron = try get(key) else { return [] }
        let links = transaction.patronLinks
        let (own, others) = (try links.of(patron: patron.id), try links.to(other: patron.id))
        var found = own.filter { $0.kind == .guardian }.map { ($0.other, LinkedPatron.Relation.guardian, $0.addedAt) }
        found += others.filter { $0.kind == .guardian }.map { ($0.patron, .dependent, $0.addedAt) }
        found += try household(of: patron.id).filter { $0.id != patron.id }.map { ($0.id, .household, $0.since) }
        return try found.compactMap { id, relation, since in
            try get(.id(id)).map { LinkedPatron(patron: $0, relation: relation, since: since) }
        }
    }

    /// The usernames of a patron's guardians, in the order in which they were linked.
    package func guardians(of patron: Int64) throws -> [String] {
        try transaction.patronLinks.of(patron: patron).filter { $0.kind == .guardian }
            .compactMap { try transaction.patrons.get($0.other)?.username }
    }

    /// The members of the patron's household, the patron too, each with since when the patron and they are in it together.
    private func household(of patron: Int64) throws -> [(id: Int64, since: Instant)] {
        let links = transaction.patronLinks
        guard let head = try links.head(ofHouseholdOf: patron) else { return [] }
        let members = try links.household(of: head)
        let joined = members.first { $0.patron == patron }?.addedAt
        let others = members.map { ($0.patron, max($0.addedAt, joined ?? $0.addedAt)) }
        return [(head, joined ?? members[0].addedAt)] + others
    }

    /// Says who answers for a patron, or who lives with whom. What is so already stays as it is.
    ///
    /// Of a household, the one who is in none yet joins the other's. Refused with `unknown_patron`, `same_patron`, `not_guardian`
    /// if the patron is the other's guardian, `other_household` if both are in one, or `full`.
    ///
    /// - Parameter other: the guardian, or a member of the household.
    /// - Returns: the other.
    package func link(
        _ key: PatronKey, to other: PatronKey, as kind: PatronLink.Kind
    ) throws -> Outcome<LinkedPatron> {
        let trail = RequestTrail("patrons.link")
        return try session.request(trail) {
            let second = try known(other, trail)
            let first = try known(key, trail)
            let link = PatronLink(patron: first.id, other: second.id, kind: kind, addedAt: session.now)
            let since: Instant
            switch try proposed(link) {
            case .present(let present): since = present.addedAt
            case .new(let link): since = try insert(link).addedAt
            }
            return LinkedPatron(patron: second, relation: kind.relation, since: since)
        }
    }

    /// Ends a link. Of a household the patron leaves it, the others stay.
    ///
    /// Refused with `unknown_patron`, or `unknown_link` if they are not linked like that.
    ///
    /// - Returns: the other, who was linked to the patron.
    package func unlink(
        _ key: PatronKey, from other: PatronKey, as kind: PatronLink.Kind
    ) throws -> Outcome<LinkedPatron> {
        let trail = RequestTrail("patrons.unlink")
        return try session.request(trail) {
            let second = try known(other, trail)
            let first = try known(key, trail)
            let present = try links(of: .id(first.id)).first {
                $0.patron.id == second.id && $0.relation == kind.relation
            }
            guard let present else { throw Refused("unknown_link", "These patrons are not linked in this way.") }
            try session.record(
                .patronUnlinked, PatronUnlinking(patron: first.id, other: second.id, kind: kind))
            return present
        }
    }
}

extension PatronService {
    /// A link as it is to be written, or the one that says the same already.
    enum ProposedLink {
        case present(PatronLink)
        case new(PatronLink)
    }

    /// - Throws: ``Refused`` with `same_patron`, `not_guardian`, `other_household`, or `full`.
    func proposed(_ link: PatronLink) throws -> ProposedLink {
        guard link.patron != link.other else {
            throw Refused("same_patron", "A patron cannot be linked to themselves.")
        }
        switch link.kind {
        case .guardian: return try proposedGuardian(link)
        case .household: return try proposedHousehold(link)
        }
    }

    private func proposedGuardian(_ link: PatronLink) throws -> ProposedLink {
        let links = transaction.patronLinks
        if let present = try links.find(link.patron, .guardian, link.other) { return .present(present) }
        if try links.find(link.other, .guardian, link.patron) != nil {
            throw Refused("not_guardian", "This patron is already the other patron's guardian.")
        }
        let guardians = try links.of(patron: link.patron).count { $0.kind == .guardian }
        let dependents = try links.to(other: link.other).count { $0.kind == .guardian }
        guard guardians < PatronLink.mostGuardians else {
            throw Refused("full", "A patron can have at most \(PatronLink.mostGuardians) guardians.")
        }
        guard dependents < PatronLink.mostDependents else {
            throw Refused("full", "A guardian can be responsible for at most \(PatronLink.mostDependents) patrons.")
        }
        return .new(link)
    }

    private func proposedHousehold(_ link: PatronLink) throws -> ProposedLink {
        let links = transaction.patronLinks
        var link = link
        let own = try links.head(ofHouseholdOf: link.patron)
        let other = try links.head(ofHouseholdOf: link.other)
        switch (own, other) {
        case (nil, nil): return .new(link)
        case (let own?, let other?):
            guard own == other else {
                throw Refused(
                    "other_household",
                    "These patrons belong to different households. Take one of them out of theirs first.")
            }
            let since = try household(of: link.patron).first { $0.id == link.other }?.since
            link.addedAt = since ?? link.addedAt
            return .present(link)
        case (let own?, nil): (link.patron, link.other) = (link.other, own)
        case (nil, let other?): link.other = other
        }
        guard try links.household(of: link.other).count + 1 < PatronLink.mostInHousehold else {
            throw Refused("full", "A household can have at most \(PatronLink.mostInHousehold) patrons.")
        }
        return .new(link)
    }

    /// Adds a link within a request.
    func insert(_ link: PatronLink) throws -> PatronLink {
        guard let added = try session.record(.patronLinked, link, at: link.addedAt)?.content else {
            throw DeskError.input(nil, "The link could not be added.")
        }
        return added
    }
}

extension PatronLink.Kind {
    fileprivate var relation: LinkedPatron.Relation {
        switch self {
        case .guardian: .guardian
        case .household: .household
        }
    }
}
