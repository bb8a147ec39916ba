/// What a policy may not do, as far as it shows without running it.
///
/// - `stateful`: inside a function, an assignment to a variable declared outside of it, to a field of a table that such
///   a variable holds, or `table.insert`, `remove`, `sort` or `move` on one. Local variables that only stand for such a
///   table are seen through. A table made by a decision function or a `when` may be filled by the functions inside of
///   it, for it does not outlive the decision.
/// - `writes_case`: the same on the case or the rule a decision function is given, also in a local function that is
///   called with it or with a part of it.
/// - `refused_identifier`: a global that a policy does not have for good reason, or `_ENV` in any role.
/// - `require`: `require` in any other form than a call with the name as a literal.
/// - `too_large`: thousands of branches in a large file.
package enum PolicyRestrictions {
    /// Globals that are refused by name, rather than as unknown.
    package static let refusedGlobals: Set<String> = [
        "_G", "setmetatable", "getmetatable", "rawset", "rawget", "rawequal", "rawlen", "load", "loadfile",
        "loadstring",
        "dofile", "collectgarbage", "coroutine", "debug", "os", "io", "package", "newproxy", "getfenv", "setfenv",
    ]

    /// Members of modules that are refused.
    package static let refusedMembers: Set<String> = ["string.dump", "math.random", "math.randomseed"]

    /// The findings in a chunk of a policy, in order of place.
    package static func findings(in chunk: Chunk, file: String) -> [Finding] {
        let scopes = ScopeAnalysis(chunk)
        let outline = PolicyOutline(chunk, scopes: scopes)
        var writes = WriteRestriction(chunk: chunk, file: file, scopes: scopes, outline: outline)
        chunk.walk(&writes)
        var names = NameRestriction(chunk: chunk, file: file, scopes: scopes)
        chunk.walk(&names)
        return (writes.findings + names.findings + BranchRestriction.findings(in: chunk, file: file)).sorted()
    }

    /// The modules a chunk requires by literal name, in order, each with the place of its name.
    package static func requiredModules(in chunk: Chunk) -> [Identifier] {
        var visitor = NameRestriction(chunk: chunk, file: chunk.name, scopes: ScopeAnalysis(chunk))
        chunk.walk(&visitor)
        return visitor.requiredModules
    }
}
