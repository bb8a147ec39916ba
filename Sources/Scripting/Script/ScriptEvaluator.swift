package import Circulation
package import Desk
package import LuaRuntime

/// Evaluates lines one after another in one environment: what a REPL stands on.
///
/// It prints nothing itself: `print` goes to the output it was made with, results are values.
package final class ScriptEvaluator {
    /// What became of a line.
    package enum Evaluation {
        /// The values of an expression, or what statements returned; often none.
        case values([LuaValue])
        /// The text could go on: ask for another line and evaluate both.
        case incomplete
        case failed(ScriptFailure)
    }

    package let context: ScriptContext
    private let state: LuaState

    /// - Throws: `LuaError`, and what the store throws when the settings are read.
    package init(
        desk: Desk, clock: @escaping () -> Instant, output: any ScriptOutput, granted: Set<Capability> = [],
        limits: LuaLimits = .script
    ) throws {
        context = try ScriptContext(
            desk: desk, clock: clock, output: output, permissions: .interactive(granted: granted), limits: limits)
        state = try context.state
    }

    /// Lets lines `require` the files of a folder.
    package func allowRequire(from folder: ScriptFolder) {
        state.require = { try folder.source(of: $0) }
    }

    /// Ends the running line, from another thread.
    package var interruption: LuaInterruption { state.interruption }

    /// Evaluates an expression, with or without `return`, or statements. Globals stay for the next line.
    package func evaluate(_ text: String, chunk: String = "=input") -> Evaluation {
        do {
            return .values(try context.state.call(try compiled(text, chunk: chunk)))
        } catch let error as LuaError where error.isIncomplete {
            return .incomplete
        } catch {
            return .failed(ScriptFailure(error).hinting(at: text))
        }
    }

    /// What is wrong with a text that ends in the middle of a statement.
    package func failure(ofIncomplete text: String, chunk: String = "=input") -> ScriptFailure {
        switch loaded(text, chunk: chunk) {
        case .failure(let error): ScriptFailure(error).hinting(at: text)
        case .success: ScriptFailure(LuaHostError("the input ends too early"))
        }
    }

    /// The results as a person would write them in Lua, one each.
    package static func texts(of values: [LuaValue]) -> [String] { values.map { APIText.text(of: $0) } }

    /// The text as a function, or why it is none.
    func compiling(_ text: String) -> Result<LuaFunction, LuaError> {
        do {
            return .success(try compiled(text, chunk: "=input"))
        } catch {
            return .failure(error)
        }
    }

    /// First as an expression; what is none is tried as statements, whose error counts.
    private func compiled(_ text: String, chunk: String) throws(LuaError) -> LuaFunction {
        let expression = text.hasPrefix("=") ? String(text.dropFirst()) : text
        let first = loaded("return \(expression)", chunk: chunk)
        guard case .failure(let asExpression) = first else { return try first.get() }
        let second = loaded(text, chunk: chunk)
        guard case .failure(let asStatements) = second else { return try second.get() }
        // `1 +` is not a statement, but as an expression it only lacks its end.
        throw asExpression.isIncomplete && !asStatements.isIncomplete ? asExpression : asStatements
    }

    private func loaded(_ text: String, chunk: String) -> Result<LuaFunction, LuaError> {
        Result { () throws(LuaError) in
            try context.state.load(text, chunk: chunk, environment: context.environment)
        }
    }
}
