import LuaRuntime
import Testing

extension LuaState {
    /// Runs source in a fresh environment and returns its results.
    @discardableResult
    func run(_ source: String, chunk: String = "test.lua", limits: LuaLimits? = nil) throws -> [LuaValue] {
        try call(load(source, chunk: chunk, environment: makeEnvironment()), limits: limits)
    }

    /// The error that source ends with.
    func failure(_ source: String, limits: LuaLimits? = nil) throws -> LuaError {
        do {
            let results = try run(source, limits: limits)
            Issue.record("expected an error, got \(results)")
            throw LuaError(code: .unavailable, message: "no error")
        } catch let error as LuaError {
            return error
        }
    }
}

func makeState(_ profile: LuaProfile = .script, limits: LuaLimits = .none) throws -> LuaState {
    try LuaState(profile: profile, limits: limits)
}
