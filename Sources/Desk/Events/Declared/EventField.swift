package import Circulation

/// One field of an event as scripts, plugins and programs see it.
package struct EventField: Hashable, Sendable {
    /// `copy`, `due_at` and the like; unique among the fields of an event.
    package let name: String
    package let type: EventFieldType
    package let mayBeAbsent: Bool
    /// It may repeat what people wrote about a person: scripts see it, programs outside do not.
    package let isPersonal: Bool
    /// What the reference says; empty where the name says it.
    package let documentation: String

    /// Where people write freely, or make keys of names. What is personal in a record never reaches an event at all.
    private static let personalNames: Set<String> =
        EventText.free.union(EventText.unique).union(["import_key", "decision"])

    package init(
        _ name: String, _ type: EventFieldType, mayBeAbsent: Bool = false, isPersonal: Bool = false,
        _ documentation: String = ""
    ) {
        self.name = name
        self.type = type
        self.mayBeAbsent = mayBeAbsent
        self.isPersonal = isPersonal || Self.personalNames.contains(name)
        self.documentation = documentation
    }
}

/// Of what kind the values of an event's field are.
package indirect enum EventFieldType: Hashable, Sendable {
    /// A value as the fields of records have it.
    case plain(FieldKind)
    /// A record of the library, by its id. Scripts have the record itself, read when they ask for it.
    case record(EventReference)
    /// What the event tells several of, each with these fields.
    case entries([EventField])
}

/// The records that events refer to and scripts can read.
package enum EventReference: String, Hashable, Sendable, CaseIterable {
    case title, copy, patron, loan, hold, notice, listing, order, rental, suggestion, conversation

    init(_ reference: FieldReference) {
        self =
            switch reference {
            case .title: .title
            case .copy: .copy
            case .patron: .patron
            case .loan: .loan
            case .listing: .listing
            case .order: .order
            case .conversation: .conversation
            }
    }
}

/// The value of an event's field.
package indirect enum EventValue: Hashable, Sendable {
    /// A plain value; of a record its id.
    case plain(FieldValue)
    /// For each entry its values, in the order of the fields.
    case entries([[EventValue]])

    package static let absent = EventValue.plain(.absent)

    /// Whether there is nothing to show.
    package var isAbsent: Bool { self == .absent }
}

/// The members of payloads that are not made by the desk's own rules.
enum EventText {
    /// Where people or policies write freely. A label stands in the ledger as well: it was cleared when it was posted.
    static let free: Set<String> = ["reason", "message", "subject", "body"]
    /// What makes a message or a line of the ledger one and the same; its writer may have made it from a name.
    static let unique: Set<String> = ["key", "subject_key"]
}
