package import Circulation
package import TextFormats

/// A record is its own content: its declaration says what its payload has.
extension EventContent where Self: DeclaredRecord {
    package init(_ payload: EventPayload) throws { self = try payload.record() }
    package func writeMembers(to writer: inout JSONWriter) { writer.members(of: self) }
}

/// A record of which one event may tell several.
package protocol EventListElement: EventContent, DeclaredRecord {
    /// The member of the payload that has them.
    static var listName: String { get }
}

extension Array: EventContent where Element: EventListElement {
    package static var blank: [Element] { [] }
    package static var eventMembers: [EventMember<Self>] { [.entries(Element.listName, \.self)] }
    package var subjects: EventSubjects { count == 1 ? self[0].subjects : EventSubjects() }
}
