import Circulation
import LuaRuntime
import Scripting

extension PolicyTestWorker {
    /// Defines `desk`, and the functions of the Lua API, which work at the desk that the test made last.
    func defineDesk() throws {
        for function in LuaAPI.functions where !function.module.isEmpty {
            try state.define(function.fullName) { [unowned self] arguments in
                guard let desk else {
                    throw LuaHostError("\(function.fullName): there is no desk yet; make one with desk { ... }")
                }
                return try desk.context.invoke(function, arguments)
            }
        }
        let environment = try state.makeEnvironment()
        try state.define("open", in: environment) { [unowned self] arguments in
            guard let setting = arguments.count == 0 ? LuaTable() : try arguments.value(at: 0).tableValue else {
                throw LuaHostError("desk: takes a table")
            }
            _ = try openDesk(setting)
            return []
        }
        try state.define("go", in: environment) { [unowned self] arguments in
            try desk?.go(arguments.value(at: 0))
            return []
        }
        try state.define("now", in: environment) { [unowned self] _ in [desk.map { LuaValue($0.clock.now()) } ?? .nil] }
        let prelude = try state.load(PolicyTestPrelude.source, chunk: PolicyTestPrelude.chunk, environment: environment)
        guard let desk = try state.call(prelude).first else { return }
        try state.define("desk", value: desk)
    }
}

/// The words of a desk, in terms of the Lua API.
package enum PolicyTestPrelude {
    /// The name of its chunk.
    package static let chunk = "desk"

    /// Makes the word `desk` of `open`, `go` and `now`.
    package static let source = """
        local function decision(record, refusal)
            if record == nil then
                return { answer = "deny", code = refusal.code, message = refusal.message, where = refusal.where }
            end
            return { answer = "allow", due = record.due_on, due_at = record.due_at, renewals = record.renewals }
        end

        return function(setting)
            open(setting or {})
            local desk = { go = go, now = now }

            function desk.checkout(patron, copy, more)
                local request = { patron = patron, barcode = copy }
                for key, value in pairs(more or {}) do
                    request[key] = value
                end
                return decision(loans.checkout(request))
            end

            function desk.renew(copy)
                return decision(loans.renew { barcode = copy })
            end

            function desk.checkin(copy)
                local back, refusal = loans.checkin { barcode = copy }
                if back == nil then
                    return decision(back, refusal)
                end
                return { answer = "allow", posted = back.posted, loan = back.id, suspended_until = back.suspended_until }
            end

            function desk.hold(patron, copy)
                local hold, refusal = holds.place { patron = patron, title = catalogue.copy(copy).title }
                if hold == nil then
                    return decision(hold, refusal)
                end
                return { answer = "allow", position = hold.position, state = hold.state }
            end

            function desk.sweep()
                return notifications.sweep()
            end

            function desk.nights(count)
                for _ = 1, count do
                    go(days(1))
                    notifications.sweep()
                end
            end

            function desk.owed(patron)
                return fees.owed(patron)
            end

            function desk.pay(patron, amount)
                return fees.pay { patron = patron, amount = amount }
            end

            function desk.loans(patron)
                return loans.active { patron = patron }
            end

            function desk.notices(patron)
                return notifications.list { patron = patron }
            end

            return desk
        end
        """
}
