/// What a script may do. It declares what it needs, and the person who runs it grants it.
package enum Capability: String, Hashable, Sendable, CaseIterable {
    /// Reading the desk; every script may.
    case read
    case catalogueWrite = "catalogue.write"
    case patronsWrite = "patrons.write"
    case loansWrite = "loans.write"
    /// Going on in spite of a refusal that says it may be overridden.
    case loansOverride = "loans.override"
    case cartWrite = "cart.write"
    case marketWrite = "market.write"
    case notificationsWrite = "notifications.write"
    case feesWrite = "fees.write"
    case settingsWrite = "settings.write"
    /// Reading the documented views by SQL.
    case sql
    /// Sending something to servers outside, and asking them.
    case http

    /// Whether the store has to be opened for writing.
    package var writes: Bool {
        switch self {
        case .read, .sql: false
        case .catalogueWrite, .patronsWrite, .loansWrite, .loansOverride, .cartWrite, .marketWrite,
            .notificationsWrite, .feesWrite, .settingsWrite, .http:
            true
        }
    }

    /// The names that `needs` and `--allow` take, in the order of their declaration; `read` goes without saying.
    package static let grantable = allCases.filter { $0 != .read }

    /// The capability of a name, with the nearest name in the error.
    package static func named(_ name: String) throws(CapabilityError) -> Capability {
        guard let capability = Capability(rawValue: name) else { throw .unknown(name) }
        return capability
    }
}

extension Set<Capability> {
    /// Whether a script with these needs a store that can be written.
    package var writes: Bool { contains(where: \.writes) }
}
