import Circulation
import Storage

// Who may touch whose account. Each request says by its line in the table of roles whether it changes one; below that,
// no event of an account is written that the guard has not let pass, whatever led to it.
extension DeskSession {
    private static let outranked = Refused(Refusal.Code.notAllowed, "That account has a role above your own.")

    /// Refuses to change an account whose role is above the actor's. The actor's own account is exempt.
    func checkRank(over patron: Patron) throws {
        guard !actor.isOperator, actor.ownPatron != patron.id else { return }
        guard patron.role <= actor.highestRole else { throw Self.outranked }
    }

    /// Refuses a request that touches accounts above the actor, as far as the trail names their owners.
    func checkRank(_ trail: RequestTrail) throws {
        guard !actor.isOperator, RoleTable.isOfAccount(trail.name) else { return }
        for id in trail.patrons.subtracting(trail.ranked) {
            guard let patron = try transaction.patrons.get(id) else { continue }
            try checkRank(over: patron)
        }
    }

    /// Refuses what would change an account above the actor, or lift one above them, as it is about to be written down.
    ///
    /// What a policy has follow from lending or returning, such as a suspension, is not a change of theirs.
    func checkRank(of body: EventBody) throws {
        guard !actor.isOperator, !isConsequence else { return }
        if let request = requestsUnderway.last, !RoleTable.isOfAccount(request) { return }
        let change = body.accountChange
        for id in change.accounts {
            guard let before = try transaction.patrons.get(id) else { continue }
            try checkRank(over: before)
            if let role = change.role, role != before.role { try checkRole(for: "patrons.set_role") }
        }
        if change.accounts.isEmpty, let role = change.role, role > .patron { try checkRole(for: "patrons.set_role") }
    }
}

extension Actor {
    /// The highest role whose accounts they may touch.
    fileprivate var highestRole: Patron.Role {
        switch role {
        case .patron: .patron
        case .staff, .job: .staff
        case .admin: .admin
        }
    }
}
