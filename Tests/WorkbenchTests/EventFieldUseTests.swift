import LuaSyntax
import Testing
import Workbench

@Suite("The check of functions for events")
struct EventFieldUseTests {
    /// The functions of `on = { ["loan.lost"] = function(event) ... end }`.
    private func findings(_ text: String) throws -> [Finding] {
        let chunk = try LuaParser.parse(text, chunk: "plugin.lua", maximumSize: 10_000)
        var finder = HandlerFinder(scopes: ScopeAnalysis(chunk))
        chunk.walk(&finder)
        return EventFieldUse.findings(of: finder.handlers, in: chunk)
    }

    private struct HandlerFinder: LuaVisitor {
        let scopes: ScopeAnalysis
        private(set) var handlers: [EventFieldUse.Handler] = []

        init(scopes: ScopeAnalysis) { self.scopes = scopes }

        mutating func enter(_ expression: Expression) {
            guard case .table(let table) = expression.kind else { return }
            for entry in table.entries {
                guard let key = entry.name, key.name.contains(".") else { continue }
                handlers.append(.init(event: key.name, range: key.range, body: scopes.function(entry.value)))
            }
        }
    }

    @Test("a field that the event or its record does not have is found, with line and the nearest name")
    func fields() throws {
        let findings = try findings(
            """
            on = {
                ["loan.lost"] = function(event)
                    print(event.copy.barcod, event.due_at.year, event.reason)
                    local patron = event.patron
                    return patron.usrname, event.coppy
                end,
            }
            """)
        #expect(findings.map(\.position.line) == [3, 5, 5])
        #expect(findings.map(\.suggestion) == ["barcode", "username", "copy"])
        #expect(findings.allSatisfy { $0.code == "unknown_field" })
    }

    @Test("entries and local functions are followed")
    func flow() throws {
        let findings = try findings(
            """
            local function name(one) return one.patron.surname, one.amuont end
            on = { ["ledger.posted"] = function(event)
                for _, entry in ipairs(event.entries) do print(entry.labl, name(event.entries[1])) end
            end }
            """)
        #expect(findings.map(\.suggestion) == ["amount", "label"])
    }

    @Test("an event that does not exist is found, with the nearest name")
    func unknown() throws {
        let findings = try findings(#"on = { ["hold.in_transfer"] = function(event) return event.any end }"#)
        #expect(findings.map(\.code) == ["unknown_event"])
        #expect(findings.map(\.suggestion) == ["hold.in_transit"])
    }

    @Test("one function for two events may name the fields of both")
    func shared() throws {
        let findings = try findings(
            """
            local function tell(event) return event.previous_due_at, event.returned_at end
            on = { ["loan.lost"] = tell, ["loan.returned"] = function(event) return tell(event) end }
            """)
        #expect(findings.isEmpty)
    }
}
