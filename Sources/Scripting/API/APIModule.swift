/// A module of the Lua API: a table of functions, or the global functions.
package struct APIModule: Sendable {
    /// Empty for the global functions.
    package let name: String
    package let summary: String
    package let functions: [APIFunction]

    package init(_ name: String, _ summary: String, _ functions: [APIFunction]) {
        self.name = name
        self.summary = summary
        self.functions = functions.map { function in
            var function = function
            function.module = name
            return function
        }
    }
}
