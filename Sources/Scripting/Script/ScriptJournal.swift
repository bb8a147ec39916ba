package import Desk
package import LuaRuntime

/// What calls of the API did while recorded: for trials, which repeat the writes, and for measuring.
package struct ScriptJournal {
    /// A call that changed something.
    package struct Write {
        package var function: APIFunction
        package var arguments: [LuaValue]
        package var results: [LuaValue]

        /// Whether it was answered with no.
        package var isRefused: Bool { results.count >= 2 && results[0].isNil }
    }

    /// How often a function was called, and how long it took in all.
    package struct Cost: Hashable, Sendable {
        package var calls = 0
        package var duration = Duration.zero
    }

    package internal(set) var writes: [Write] = []
    package internal(set) var costs: [String: Cost] = [:]

    mutating func note(_ function: APIFunction, _ arguments: [LuaValue], _ results: [LuaValue], _ duration: Duration) {
        costs[function.fullName, default: Cost()].calls += 1
        costs[function.fullName, default: Cost()].duration += duration
        if function.capability.writes {
            writes.append(Write(function: function, arguments: arguments, results: results))
        }
    }
}

extension ScriptContext {
    /// Notes from now on what is called, from an empty journal on.
    package func beginJournal() { journal = ScriptJournal() }

    /// Notes on, behind what an earlier journal has.
    package func resume(_ journal: ScriptJournal) { self.journal = journal }

    /// - Returns: what was called since ``beginJournal()``.
    @discardableResult
    package func endJournal() -> ScriptJournal {
        defer { journal = nil }
        return journal ?? ScriptJournal()
    }

    /// Carries out a call and notes it.
    func noted(_ function: APIFunction, _ given: LuaArguments, _ call: () throws -> [LuaValue]) throws -> [LuaValue] {
        guard journal != nil else { return try call() }
        let arguments = function.capability.writes ? given.values : []
        let start = ContinuousClock.now
        let results = try call()
        journal?.note(function, arguments, results, ContinuousClock.now - start)
        return results
    }

    /// Works from now on at another desk: another actor's, or one over a copy of the store.
    package func work(at desk: Desk) {
        self.desk = desk
        accounts = nil
    }
}

extension ScriptEvaluator {
    /// The desk at which the session works.
    package var desk: Desk { context.desk }

    /// Makes all that the body evaluates one transaction of the desk, undone if the body throws.
    package func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try context.inTransaction(body)
    }

    /// Calls a function of the API as a script does.
    package func call(_ function: APIFunction, _ arguments: [LuaValue]) throws -> [LuaValue] {
        let caller = try context.state.load(
            "return \(function.fullName)(...)", chunk: "=trial", environment: context.environment)
        return try context.state.call(caller, arguments)
    }
}
