import Circulation
import LuaRuntime

/// What a policy's file gave to `policy`, read and checked.
struct PolicyContent {
    var name: String
    var description: String?
    var tables = PolicyTables()
    var functions: [DecisionPoint: LuaFunction] = [:]
    /// The `when` functions of all rows; rows name them by index.
    var conditions: [LuaFunction] = []
}
