import Scripting

/// All that can be asked for over HTTP, below the root of the API.
package enum RouteTable {
    /// The root of all paths.
    package static let root = "/api/v1"

    /// The functions of the Lua API that declare a route, and those of accounts.
    package static let all: [Route] =
        LuaAPI.functions.compactMap { function in
            function.route.map { Route($0, function) }
        } + accounts
}
