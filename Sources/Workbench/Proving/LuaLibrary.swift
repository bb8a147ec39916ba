import LuaRuntime
import LuaSyntax
import Prover
import TextFormats

/// Reckons functions of Lua's libraries on values that are known, for proofs: by Lua itself. Used by one thread.
final class LuaLibrary {
    private let state: LuaState
    private var functions: [String: LuaFunction] = [:]

    init() throws { state = try LuaState(profile: .policy, limits: PolicyTestWorker.limits) }

    /// - Parameter name: of a function or an operator.
    /// - Throws: ``LibraryFault`` for an error that Lua raises; ``Unsettled`` for a value that is no plain one.
    func reckon(_ name: String, _ values: [JSON]) throws -> [JSON] {
        do {
            return try state.call(try function(name), values.map(\.luaValue)).map { try $0.json }
        } catch let error as LuaError {
            throw LibraryFault(error.message)
        }
    }

    private func function(_ name: String) throws -> LuaFunction {
        if let known = functions[name] { return known }
        let source =
            switch name {
            case "table.concat": "return function(separator, ...) return table.concat({ ... }, separator) end"
            case _ where name.first.map { $0.isLetter } ?? false: "return \(name)"
            default: "return function(one, other) return one \(name) other end"
            }
        let made = try state.call(
            try state.load(source, chunk: "=library", environment: try state.makeEnvironment()))
        guard let function = made.first?.functionValue else { throw LibraryFault("there is no \(name)") }
        functions[name] = function
        return function
    }
}

extension JSON {
    fileprivate var luaValue: LuaValue {
        switch self {
        case .bool(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .string(let text): .string(text)
        default: .nil
        }
    }
}

extension LuaValue {
    fileprivate var json: JSON {
        get throws {
            switch self {
            case .nil: return .null
            case .boolean(let value): return .bool(value)
            case .integer(let value): return .integer(value)
            case .number(let value): return .number(value)
            case .string(let text): return .string(text)
            default: throw Unsettled(file: "policy.lua", line: 1, message: "what a function of Lua's libraries gives")
            }
        }
    }
}
