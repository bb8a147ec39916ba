package import Circulation
package import Desk

/// Who sends a request.
package struct Caller: Sendable {
    /// Whoever the token belongs to; nil: nobody has logged in.
    package let patron: Patron?
    package let token: AccessToken?

    package static let nobody = Caller(patron: nil, token: nil)

    package init(patron: Patron?, token: AccessToken?) {
        self.patron = patron
        self.token = token
    }

    package var isStaff: Bool { patron.map { $0.role != .patron } ?? false }
    package var isAdmin: Bool { patron?.role == .admin }

    /// As the desk sees them: online, by the role of their record.
    package var actor: Actor {
        guard let patron else { return Actor(name: "anonymous", role: .patron, channel: .web) }
        switch patron.role {
        case .patron: return Actor(name: "patron:\(patron.id)", role: .patron, channel: .web)
        case .staff: return Actor(name: "patron:\(patron.id)", role: .staff, channel: .desk)
        case .admin: return Actor(name: "patron:\(patron.id)", role: .admin, channel: .desk)
        }
    }
}
