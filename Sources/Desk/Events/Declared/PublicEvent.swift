package import Circulation
package import TextFormats

/// An event as scripts, plugins and programs outside see it: what its declaration names, and nothing else.
package struct PublicEvent: Hashable, Sendable {
    package let declaration: EventDeclaration
    package let sequence: Int64
    package let at: Instant
    /// Who or what did it: `patron:ID`, or a program.
    package let actor: String
    /// The values of the declared fields, in their order.
    package let values: [EventValue]
    /// It is no event of a log: records that it names need not be there.
    package let isMadeUp: Bool

    package init(
        _ declaration: EventDeclaration, sequence: Int64, at: Instant, actor: String, values: [EventValue],
        isMadeUp: Bool = false
    ) {
        precondition(values.count == declaration.fields.count, "\(declaration.name) has \(values.count) values")
        self.declaration = declaration
        self.sequence = sequence
        self.at = at
        self.actor = actor
        self.values = values
        self.isMadeUp = isMadeUp
    }

    /// - Throws: ``DeskError`` if the event's kind, its version or its payload is not known here.
    package init(_ event: Event) throws {
        let body = try event.body()
        self.init(body.declaration, sequence: event.sequence, at: event.at, actor: event.actor, values: body.values)
    }

    /// `loan.made` and the like.
    package var name: String { declaration.name }

    /// The value of a declared field; nil where the event has no such field.
    package func value(_ field: String) -> EventValue? {
        declaration.fields.firstIndex { $0.name == field }.map { values[$0] }
    }

    /// The declared fields with their values as JSON, records by their ids; what is absent is left out.
    ///
    /// - Parameter withPersonal: with the fields that may repeat what people wrote about a person. Without, the object may
    ///   leave the library.
    package func json(withPersonal: Bool = false) -> JSON {
        JSON { write(to: &$0, withPersonal: withPersonal) }
    }

    /// Appends the object of ``json(withPersonal:)``.
    package func write(to writer: inout JSONWriter, withPersonal: Bool = false) {
        writer.beginObject()
        Self.write(declaration.fields, values, to: &writer, withPersonal: withPersonal)
        writer.endObject()
    }

    private static func write(
        _ fields: [EventField], _ values: [EventValue], to writer: inout JSONWriter, withPersonal: Bool
    ) {
        for (field, value) in zip(fields, values) where withPersonal || !field.isPersonal {
            switch (field.type, value) {
            case (.entries(let inner), .entries(let entries)):
                writer.list(field.name, entries) { write(inner, $1, to: &$0, withPersonal: withPersonal) }
            case (_, .plain(let plain)): writer.member(field.name, plain)
            default: break
            }
        }
    }
}
