package import Circulation
import Storage
package import TextFormats

extension EventDeclaration {
    /// Makes up an event of this kind, for tests. What is not given comes from the records that are - a loan says its copy,
    /// its patron, its due time - and otherwise is as in ``example``.
    ///
    /// - Parameter given: by the names of the fields; values as payloads have them, records by their ids.
    /// - Throws: ``DeskError`` for a name that the event does not have, or a value of another type.
    package func madeUp(
        _ given: JSONObject, sequence: Int64, at: Instant, actor: String, in session: DeskSession
    ) throws -> PublicEvent {
        for entry in given where !fields.contains(where: { $0.name == entry.key }) {
            throw DeskError.input(entry.key, unknownField(entry.key))
        }
        var known: [String: EventValue] = [:]
        for field in fields {
            guard case .record(let reference) = field.type, let id = given[field.name]?.integerValue else { continue }
            known.merge(try session.eventValues(of: reference, id)) { first, _ in first }
        }
        let values = try fields.map { field in
            try given[field.name].map { try field.value($0) } ?? known[field.name] ?? field.example
        }
        return PublicEvent(self, sequence: sequence, at: at, actor: actor, values: values, isMadeUp: true)
    }
}

extension EventField {
    /// The value that JSON holds; what entries leave out is as in the example.
    fileprivate func value(_ json: JSON) throws -> EventValue {
        switch type {
        case .plain(let kind): return .plain(try EventPayload([name: json]).value(name, kind))
        case .record: return .plain(try EventPayload([name: json]).value(name, .integer))
        case .entries(let fields):
            let entries = try EventPayload([name: json]).inners(name)
            return .entries(
                try entries.map { entry in
                    try fields.map { try entry.object[$0.name].map($0.value) ?? $0.example }
                })
        }
    }
}

extension DeskSession {
    /// What a record says, by the names that events have for its fields; nothing where there is none of that id.
    fileprivate func eventValues(of reference: EventReference, _ id: Int64) throws -> [String: EventValue] {
        func values<Record>(_ record: Record?, _ members: [EventMember<Record>]) -> [String: EventValue] {
            guard let record else { return [:] }
            return Dictionary(
                members.compactMap { member in member.field.map { ($0.name, member.value(record)) } },
                uniquingKeysWith: { first, _ in first })
        }
        return switch reference {
        case .title: values(try transaction.titles.get(id), Title.eventMembers)
        case .copy: values(try transaction.copies.get(id), Copy.eventMembers)
        case .patron: values(try transaction.patrons.get(id), Patron.declaredMembers(.patron))
        case .loan: values(try transaction.loans.get(id), Loan.eventMembers)
        case .hold: values(try transaction.holds.get(id), Hold.eventMembers)
        case .notice: values(try transaction.notices.get(id), Notice.eventMembers)
        case .listing: values(try transaction.listings.get(id), Listing.declaredMembers(.listing))
        case .order: values(try transaction.orders.get(id), Order.eventMembers)
        case .rental: values(try transaction.rentals.get(id), Rental.eventMembers)
        case .suggestion: values(try transaction.suggestions.get(id), Suggestion.declaredMembers(.suggestion))
        case .conversation: values(try transaction.conversations.get(id), Conversation.eventMembers)
        }
    }
}
