package import Circulation
package import TextFormats

/// A record is its own content: its declaration says what its payload has.
extension EventContent where Self: DeclaredRecord {
    package init(_ payload: EventPayload) throws { self = try payload.record() }
    package func writeMembers(to writer: inout JSONWriter) { writer.members(of: self) }
}

/// A record of which one event may tell several.
package protocol EventListElement: DeclaredRecord {
    /// The member of the payload that has them.
    static var listName: String { get }
    /// The fields of each entry.
    static var elementMembers: [EventMember<Self>] { get }
    /// What the event is about if it tells of one alone.
    var subjectsOfOne: EventSubjects { get }
}

extension Array: EventContent where Element: EventListElement {
    package init(_ payload: EventPayload) throws {
        self = try payload.inners(Element.listName).map { try $0.record() }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.list(Element.listName, self) { $0.members(of: $1) }
    }

    package static var eventMembers: [EventMember<Self>] {
        [.entries(Element.listName, { $0 }, Element.elementMembers)]
    }

    package var subjects: EventSubjects { count == 1 ? self[0].subjectsOfOne : EventSubjects() }
}
