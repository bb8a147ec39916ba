import Circulation
import LuaRuntime

extension LuaValues {
    /// Runs a host function's body; faults of dates and amounts become Lua errors with the position of the caller.
    static func raising<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as TimeError {
            throw LuaHostError(error.message)
        } catch let error as MoneyError {
            throw LuaHostError(error.message)
        }
    }

    /// The type with all its faults raised as Lua errors.
    static func raising(_ type: LuaValueType) -> LuaValueType {
        var raised = type
        raised.arithmetic = { operation, left, right in try raising { try type.arithmetic(operation, left, right) } }
        raised.compare = { comparison, left, right in try raising { try type.compare(comparison, left, right) } }
        raised.field = { value, name in try raising { try type.field(value, name) } }
        return raised
    }
}
