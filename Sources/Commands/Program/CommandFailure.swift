import Circulation
import Desk
import Foundation
import Interchange
import LuaRuntime
import Storage
import TextFormats

/// Any error as a command reports it: words for a person, a code for a program, an exit status for the shell.
package struct CommandFailure: Error, Hashable, Sendable {
    package var status: ExitStatus
    package var code: String
    package var message: String
    package var file: String?
    package var line: Int?
    /// Further lines that may help: a traceback, the source line at fault.
    package var details: String?

    package init(
        _ status: ExitStatus, code: String, message: String, file: String? = nil, line: Int? = nil,
        details: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.details = details
    }

    /// A wrong usage of the command.
    package static func usage(_ message: String) -> CommandFailure {
        CommandFailure(.wrongUsage, code: "usage", message: message)
    }

    /// The JSON line for programs.
    var json: JSON {
        [
            "error": [
                "code": .string(code), "message": .string(message), "file": file.map { .string($0) } ?? .null,
                "line": line.map { .integer(Int64($0)) } ?? .null,
            ]
        ]
    }

    /// The text for people, safe for a terminal.
    package var text: String { "moonshelf: \(words)" }

    /// The same without the program's name, for sessions.
    var words: String {
        var place = ""
        if let file {
            place = line.map { "\(file):\($0): " } ?? "\(file): "
        }
        let first = "\(place)\(message)"
        let all = details.map { "\(first)\n\($0)" } ?? first
        return all.split(separator: "\n", omittingEmptySubsequences: false)
            .map { SafeText.line(String($0)) }.joined(separator: "\n")
    }

    /// Turns any error of the layers below into a failure with its exit status.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LuaError: self = CommandFailure(lua: error)
        case let error as StoreError: self = CommandFailure(store: error)
        case let error as DeskError: self.init(.wrongUsage, code: error.code.rawValue, message: error.message)
        case let problem as ImportProblem:
            self.init(
                .badData, code: problem.code,
                message: problem.field.map { "\($0): \(problem.message)" } ?? problem.message, file: problem.file,
                line: problem.line > 0 ? problem.line : nil)
        case let failure as PolicyFailure:
            // A missing file is not a fault of the policy.
            self.init(
                failure.code == "not_found" ? .wrongUsage : .scriptFailed, code: failure.code, message: failure.message,
                file: failure.file, line: failure.line)
        default:
            self.init(.internalFault, code: "internal", message: "An unexpected fault: \(error)")
        }
    }

    private init(lua error: LuaError) {
        self.init(
            .scriptFailed, code: error.code.word, message: error.message, file: error.chunk, line: error.line,
            details: error.traceback)
    }

    private init(store error: StoreError) {
        let status: ExitStatus =
            switch error.code {
            case .badLocation: .wrongUsage
            case .notAStore, .newer, .older, .corrupt: .badData
            case .locked: .tryAgain
            case .cannotWrite, .readOnly: .cannotWrite
            case .cannotOpen, .unreachable: .unreachable
            case .notEmpty: .refused
            case .interrupted: .interrupted
            default: .internalFault
            }
        self.init(status, code: CommandFailure.word(error.code.rawValue), message: error.message)
    }

    /// A code in its JSON form: `not_a_store` for `notAStore`.
    private static func word(_ name: String) -> String {
        name.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
    }
}
