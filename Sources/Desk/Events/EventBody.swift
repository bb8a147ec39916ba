import Circulation
import Storage
package import TextFormats

/// What an event says, of whatever kind.
///
/// A body carries whole records while it is applied. Written to the log it loses what is personal: names, addresses,
/// birth date, `extra`, the texts of notices and the reasons of blocks; read back, these are blank.
package struct EventBody: Hashable, Sendable {
    /// The version of the payloads written here.
    package static let version: Int64 = 1

    private let event: any AnyEvent

    package init<Content>(_ kind: EventKind<Content>, _ content: Content) {
        event = TypedEvent(kind: kind, content: content)
    }

    /// The name of its kind.
    package var kind: String { event.name }

    /// What is known of events of its kind.
    package var declaration: EventDeclaration { EventDeclaration.named(kind) ?? event.declaration }

    /// The values of the declared fields, in their order.
    package var values: [EventValue] { event.values }

    /// What an event of a kind says; nil for an event of another kind.
    package subscript<Content>(_ kind: EventKind<Content>) -> Content? {
        guard let event = event as? TypedEvent<Content>, event.kind.name == kind.name else { return nil }
        return event.content
    }

    /// What it says, if its kind carries such.
    package func content<Content: EventContent>(_ type: Content.Type = Content.self) -> Content? {
        (event as? TypedEvent<Content>)?.content
    }

    package static func == (one: EventBody, other: EventBody) -> Bool { one.event.isEqual(to: other.event) }

    package func hash(into hasher: inout Hasher) { event.hash(into: &hasher) }

    /// Appends the payload as a JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        event.writeMembers(to: &writer)
        writer.endObject()
    }

    var subjects: EventSubjects { event.subjects }
    var accountChange: (accounts: [Int64], role: Patron.Role?) { event.accountChange }
    var changesSettings: Bool { event.changesSettings }
    var isOfLending: Bool { event.isOfLending }

    /// Makes the change; see ``EventKind/Change``.
    func applied(to transaction: Transaction) throws -> EventBody? { try event.applied(to: transaction) }

    /// Changes what a replay keeps in memory.
    func follow(_ facts: FoldedFacts) throws { try event.follow(facts) }
}

/// An event whose kind only the event itself knows.
private protocol AnyEvent: Hashable, Sendable {
    var name: String { get }
    var declaration: EventDeclaration { get }
    var values: [EventValue] { get }
    var subjects: EventSubjects { get }
    var accountChange: (accounts: [Int64], role: Patron.Role?) { get }
    var changesSettings: Bool { get }
    var isOfLending: Bool { get }
    func applied(to transaction: Transaction) throws -> EventBody?
    func follow(_ facts: FoldedFacts) throws
    func writeMembers(to writer: inout JSONWriter)
    func isEqual(to other: any AnyEvent) -> Bool
}

private struct TypedEvent<Content: EventContent>: AnyEvent {
    let kind: EventKind<Content>
    let content: Content

    static func == (one: Self, other: Self) -> Bool {
        one.kind.name == other.kind.name && one.content == other.content
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(kind.name)
        hasher.combine(content)
    }

    var name: String { kind.name }
    var declaration: EventDeclaration { kind.declaration }
    var values: [EventValue] { content.eventValues }
    var subjects: EventSubjects { content.subjects }
    var accountChange: (accounts: [Int64], role: Patron.Role?) { kind.account(content) }
    var changesSettings: Bool { kind.changesSettings }
    var isOfLending: Bool { kind.isOfLending }

    func applied(to transaction: Transaction) throws -> EventBody? {
        try kind.apply(content, transaction).map { EventBody(kind, $0) }
    }

    func follow(_ facts: FoldedFacts) throws { try kind.follow(content, facts) }
    func writeMembers(to writer: inout JSONWriter) { content.writeMembers(to: &writer) }
    func isEqual(to other: any AnyEvent) -> Bool { other as? Self == self }
}
