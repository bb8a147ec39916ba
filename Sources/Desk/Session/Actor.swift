package import Circulation

/// Who works at the desk, through which channel, at which branch.
package struct Actor: Hashable, Sendable {
    /// The name that events carry: a staff login or the name of a job; for self-service `patron:ID`, never a username.
    package var name: String
    package var role: ActorFacts.Role
    package var channel: ActorFacts.Channel
    /// The branch where it happens; nil: the first branch, online the copy's.
    package var branch: String?

    package init(name: String, role: ActorFacts.Role, channel: ActorFacts.Channel, branch: String? = nil) {
        self.name = name
        self.role = role
        self.channel = channel
        self.branch = branch
    }

    /// Staff at the desk of the first branch.
    package static let desk = Actor(name: "desk", role: .staff, channel: .desk)

    var facts: ActorFacts { ActorFacts(role: role, channel: channel) }

    /// Staff may override what a policy lets them override; self-service may not.
    var mayOverride: Bool { role == .staff || role == .admin }
}
