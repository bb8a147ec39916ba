import Circulation
import LuaRuntime

/// The arguments of a script: what the command line gave, and what the script declared of it.
struct ScriptParameters {
    /// As they came, all of them.
    var given: [String] = []
    /// `--help` was among them: the declaration ends the script.
    var wantsHelp: Bool { given.contains("--help") || given.contains("-h") }
    var declared: [ScriptParameter] = []
}

/// One declared argument of a script.
package struct ScriptParameter: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case text, integer, number, boolean, date, instant, money, period
        /// A file, named by its path, or `-` for standard input; the script reads what the command line names.
        case file
    }

    package let name: String
    package let kind: Kind
    /// The only words that it takes, for a text.
    package let choices: [String]?
    /// What it is a code of, for a text; nil: it is none.
    package var codes: ReportCodeKind?
    /// Its value where the command line has none, as that would write it; nil: none.
    package let standard: String?
    package let isRequired: Bool
    package let help: String

    /// The same, which may be left out.
    package var optional: ScriptParameter {
        ScriptParameter(
            name: name, kind: kind, choices: choices, codes: codes, standard: standard, isRequired: false, help: help)
    }

    /// Its line of `--help`.
    package var usage: String {
        let word = choices.map { $0.joined(separator: "|") } ?? kind.rawValue.uppercased()
        var text = "  --\(name.replacing("_", with: "-"))" + (kind == .boolean ? "" : " \(word)")
        if !help.isEmpty { text += "\n        \(help)" }
        if let standard { text += "\n        default: \(standard)" }
        if isRequired { text += "\n        required" }
        return text
    }
}

/// A script was run with arguments that it does not take.
package struct ScriptUsageError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}

/// The script was asked for its arguments; it ends where it declares them.
struct ScriptHelpRequest: Error {}
