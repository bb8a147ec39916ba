import Scripting

/// All that can be asked for over HTTP, below the root of the API.
package enum RouteTable {
    /// The root of all paths.
    package static let root = "/api/v1"

    /// The functions of the Lua API that declare a route, those of accounts, and the feed of events.
    package static let all: [Route] =
        LuaAPI.functions.compactMap { function in
            function.route.map { Route($0, function) }
        } + accounts + events
}
