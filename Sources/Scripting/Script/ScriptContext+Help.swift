import Desk
import LuaRuntime

extension ScriptContext {
    /// Lets `help` know the API's own functions and modules by themselves, so that `help(loans.checkout)` works.
    func defineHelp() throws {
        var lines = ["local help, wrap = ...", "local names = {}"]
        for module in LuaAPI.modules {
            if !module.name.isEmpty { lines.append("names[\(module.name)] = \"\(module.name)\"") }
            for function in module.functions { lines.append("names[\(function.fullName)] = \"\(function.fullName)\"") }
        }
        lines.append("wrap(function(name) if name == nil then return help() end return help(names[name] or name) end)")
        let base = try state.makeEnvironment()
        let chunk = try state.load(lines.joined(separator: "\n"), chunk: "=help", environment: base)
        guard let declared = LuaAPI.function("help") else { return }
        let plain = LuaValue.callback { [unowned self] in try self.invoke(declared, $0) }
        let define = LuaValue.callback { [unowned self] in
            try self.state.define("help", value: $0[0], in: self.environment)
            return []
        }
        try state.call(chunk, [plain, define])
    }

    /// The sweep: page by page with a commit each, or within the script's transaction.
    func sweep() throws -> SweepReport {
        guard let session else { return try desk.sweep() }
        return try session.savepoint { try session.notices.sweep() }
    }
}
