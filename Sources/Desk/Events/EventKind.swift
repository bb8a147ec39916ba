import Circulation
import Storage
package import TextFormats

/// What an event of some kind says, as it stands in the log.
package protocol EventContent: Hashable, Sendable {
    /// Content to be filled member by member.
    static var blank: Self { get }

    /// What its payload has, and what scripts, plugins and programs see of it, in the order of the payload.
    static var eventMembers: [EventMember<Self>] { get }

    /// Reads a payload back. What is personal is never part of one and comes back blank.
    init(_ payload: EventPayload) throws

    /// Writes the members of the payload.
    func writeMembers(to writer: inout JSONWriter)

    /// The patron, copy and loan by which the log can be searched; an event about several has none.
    var subjects: EventSubjects { get }
}

extension EventContent {
    package var subjects: EventSubjects { EventSubjects() }

    package init(_ payload: EventPayload) throws {
        self = Self.blank
        for member in Self.eventMembers { try member.payload?.read(&self, payload) }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        for member in Self.eventMembers { member.payload?.write(self, &writer) }
    }

    /// The fields of its events.
    static var eventFields: [EventField] { eventMembers.compactMap(\.field) }

    /// The values of those fields, in their order.
    var eventValues: [EventValue] { Self.eventMembers.compactMap { $0.field == nil ? nil : $0.value(self) } }
}

/// The columns by which events are searched.
package struct EventSubjects: Hashable, Sendable {
    var patron: Int64?
    var copy: Int64?
    var loan: Int64?
}

extension EventSubjects {
    init(_ loan: Loan) {
        self.init(patron: loan.patron, copy: loan.copy, loan: loan.id)
    }
}

/// A kind of event, said once: its name in the log, when it happens, what it carries, and what it changes. The tables change through
/// ``apply`` alone, so that applying the log from its beginning gives the same tables again.
package struct EventKind<Content: EventContent>: Sendable {
    /// Makes the change.
    ///
    /// - Returns: the content as it is to be written down, with the ids that new rows were given (an id of 0 asks for
    ///   one) and without the lines of a batch that were there already; nil if nothing of it was new.
    typealias Change = @Sendable (Content, Transaction) throws -> Content?

    /// `loan.made`, `title.added` and the like.
    package let name: String
    /// When it happens, as a sentence.
    package let summary: String
    let apply: Change
    /// What it changes of what a replay keeps in memory.
    let follow: @Sendable (Content, FoldedFacts) throws -> Void
    /// Whose account it changes - who they are, what lets them in, what keeps them out - and the role that it gives.
    let account: @Sendable (Content) -> (accounts: [Int64], role: Patron.Role?)
    /// Whether the library's settings change with it.
    let changesSettings: Bool
    /// Whether it bears on lending; a replay leaves other events out.
    package let isOfLending: Bool

    /// - Parameter follow: without it, a replay forgets all that it keeps.
    init(
        _ name: String, _ summary: String, changesSettings: Bool = false, isOfLending: Bool = true,
        account: @escaping @Sendable (Content) -> (accounts: [Int64], role: Patron.Role?) = { _ in ([], nil) },
        follow: @escaping @Sendable (Content, FoldedFacts) throws -> Void = { $1.forgetAll() },
        apply: @escaping Change
    ) {
        self.name = name
        self.summary = summary
        self.apply = apply
        self.follow = follow
        self.account = account
        self.changesSettings = changesSettings
        self.isOfLending = isOfLending
    }

    /// A kind that is written down as it was recorded.
    init(
        writing name: String, _ summary: String, changesSettings: Bool = false, isOfLending: Bool = true,
        account: @escaping @Sendable (Content) -> (accounts: [Int64], role: Patron.Role?) = { _ in ([], nil) },
        follow: @escaping @Sendable (Content, FoldedFacts) throws -> Void = { $1.forgetAll() },
        _ write: @escaping @Sendable (Content, Transaction) throws -> Void
    ) {
        self.init(
            name, summary, changesSettings: changesSettings, isOfLending: isOfLending, account: account, follow: follow
        ) { content, transaction in
            try write(content, transaction)
            return content
        }
    }

    /// A kind that adds a record.
    init(
        adding name: String, _ summary: String, isOfLending: Bool = true,
        account: @escaping @Sendable (Content) -> (accounts: [Int64], role: Patron.Role?) = { _ in ([], nil) },
        follow: @escaping @Sendable (Content, FoldedFacts) throws -> Void = { $1.forgetAll() },
        _ insert: @escaping @Sendable (Content, Transaction) throws -> Int64
    ) where Content: NumberedRecord {
        self.init(name, summary, isOfLending: isOfLending, account: account, follow: follow) { record, transaction in
            var record = record
            record.id = try insert(record, transaction)
            return record
        }
    }

    /// A kind that says what happened and changes no table.
    init(noting name: String, _ summary: String, isOfLending: Bool = false) {
        self.init(name, summary, isOfLending: isOfLending, follow: { _, _ in }, apply: { content, _ in content })
    }
}

/// Content that shows of which kind its event is.
package protocol EventStep: EventContent {
    /// The kind of its event.
    var kind: EventKind<Self> { get }
}

/// A kind of event, whatever it carries.
package protocol AnyEventKind: Sendable {
    var name: String { get }
    /// Whether it bears on lending.
    var isOfLending: Bool { get }
    /// What is known of such events.
    var declaration: EventDeclaration { get }
    /// Reads what an event of this kind says.
    func body(of payload: EventPayload) throws -> EventBody
}

extension EventKind: AnyEventKind {
    package var declaration: EventDeclaration {
        EventDeclaration(name: name, summary: summary, fields: Content.eventFields)
    }

    package func body(of payload: EventPayload) throws -> EventBody { EventBody(self, try Content(payload)) }
}
