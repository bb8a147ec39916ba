/// A fault in what a caller asked of the desk, as opposed to a refusal: the request could never have been granted as
/// it was put, or the session is over.
package struct DeskError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// An argument makes no sense: a count below one, an empty code, an unknown branch.
        case input
        /// A request with this id was carried out before.
        case repeatedRequest = "repeated_request"
        /// The event log holds something that this version cannot read.
        case event
    }
    package let code: Code
    package let message: String
    /// The argument or field at fault, where one is.
    package let field: String?

    package var description: String { message }

    /// A wrong argument.
    package static func input(_ field: String?, _ message: String) -> DeskError {
        DeskError(code: .input, message: message, field: field)
    }

    static func repeatedRequest(_ id: String) -> DeskError {
        DeskError(code: .repeatedRequest, message: "Request \(id) has already been carried out.", field: nil)
    }

    /// An event that cannot be read back.
    static func event(_ message: String) -> DeskError {
        DeskError(code: .event, message: message, field: nil)
    }
}
