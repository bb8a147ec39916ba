package import Circulation
import Desk
import LuaRuntime
import LuaSyntax
package import Scripting
import Storage
import TextFormats

extension LoadedPlugin {
    /// Answers a request by a route, in the caller's name: nothing is done that the caller may not do over HTTP, and nothing
    /// that the plugin may not do. No transaction is open, as in ``call(_:_:_:as:limits:)``.
    ///
    /// - Throws: ``Problem`` that is the caller's to read; `AttemptBudget.Exhausted`; ``PluginFault`` where the plugin is at
    ///   fault; ``StoreError`` where the store fails.
    package func answer(_ entry: Contribution, _ request: PluginRequest) throws -> PluginAnswer {
        var refused: Problem
        do {
            return try checked(entry, ContributionKind.run, for: request.caller) { try invoke($0, with: request) }
        } catch let problem as Problem {
            refused = problem
        } catch let exhausted as AttemptBudget.Exhausted {
            refused = .tooOften(exhausted.seconds)
        }
        return try answer(to: refused, entry, request)
    }

    /// What a route says about a request that is refused, in its own words where it has any.
    ///
    /// - Throws: the problem itself, where it has none; else as ``answer(_:_:)``.
    package func answer(
        to problem: Problem, _ entry: Contribution, _ request: PluginRequest
    ) throws -> PluginAnswer {
        guard entry.has(ContributionKind.wordsProblems) else { throw problem }
        return try checked(entry, ContributionKind.wordsProblems, for: request.caller) { function in
            try inName(of: .anonymous, nil) { try context.state.call(function, [.problem(problem)]) }
        }
    }

    func invoke(_ function: LuaFunction, with request: PluginRequest) throws -> [LuaValue] {
        let reader = LuaValue.callback { arguments in
            guard let name = arguments[1].stringValue else { return [.nil] }
            guard PluginRequest.lazy.contains(name) || ["caller", "address"].contains(name) else {
                let known = PluginRequest.lazy + ["address", "caller", "method", "path", "params", "headers"]
                let hint = NameSuggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
                throw LuaHostError("a request has no '\(SafeText.line(String(name.prefix(40))))'\(hint)")
            }
            return [try request.value(name)]
        }
        return try inName(of: request.caller, request.entrance) {
            try context.state.call(
                requestCaller(),
                [.function(function), context.completed(.table(request.table), patronUnder: "caller"), reader])
        }
    }

    /// What the function of a page reports. It changes nothing: who looks at a page has asked for nothing else.
    ///
    /// - Throws: as ``answer(_:_:)``.
    package func document(_ entry: Contribution, _ request: PluginRequest) throws -> ReportDocument {
        _ = context.takeDocument()
        try translated(entry, ContributionKind.run, for: request.caller) { function in
            let shown = try state.refusing("a page changes nothing") {
                try context.looking { try invoke(function, with: request) }
            }
            guard shown != nil else { throw PluginAnswer.Malformed(message: "a page changes nothing") }
        }
        return context.takeDocument()
    }

    /// Runs the body as someone who asks.
    private func inName<Result>(
        of caller: Caller, _ entrance: AccountEntrance?, _ body: () throws -> Result
    ) throws -> Result {
        (context.caller, context.entrance) = (caller, entrance)
        defer { (context.caller, context.entrance) = (nil, nil) }
        return try context.acting(as: desk.acting(as: caller.actor)) { try state.keepingAtOnce(body) }
    }

    /// Reads what the function answers. What it raises in the shape of a refusal is one; all else is the plugin's fault.
    private func checked(
        _ entry: Contribution, _ field: String, for caller: Caller, _ body: (LuaFunction) throws -> [LuaValue]
    ) throws -> PluginAnswer {
        try translated(entry, field, for: caller) { try PluginAnswer(try body($0).first ?? .nil) }
    }

    func translated<Result>(
        _ entry: Contribution, _ field: String, for caller: Caller, _ body: (LuaFunction) throws -> Result
    ) throws -> Result {
        let function = try function(entry, field)
        output.drop()
        defer { output.release() }
        do {
            return try body(function)
        } catch let problem as Problem {
            throw problem
        } catch let exhausted as AttemptBudget.Exhausted {
            throw exhausted
        } catch let malformed as PluginAnswer.Malformed {
            let place = function.definedAt
            throw PluginFault(
                code: "bad_answer", message: malformed.message, file: place?.chunk,
                line: place.map { Int64($0.line) })
        } catch let error as StoreError where error.code != .constraint && error.code != .readOnly {
            throw error
        } catch let error as LuaError {
            throw Problem(raised: error.value, for: caller) ?? PluginFault(error)
        } catch {
            throw PluginFault(error)
        }
    }
}

extension Problem {
    /// What a plugin raised to refuse a request: a table of `code` and `message`, with a `status` of its own or the one that
    /// the code has; nil for anything else. Of missing records staff read what is missing; of others it is said alike whether
    /// a record is missing or another's, by the API's own words that is: a code of the plugin's own is shown.
    init?(raised value: LuaValue?, for caller: Caller) {
        guard let value, let object = JSON(plain: value)?.objectValue, let code = object["code"]?.stringValue,
            let message = object["message"]?.stringValue
        else { return nil }
        self = Problem.refusal(object)
        if self == .notFound, caller.isStaff || !Self.codesOfAPI.contains(code) { self = Problem(404, code, message) }
        guard let status = object["status"]?.integerValue, (400...499).contains(status) else { return }
        self = Problem(Int(status), code, message)
    }

    /// The codes by which functions of the API refuse.
    private static let codesOfAPI = Set(LuaAPI.functions.flatMap(\.refusals))
}

extension LuaValue {
    /// A problem as a plugin puts it into words.
    static func problem(_ problem: Problem) -> LuaValue {
        .table(
            LuaTable(fields: [
                ("status", .integer(Int64(problem.status))), ("code", .string(problem.code)),
                ("detail", .string(problem.detail)),
                (
                    "headers",
                    .table(LuaTable(fields: problem.fields.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
                ),
            ]))
    }
}

extension FieldTree {
    /// What a problem has, as a plugin puts it into words.
    static let problem = FieldTree([
        "status": .leaf, "code": .leaf, "detail": .leaf, "headers": .leaf,
    ])
}
