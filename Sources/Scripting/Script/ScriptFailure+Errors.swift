import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

extension ScriptFailure {
    /// The failure that an error of a run stands for.
    ///
    /// - Parameter source: what was read, where that is a file: a text that is not Lua has no name of its own.
    package init(_ error: any Error, of source: String? = nil) {
        switch error {
        case let error as LuaError: self.init(error)
        case let error as LuaSyntaxError:
            self.init("syntax", error.explained, .failed, file: source, line: error.position.line)
        case let error as CapabilityError:
            self.init(
                CapabilityError.code, error.message, .failed, file: error.file ?? error.line.flatMap { _ in source },
                line: error.line,
                traceback: error.traceback)
        case let error as ScriptUsageError: self.init("usage", error.message, .usage)
        case let error as LuaHostError: self.init("lua_error", error.message, .failed)
        default: self.init("fault", String(describing: error), .fault, cause: error)
        }
    }

    /// The same with a hint at what may have been meant in a text that Lua does not read.
    func hinting(at text: String) -> ScriptFailure {
        guard code == "syntax" else { return self }
        do {
            _ = try LuaParser.parse(text, chunk: "input", maximumSize: LuaProfile.script.maximumSourceSize)
        } catch {
            var told = self
            if let hint = error.hint, !told.message.hasSuffix(hint) { told.message += "; \(hint)" }
            return told
        }
        return self
    }

    private init(_ error: LuaError) {
        self.init(
            error.code.word, error.message, .failed, file: error.chunk, line: error.line, traceback: error.traceback,
            cause: error)
    }

    private init(
        _ code: String, _ message: String, _ status: ScriptStatus, file: String? = nil, line: Int? = nil,
        traceback: String? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = ScriptFailure.safe(message)
        self.file = file
        self.line = line
        self.traceback = traceback.map(ScriptFailure.safe)
        self.status = status
        self.cause = cause
    }

    /// Lines without control characters: an error may quote data.
    private static func safe(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { SafeText.line(String($0)) }.joined(separator: "\n")
    }
}
