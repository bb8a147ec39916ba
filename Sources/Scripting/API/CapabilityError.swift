import LuaRuntime
import LuaSyntax
import TextFormats

/// A script asked for more than it was granted, or called what it did not declare.
package struct CapabilityError: LuaPlaceableError, Hashable, Sendable, CustomStringConvertible {
    /// The code of every such error in JSON.
    package static let code = "capability"

    package let message: String
    /// Where it was called; nil for what a script needs as a whole.
    private(set) var file: String?
    private(set) var line: Int?
    private(set) var traceback: String?
    package var description: String { message }

    private init(_ message: String) {
        self.message = message
    }

    package func placed(chunk: String?, line: Int?, traceback: String?) -> any Error {
        var placed = self
        (placed.file, placed.line, placed.traceback) = (chunk, line, traceback)
        return placed
    }

    /// `needs` or `--allow` names nothing that exists.
    static func unknown(_ name: String) -> CapabilityError {
        let names = Capability.grantable.map(\.rawValue)
        let hint = NameSuggestion.nearest(to: name, among: names).map { ", did you mean '\($0)'?" }
        return CapabilityError(
            "unknown capability '\(APIText.quotable(name))'" + (hint ?? "; there are " + names.joined(separator: ", ")))
    }

    /// The script declares what its runner does not grant; nothing of it has run.
    static func notGranted(_ missing: [Capability]) -> CapabilityError {
        let names = missing.map(\.rawValue).joined(separator: ",")
        return CapabilityError("the script needs \(names), which is not granted; run it with --allow \(names)")
    }

    /// A function was called whose capability the script did not declare.
    static func notDeclared(_ capability: Capability, function: String) -> CapabilityError {
        CapabilityError(
            "\(function) needs the capability '\(capability.rawValue)'; declare it with "
                + "needs { \"\(capability.rawValue)\" } at the top of the script")
    }

    /// As above, where grants count as declared.
    static func notAllowed(_ capability: Capability, function: String) -> CapabilityError {
        CapabilityError(
            "\(function) needs the capability '\(capability.rawValue)', which is not granted; "
                + "allow it with --allow \(capability.rawValue)")
    }

    /// `needs` stands where it cannot be read before the script runs.
    static func misplaced(line: Int? = nil) -> CapabilityError {
        var error = CapabilityError(
            "needs { ... } must be the first statement and list its capabilities as plain strings")
        error.line = line
        return error
    }
}
