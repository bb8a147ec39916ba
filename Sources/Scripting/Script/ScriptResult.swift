package import Circulation
package import LuaRuntime

/// What became of a script.
package struct ScriptResult {
    package var document = ReportDocument()
    /// What the script returned.
    package var values: [LuaValue] = []
    package var status: ScriptStatus = .done
    /// What went wrong, nil if nothing did.
    package var failure: ScriptFailure?
    /// The code and message of the refusal with which the script ended: `return nil, refusal`.
    package var refusal: (code: String, message: String)?
    /// Its arguments, if it was asked for them by `--help`; nothing else is of interest then.
    package var help: String?
    /// The arguments that it declares, in their order.
    package var parameters: [ScriptParameter] = []
    /// What a dry run would have changed; nil unless it was one.
    package var changes: ReportTable?
    /// The same as people read it.
    package var changesForReading: ReportTable?

    package init() {}

    mutating func fail(_ failure: ScriptFailure) {
        self.failure = failure
        status = failure.status
    }

    /// A script that ends with `return nil, refusal` was refused, as with `return loans.checkout{ ... }`.
    mutating func readRefusal() {
        guard values.count >= 2, values[0].isNil, case .table(let table) = values[1],
            case .string(let code) = table["code"], case .string(let message) = table["message"]
        else { return }
        refusal = (code, message)
        status = .refused
    }
}

/// How a script ended; the raw value is the exit status of the command.
package enum ScriptStatus: Int32, Hashable, Sendable {
    case done = 0
    /// It ended with a refusal.
    case refused = 1
    /// It was given arguments that it does not take.
    case usage = 2
    /// Its own fault: an error, a limit, a capability.
    case failed = 3
    /// A fault of the store or of ours; ``ScriptFailure/cause`` says which.
    case fault = 70
}

/// Why a script did not come to its end.
package struct ScriptFailure: Error, CustomStringConvertible {
    /// `syntax lua_error time_limit memory_limit capability usage interrupted`, or `fault`.
    package let code: String
    package var message: String
    package let file: String?
    package let line: Int?
    /// The calls that led there, nil where none are known.
    package let traceback: String?
    package let status: ScriptStatus
    /// What the desk or the store threw, for the command to choose its exit status by.
    package let cause: (any Error)?

    package var description: String {
        guard let file else { return message }
        return line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
