import Circulation
package import Desk
package import LuaRuntime
import Market

extension ScriptContext {
    /// Calls a function of the script with an event: a table of its plain fields, to which records are added when the
    /// function asks for them, as they are in the store then. A record that is gone is nil; a field that the event does
    /// not have is an error that names the nearest.
    ///
    /// - Throws: `LuaError`, and what the functions throw that are called.
    package func call(
        _ handler: LuaFunction, with event: PublicEvent, limits: LuaLimits? = nil
    ) throws -> [LuaValue] {
        let state = try state
        let caller = try caller(in: state)
        let (fields, values) = (event.declaration.fields, event.values)
        var lists: [(String, LuaValue)] = []
        for (field, value) in zip(fields, values) {
            guard case .entries(let inner) = field.type, case .entries(let entries) = value else { continue }
            let readers = entries.map { entry in
                LuaValue.callback { [unowned self] in try self.read($0[1], inner, entry, of: event) }
            }
            lists.append((field.name, .table(LuaTable(array: readers))))
        }
        let reader = LuaValue.callback { [unowned self] in
            try self.read($0[1], EventField.common + fields, event.commonValues + values, of: event)
        }
        return try state.call(
            caller, [.function(handler), .table(event.table), reader, .table(LuaTable(fields: lists))], limits: limits)
    }

    private func caller(in state: LuaState) throws -> LuaFunction {
        if let eventCaller { return eventCaller }
        let chunk = try state.load(Self.caller, chunk: "event", environment: try state.makeEnvironment())
        guard let caller = try state.call(chunk).first?.functionValue else {
            throw LuaError(code: .unavailable, message: "events cannot be handed to scripts")
        }
        eventCaller = caller
        return caller
    }

    /// A tail call, so that a trace shows the script alone. Each reader is the metamethod itself, so that an error names the
    /// line of the script that asked.
    private static let caller = """
        return function(handler, event, reader, lists)
            for name, readers in pairs(lists) do
                for place, entry in ipairs(event[name]) do setmetatable(entry, { __index = readers[place] }) end
            end
            return handler(setmetatable(event, { __index = reader }))
        end
        """

    /// What the event's table does not have yet.
    private func read(
        _ key: LuaValue, _ fields: [EventField], _ values: [EventValue], of event: PublicEvent
    ) throws -> [LuaValue] {
        guard case .string(let name) = key else { return [.nil] }
        guard let place = fields.firstIndex(where: { $0.name == name }) else {
            throw LuaHostError(event.declaration.unknownField(name, among: fields.map(\.name)))
        }
        guard case .record(let reference) = fields[place].type, case .plain(.integer(let id)) = values[place] else {
            return [.nil]
        }
        return [try record(reference, id, orExample: event.isMadeUp)]
    }

    /// A record as its module gives it, nil where there is none of that id.
    ///
    /// - Parameter orExample: give an example instead of nil.
    private func record(_ reference: EventReference, _ id: Int64, orExample: Bool) throws -> LuaValue {
        func or<Record: NumberedRecord>(_ record: Record?) -> Record? {
            record ?? (orExample ? Record.example(id: id) : nil)
        }
        let table: LuaValue? = try read { session in
            switch reference {
            case .title: try or(session.catalogue.get(.id(id))).map { APIRecord.title.table(try session.counted($0)) }
            case .copy: try or(session.catalogue.copy(id: id)).map(APIRecord.copy.table)
            case .patron: try or(session.patrons.get(.id(id))).map(APIRecord.patron.table)
            case .loan: try or(session.loans.get(.id(id))).map(APIRecord.loan.table)
            case .hold:
                try (session.holds.get(id) ?? or(nil).map { QueuedHold(hold: $0) }).map(APIRecord.hold.table)
            case .notice: try or(session.notices.get(id)).map(APIRecord.notice.table)
            case .listing:
                try or(session.market.get(id)).map { APIRecord.listing.table(try ListingRow($0, in: session)) }
            case .order: try or(session.market.order(id)).map(APIRecord<Order>.order.table)
            case .rental: try or(session.market.rental(id)).map(APIRecord<Rental>.rental.table)
            case .suggestion: try or(session.suggestions.get(id)).map(APIRecord<Suggestion>.suggestion.table)
            case .conversation:
                try or(session.conversations.get(id)).map {
                    APIRecord.conversation.table(try ConversationRow($0, in: session))
                }
            }
        }
        guard case .table(let record)? = table else { return .nil }
        return api.completed(record, reference.rawValue)
    }
}

extension PublicEvent {
    var commonValues: [EventValue] {
        [.plain(.integer(sequence)), .plain(.text(name)), .plain(.instant(at)), .plain(.text(actor))]
    }

    /// The plain fields, those that every event has among them; records are left to be asked for.
    package var table: LuaTable {
        Self.table(EventField.common + declaration.fields, commonValues + values)
    }

    private static func table(_ fields: [EventField], _ values: [EventValue]) -> LuaTable {
        var entries: [(String, LuaValue)] = []
        for (field, value) in zip(fields, values) {
            switch (field.type, value) {
            case (.entries(let inner), .entries(let list)):
                entries.append((field.name, .table(LuaTable(array: list.map { .table(table(inner, $0)) }))))
            case (.plain, .plain(let plain)) where plain != .absent: entries.append((field.name, LuaValue(plain)))
            default: break
            }
        }
        return LuaTable(fields: entries)
    }
}
