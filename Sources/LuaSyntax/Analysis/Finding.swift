/// Something a check has to say about a place in a file.
package struct Finding: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, Comparable {
        case error
        case warning

        package static func < (left: Severity, right: Severity) -> Bool {
            left == .error && right == .warning
        }
    }

    /// A stable name for the kind of finding, such as `stateful`.
    package let code: String
    package let severity: Severity
    /// The file's path, as the check was given it.
    package let file: String
    package let position: SourcePosition
    /// The column behind the last character concerned, where that is on the same line.
    package let endColumn: Int?
    /// A sentence for the author of the file, without the suggestion.
    package let message: String
    /// The name that was probably meant.
    package let suggestion: String?

    package init(
        code: String, severity: Severity, file: String, position: SourcePosition, endColumn: Int? = nil,
        message: String,
        suggestion: String? = nil
    ) {
        self.code = code
        self.severity = severity
        self.file = file
        self.position = position
        self.endColumn = endColumn
        self.message = message
        self.suggestion = suggestion
    }

    /// A finding about a range of a file.
    package init(
        code: String, severity: Severity = .error, file: String, range: SourceRange, message: String,
        suggestion: String? = nil
    ) {
        self.init(
            code: code, severity: severity, file: file, position: range.start, endColumn: range.endColumnOnFirstLine,
            message: message, suggestion: suggestion)
    }

    /// The finding, code `syntax`, that a text is not Lua.
    package init(_ error: LuaSyntaxError, file: String) {
        self.init(code: "syntax", severity: .error, file: file, position: error.position, message: error.explained)
    }
}

extension Finding: Comparable {
    /// By file, place, severity and code.
    package static func < (left: Finding, right: Finding) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.position != right.position { return left.position < right.position }
        if left.severity != right.severity { return left.severity < right.severity }
        return (left.code, left.message) < (right.code, right.message)
    }
}
