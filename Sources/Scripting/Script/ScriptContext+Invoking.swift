import Circulation
import Desk
package import LuaRuntime
import TextFormats

extension ScriptContext {
    /// A table with the fields of the library's own in the patron that stands in it under a name.
    package func completed(_ value: LuaValue, patronUnder name: String) -> LuaValue {
        guard var table = value.tableValue, let patron = table[name].tableValue else { return value }
        table[name] = api.completed(patron, "patron")
        return .table(table)
    }

    /// Checks the arguments of a call and carries it out.
    ///
    /// - Throws: ``CapabilityError``; `LuaHostError` for wrong arguments; what the desk throws.
    package func invoke(_ function: APIFunction, _ given: LuaArguments) throws -> [LuaValue] {
        try invoke(function) { check in
            let arguments = try admitted(function, check) { try check.check(given) }
            return try noted(function, given) { try perform(function, arguments) }
        }
    }

    /// The arguments with which the caller may call a function; where there is a caller, what is wrong with them is a
    /// ``Problem``, since they came with a request.
    private func admitted(
        _ function: APIFunction, _ check: ArgumentCheck, _ arguments: () throws -> APIArguments
    ) throws -> APIArguments {
        guard let caller else { return try arguments() }
        let access = CallAccess(function, for: caller, in: self)
        try access.check()
        do {
            let given = try arguments()
            guard function.route != nil else { return given }
            let members = given.members(of: function)
            let complete = try access.complete(members)
            return complete == members ? given : try check.check(named: table(function, complete))
        } catch let error as LuaHostError {
            throw Problem.input(function.sentence(of: error.message), argument: error.argument)
        }
    }

    /// The same with arguments that are named.
    func invoke(_ function: APIFunction, named table: LuaTable) throws -> [LuaValue] {
        try invoke(function) { check in try perform(function, try check.check(named: table)) }
    }

    /// Checks arguments that are named.
    ///
    /// - Throws: `LuaHostError`.
    func arguments(of function: APIFunction, named table: LuaTable) throws -> APIArguments {
        try check(of: function).check(named: table)
    }

    private func check(of function: APIFunction) -> ArgumentCheck {
        ArgumentCheck(
            function: api.function(function),
            setting: .init(currency: library.currency, zone: zone) { [machine] in try machine?.state.charge($0) })
    }

    private func perform(_ function: APIFunction, _ arguments: APIArguments) throws -> [LuaValue] {
        if function.capability.writes && !function.asks { try checkMayWrite() }
        let results = try function.body(APICall(function: function, arguments: arguments, script: self))
        return api.completed(results, function.result)
    }

    private func invoke(_ function: APIFunction, _ body: (ArgumentCheck) throws -> [LuaValue]) throws -> [LuaValue] {
        try check(function.capability, for: function.fullName)
        let check = check(of: function)
        do {
            return try body(check)
        } catch let error as DeskError {
            throw check.fault(APIText.safe(error.message), argument: error.field)
        } catch let error as TimeError {
            throw check.fault(APIText.safe(error.description))
        } catch let error as MoneyError {
            throw check.fault(APIText.safe(error.description))
        } catch let error as ISBNError {
            throw check.fault(APIText.safe(String(describing: error)), argument: "isbn")
        } catch let error as TextError {
            throw check.fault(APIText.safe(String(describing: error)))
        }
    }
}
