/// A module of the Lua API: a table of functions, or the global functions.
package struct APIModule: Sendable {
    /// Empty for the global functions.
    package let name: String
    package let summary: String
    package let functions: [APIFunction]

    /// - Parameter callers: who may call what reads and has no route in a caller's name; nil: staff.
    package init(
        _ name: String, _ summary: String, _ functions: [APIFunction], callers: APIRoute.Access? = nil
    ) {
        self.name = name
        self.summary = summary
        self.functions = functions.map { function in
            var function = function
            function.module = name
            if !function.capability.writes, function.capability != .sql {
                function.callers = function.callers ?? callers
            }
            return function
        }
    }
}
