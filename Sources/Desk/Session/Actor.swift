package import Circulation

/// Who works at the desk, through which channel, at which branch.
package struct Actor: Hashable, Sendable {
    /// The name that events carry, an ``ActorName``: `patron:ID` for people, never a username, and a word for a
    /// program.
    package var name: String
    package var role: ActorFacts.Role
    package var channel: ActorFacts.Channel
    /// The branch where it happens; nil: the first branch, online the copy's.
    package var branch: String?
    /// A program at the machine itself, such as a command: its user may open the store as well, so that
    /// capabilities bind it and not the table of roles.
    package var isOperator: Bool

    package init(
        name: String, role: ActorFacts.Role, channel: ActorFacts.Channel, branch: String? = nil,
        isOperator: Bool = false
    ) {
        self.name = name
        self.role = role
        self.channel = channel
        self.branch = branch
        self.isOperator = isOperator
    }

    /// Staff at the desk of the first branch.
    package static let desk = Actor(name: "desk", role: .staff, channel: .desk, isOperator: true)

    var facts: ActorFacts { ActorFacts(role: role, channel: channel) }

    /// Staff may override what a policy lets them override; self-service may not.
    var mayOverride: Bool { role == .staff || role == .admin }
}
