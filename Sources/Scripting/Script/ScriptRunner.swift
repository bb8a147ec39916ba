package import Circulation
package import Desk
package import Languages
package import LuaRuntime
import LuaSyntax

/// A script's text and where it came from.
package struct ScriptSource: Sendable {
    package let text: String
    /// The name for errors, such as `scripts/overdue.lua`.
    package let name: String
    /// Finds what the script requires; nil: it may require nothing.
    package let folder: ScriptFolder?

    /// What Lua is given in place of the text, of which a test counts what runs.
    package var marked: String?

    package init(text: String, name: String, folder: ScriptFolder? = nil) {
        self.text = text
        self.name = name
        self.folder = folder
    }
}

/// How a script is run.
package struct ScriptOptions {
    package var granted: Set<Capability>
    /// In `eval` and the REPL grants count as declared; a script file says what it needs.
    package var grantsCountAsDeclared: Bool
    package var arguments: [String]
    /// Opens the files that the arguments name; nil where others than the one who runs it may choose the arguments.
    package var opensFiles: ScriptFileOpening?
    /// In whose name it runs; see ``ScriptContext/caller``.
    package var caller: Caller?
    /// Finds what the script requires, where it stands in no folder.
    package var require: ((String) throws -> (source: String, chunk: String))?
    package var limits: LuaLimits
    /// Does all, says what would change, and undoes it: nothing is sent or queued.
    package var isDryRun: Bool
    /// The sandbox; the smaller one is that of policies.
    package var profile = LuaProfile.script
    /// Adds to what the script finds, before its text runs.
    package var prepare: ((ScriptContext) throws -> Void)?
    /// The languages that reports may speak.
    package var languages: () -> Languages = { .shipped }
    /// The process ends with this run, so that its memory need not be freed piece by piece.
    package var isLast = false

    package init(
        granted: Set<Capability> = [], grantsCountAsDeclared: Bool = false, arguments: [String] = [],
        limits: LuaLimits = .script, isDryRun: Bool = false
    ) {
        self.granted = granted
        self.grantsCountAsDeclared = grantsCountAsDeclared
        self.arguments = arguments
        self.limits = limits
        self.isDryRun = isDryRun
    }
}

/// Runs scripts at a desk.
///
/// ```swift
/// let runner = ScriptRunner(desk: desk, clock: clock.now, output: output)
/// let result = runner.run(source, options: ScriptOptions(granted: [.loansWrite]))
/// ```
/// The caller gives a read-only desk unless the script needs to write; ``needs(of:)`` says so before anything runs.
package struct ScriptRunner {
    private let desk: Desk
    private let clock: () -> Instant
    private let output: any ScriptOutput

    package init(desk: Desk, clock: @escaping () -> Instant, output: any ScriptOutput) {
        self.desk = desk
        self.clock = clock
        self.output = output
    }

    /// What a script says it needs, read from its text.
    ///
    /// - Throws: ``CapabilityError``; `LuaSyntaxError` if the text is not Lua.
    package static func needs(of source: ScriptSource) throws -> Set<Capability> {
        try ScriptNeeds.capabilities(of: parsed(source))
    }

    /// Why a script will not take its arguments, as far as its text shows; nil: they are valid.
    ///
    /// - Throws: `LuaSyntaxError` if the text is not Lua.
    package static func fault(of arguments: [String], for source: ScriptSource) throws -> String? {
        try ScriptArguments.fault(of: arguments, in: parsed(source))
    }

    /// No limit of time or memory holds here, so that nothing is read that the machine would refuse for its length.
    private static func parsed(_ source: ScriptSource) throws(LuaSyntaxError) -> Chunk {
        try LuaParser.parse(source.text, chunk: source.name, maximumSize: LuaProfile.script.maximumSourceSize)
    }

    /// Runs a script to its end. Never throws: whatever goes wrong is the result's failure.
    ///
    /// - Parameter willRun: is handed the way to end the script from another thread, before it begins.
    package func run(
        _ source: ScriptSource, options: ScriptOptions, willRun: ((LuaInterruption) -> Void)? = nil
    ) -> ScriptResult {
        do {
            let permissions = try ScriptRunner.permissions(for: source, options)
            let context = try ScriptContext(
                desk: desk, clock: clock, output: output, permissions: permissions, limits: options.limits,
                profile: options.profile)
            try context.state.isLeftToTheSystem = options.isLast
            willRun?(try context.state.interruption)
            var result = context.result(isDryRun: options.isDryRun, of: source.name) {
                try run(source, options, in: context)
            }
            result.failure = result.failure?.hinting(at: source.text)
            let isAsked = result.parameters.isEmpty && result.failure == nil && options.arguments.first == "--help"
            if result.help != nil || isAsked {
                result.help = ScriptHelp.text(of: source, parameters: result.parameters)
            }
            return result
        } catch {
            var result = ScriptResult()
            result.fail(ScriptFailure(error, of: source.name).hinting(at: source.text))
            return result
        }
    }

    private func run(_ source: ScriptSource, _ options: ScriptOptions, in context: ScriptContext) throws -> [LuaValue] {
        context.opensFiles = options.opensFiles
        context.caller = options.caller
        context.languages = options.languages
        if let require = options.require { try context.state.require = require }
        try context.definePositionalArguments(options.arguments)
        if let folder = source.folder { try context.state.require = { try folder.source(of: $0) } }
        try options.prepare?(context)
        let chunk = try context.state.load(
            ScriptRunner.withoutShebang(source.marked ?? source.text), chunk: source.name,
            environment: context.environment)
        return try context.state.call(chunk)
    }

    private static func permissions(for source: ScriptSource, _ options: ScriptOptions) throws -> ScriptPermissions {
        if options.grantsCountAsDeclared { return .interactive(granted: options.granted) }
        var permissions = ScriptPermissions.script(granted: options.granted)
        let needed = try needs(of: source)
        // To be asked for its arguments a script needs nothing, and may do nothing.
        if options.arguments.contains("--help") { return permissions }
        try permissions.grant(needed)
        permissions.declared = needed
        return permissions
    }

    /// The text with a first line `#!...` made a comment, so that lines keep their numbers.
    private static func withoutShebang(_ text: String) -> String {
        text.hasPrefix("#") ? "--" + text : text
    }
}
