import Circulation
import Desk
import LuaRuntime
import Scripting
import Testing

@Suite("Events in Lua")
struct EventHandlerTests {
    private let sample: APISample
    private let context: ScriptContext

    init() throws {
        sample = try APISample()
        let clock = sample.clock
        context = try ScriptContext(
            desk: sample.desk, clock: { clock.now() }, output: sample.output, permissions: .reading)
    }

    private func handler(_ text: String) throws -> LuaFunction {
        let chunk = try context.state.load(
            "return function(event) \(text) end", chunk: "handler.lua", environment: try context.environment)
        return try #require(try context.state.call(chunk).first?.functionValue)
    }

    private func event(_ kind: String) throws -> PublicEvent {
        let event = try sample.desk.read { try $0.events.list(EventQuery(kind: kind)).first }
        return try PublicEvent(#require(event))
    }

    private func answer(_ text: String, to event: PublicEvent) throws -> [LuaValue] {
        try context.call(handler(text), with: event)
    }

    @Test("plain fields are there, records come when they are asked for")
    func fields() throws {
        let event = try event("loan.made")
        #expect(
            try answer("return event.name, event.sequence > 0, event.item_type, event.returned_at", to: event)
                == ["loan.made", true, "book", nil])
        #expect(
            try answer("return event.copy.barcode, event.patron.username, event.title.title, event.loan.id", to: event)
                == ["1005", "ada", "Dune", 1])
        #expect(
            try answer("return event.at == event.lent_at, event.due_on == event.loan.due_on", to: event) == [
                true, true,
            ])
    }

    @Test("a record is as it is when it is asked for, and nil once it is gone")
    func presentRecords() throws {
        let event = try event("patron.added")
        #expect(try answer("return event.patron.name", to: event) == ["Ada"])
        try sample.desk.write { session in
            _ = try session.loans.checkin(.barcode("1005"))
            _ = try session.loans.checkin(.barcode("1004"))
            _ = try session.patrons.remove(.username("ada"))
        }
        #expect(try answer("return event.patron", to: event) == [nil])
    }

    @Test("a field that the event does not have is an error at the line that asks, with the nearest name")
    func unknownField() throws {
        let event = try event("loan.made")
        let error = #expect(throws: LuaError.self) { try answer("\n\nreturn event.copi", to: event) }
        #expect(error?.line == 3)
        #expect(error?.message.contains("the event loan.made has no field 'copi'; did you mean 'copy'?") == true)
    }

    @Test("entries have fields and records of their own")
    func entries() throws {
        let event = try event("ledger.posted")
        let text = """
            local lines = {}
            for _, entry in ipairs(event.entries) do
                lines[#lines + 1] = entry.patron.username .. " owes " .. tostring(entry.amount)
            end
            return lines[1], #event.entries
            """
        #expect(try answer(text, to: event) == ["bob owes 2.50 EUR", 1])
        let error = #expect(throws: LuaError.self) { try answer("return event.entries[1].amonut", to: event) }
        #expect(error?.message.contains("did you mean 'amount'?") == true)
    }

    @Test("a made-up event takes what is left out from the records that are given")
    func completed() throws {
        let event = try context.madeUpEvent("loan.lost", LuaTable(fields: [("loan", .integer(1))]))
        #expect(try answer("return event.copy.barcode, event.patron.username", to: event) == ["1005", "ada"])
        let copy = try context.madeUpEvent("loan.lost", LuaTable(fields: [("copy", "1003"), ("reason", "fire")]))
        #expect(try answer("return event.title.title, event.reason", to: copy) == ["The Hobbit", "fire"])
    }

    @Test("without records a made-up event has examples of them")
    func examples() throws {
        let event = try context.madeUpEvent("hold.in_transit")
        #expect(
            try answer("return event.copy.barcode, event.hold.pickup_branch, event.pickup_branch", to: event)
                == ["30012345", "main", "main"])
    }

    @Test("a made-up event can be of every kind")
    func everyKind() throws {
        for name in EventDeclaration.all.map(\.name) {
            let event = try context.madeUpEvent(name)
            let reads = event.declaration.fieldNames.map { "local _ = event.\($0)" }.joined(separator: " ")
            #expect(try answer("\(reads) return event.name", to: event) == [.string(name)])
        }
    }

    @Test(
        "what a made-up event cannot be is said",
        arguments: [
            ("loan.lots", LuaTable(), "there is no event 'loan.lots'; did you mean 'loan.lost'?"),
            (
                "loan.lost", LuaTable(fields: [("copi", "1003")]),
                "the event loan.lost has no field 'copi'; did you mean 'copy'?"
            ),
            ("loan.lost", LuaTable(fields: [("copy", "9")]), "there is no copy '9'"),
            ("loan.lost", LuaTable(fields: [("renewals", "many")]), "'renewals' must be"),
        ])
    func refused(name: String, fields: LuaTable, message: String) throws {
        let error = #expect(throws: LuaHostError.self) { try context.madeUpEvent(name, fields) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
