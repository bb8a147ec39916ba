package import Circulation
package import Desk

/// Who sends a request.
package struct Caller: Sendable {
    /// The patron to whom the token belongs; nil if the caller is not logged in.
    package let patron: Patron?
    package let token: AccessToken?
    /// The branch at which a member of staff works now; nil: the one of their own record.
    package var workplace: String?

    package static let anonymous = Caller(patron: nil, token: nil)

    /// - Parameter token: by which they were let in; they act in no higher role than it says.
    package init(patron: Patron?, token: AccessToken?) {
        var patron = patron
        if let token, let role = patron?.role { patron?.role = min(role, token.mostRole) }
        self.patron = patron
        self.token = token
    }

    /// - Parameters:
    ///   - group: the routes that it is about; nil: none's.
    ///   - changes: whether something is to be changed.
    /// - Throws: ``Problem`` where they were let in by a key that is not for this.
    package func check(_ group: String?, changes: Bool) throws(Problem) {
        guard let token, token.kind == .key, !token.scope.allows(group, changes: changes) else { return }
        throw Problem(403, "not_in_scope", "This key does not allow that.")
    }

    package var isStaff: Bool { patron.map { $0.role != .patron } ?? false }
    package var isAdmin: Bool { patron?.role == .admin }

    /// Whether they may see who other patrons are; a key may that is for patrons.
    package var seesPatrons: Bool { isStaff && (try? check("patrons", changes: false)) != nil }

    /// The branch at which what they do at the desk happens; nil for patrons, and for staff of no branch.
    package var branch: String? { isStaff ? workplace ?? patron?.homeBranch : nil }

    /// As the desk sees them: by the role of their record, patrons online, staff at a branch.
    package var actor: Actor {
        guard let patron else { return Actor(name: "anonymous", role: .patron, channel: .web) }
        let name = "patron:\(patron.id)"
        switch patron.role {
        case .patron: return Actor(name: name, role: .patron, channel: .web)
        case .staff: return Actor(name: name, role: .staff, channel: .desk, branch: branch)
        case .admin: return Actor(name: name, role: .admin, channel: .desk, branch: branch)
        }
    }
}
