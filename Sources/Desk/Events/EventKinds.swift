/// The kinds of events that a log may have.
package enum EventKinds {
    package static let all: [any AnyEventKind] =
        settings + catalogue + patrons + loans + holds + market + conversations + readers + policies + plugins
        + webhooks
        + messages + schedule

    private static let byName = Dictionary(
        all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in preconditionFailure("\(first.name) stands twice") })

    /// The kind of a name; nil for one that is not known here.
    package static func named(_ name: String) -> (any AnyEventKind)? { byName[name] }
}
