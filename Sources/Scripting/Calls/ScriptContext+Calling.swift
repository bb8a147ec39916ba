import Circulation
package import Desk
import LuaRuntime
import TextFormats

extension ScriptContext {
    /// Calls a function without Lua: arguments and results are JSON.
    ///
    /// - Parameters:
    ///   - members: the arguments by name; see ``APIMembers``.
    ///   - limit: how many records are taken of a function that goes through all of them.
    /// - Throws: ``APIArgumentFault`` for wrong arguments, ``CapabilityError``; what the desk throws.
    package func call(_ function: APIFunction, _ members: APIMembers, limit: Int = 1_000) throws -> APIResponse {
        let table = try table(api.function(function), members)
        let results = try worded(function) { try invoke(function, named: table) }
        return try function.answer(results) { try self.rows($0, limit: limit) }
    }

    /// The arguments of a function that is carried out elsewhere.
    ///
    /// - Throws: ``APIArgumentFault``.
    package func checked(_ function: APIFunction, _ members: APIMembers) throws -> APIArguments {
        let table = try table(api.function(function), members)
        return try worded(function) { try arguments(of: function, named: table) }
    }

    func table(_ function: APIFunction, _ members: APIMembers) throws(APIArgumentFault) -> LuaTable {
        APIType.table(try function.arguments(members), function.namedArguments ?? function.parameters)
    }

    private func worded<Result>(_ function: APIFunction, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as LuaHostError {
            throw APIArgumentFault(description: function.sentence(of: error.message), argument: error.argument)
        }
    }

    /// Does what the body does in one transaction, undone if it throws.
    package func inOneTransaction<Result>(_ body: () throws -> Result) throws -> Result { try inTransaction(body) }

    /// The session of the transaction that goes on, or one that reads alone.
    package func look<Result>(_ body: (DeskSession) throws -> Result) throws -> Result { try read(body) }

    private func rows(_ next: LuaCallback, limit: Int) throws -> [LuaValue] {
        var rows: [LuaValue] = []
        while rows.count < limit {
            guard let row = try next(.none).first, !row.isNil else { break }
            rows.append(row)
        }
        return rows
    }
}

extension APIFunction {
    fileprivate func answer(_ results: [LuaValue], rows: (LuaCallback) throws -> [LuaValue]) throws -> APIResponse {
        let value = results.first ?? .nil
        switch result {
        case .nothing: return .nothing
        case .value(let type): return .value(type.json(value))
        case .found(let type): return value.isNil ? .notFound : .value(type.json(value))
        case .written(let type):
            if value.isNil, results.count > 1, case .object(let refusal) = APIType.record("refusal").json(results[1]) {
                return .refused(refusal)
            }
            // Of several things asked for at once there is a list.
            if case .table(let table) = value, case .record = type, !table.array.isEmpty {
                return .value(APIType.list(type).json(value))
            }
            return .value(type.json(value))
        case .each(let type):
            guard case .callback(let next) = value else { return .value(.array([])) }
            return .value(.array(try rows(next).map(type.json)))
        }
    }

    /// An error's text as a sentence, without the function's name in front.
    func sentence(of message: String) -> String {
        let prefix = "\(fullName): "
        var text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
        if let first = text.first, first.isLowercase { text = first.uppercased() + text.dropFirst() }
        return text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }
}
