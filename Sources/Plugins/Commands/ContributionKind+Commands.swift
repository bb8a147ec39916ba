import Circulation
package import Desk
import LuaSyntax
package import Scripting

extension ContributionKind {
    /// What a person may ask the plugin for at the command line:
    /// `{ name = "stocktaking", help = "...", parameters = { list = "file" }, run = function(args) ... end }`.
    package static let commands = ContributionKind(
        "commands", "a command", .list(named: "name"),
        [Field("help", .text), Field("parameters", .parameters), Field(run, .function, isRequired: true)],
        argument: { entry, _, _ in
            let fields = entry.parameters.map { ($0.name, $0.fields) }
            return FieldTree(Dictionary(fields, uniquingKeysWith: { first, _ in first }))
        },
        problem: { entry in
            PluginPart.isName(entry.name)
                ? nil : "the name of a command is lower-case letters, digits, - and _, such as \"stocktaking\""
        })
}

extension ScriptParameter {
    /// What the value of the argument has.
    fileprivate var fields: FieldTree {
        switch kind {
        case .file: FieldTree(["name": .leaf, "text": .leaf, "lines": .leaf, "rows": .leaf])
        case .period: FieldTree(["from": .leaf, "to": .leaf, "text": .leaf])
        default: .leaf
        }
    }
}

extension LoadedPlugin {
    /// Runs a command of the plugin with the words of a command line, as a script is run.
    ///
    /// - Parameters:
    ///   - opensFiles: opens the files that the words name.
    ///   - actor: who asks; nil: the plugin itself.
    package func run(
        command entry: Contribution, _ words: [String], opensFiles: @escaping ScriptFileOpening, as actor: Actor? = nil,
        isDryRun: Bool = false
    ) -> ScriptResult {
        context.opensFiles = opensFiles
        defer { context.opensFiles = nil }
        var result = run(entry, as: actor, isDryRun: isDryRun) {
            [try context.arguments(words, of: entry.parameters)]
        }
        if result.help != nil {
            let about = entry.text("help").map { [$0] } ?? []
            result.help = ScriptHelp.text(of: entry.name, about, parameters: entry.parameters)
        }
        return result
    }
}
