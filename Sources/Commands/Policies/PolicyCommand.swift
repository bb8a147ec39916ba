import ArgumentParser
import Circulation
import Desk
import Scripting
import TextFormats
import Workbench

/// `moonshelf policy`
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Check, test, explain and swap the lending rules.",
        subcommands: [
            PolicyNewCommand.self,
            PolicyCheckCommand.self,
            PolicyTestCommand.self,
            PolicyUseCommand.self,
            PolicyShowCommand.self,
            PolicyHistoryCommand.self,
            PolicyDiffCommand.self,
            PolicyCompareCommand.self,
            PolicyRefinesCommand.self,
            PolicyRollbackCommand.self,
            PolicyCancelCommand.self,
            PolicyExplainCommand.self,
            PolicyFuzzCommand.self,
            PolicyProveCommand.self,
            PolicyReplayCommand.self,
            PolicyShadowCommand.self,
            PolicyPruneCommand.self,
            PolicyMatrixCommand.self,
        ])
}

/// `moonshelf policy show`
struct PolicyShowCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the policy in force, now or at another time, or another version.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("The beginning of a version's SHA-256; without it, what is in force.", valueName: "VERSION"))
    var version: String?

    @Option(help: ArgumentHelp("What is in force then, as far as is known today.", valueName: "DATE"))
    var at: String?

    @Flag(help: "Print the files themselves.")
    var source = false

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if at != nil && version != nil { throw ValidationError("Give a VERSION or --at, not both.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        return try workplace.desk(.reading).read { session in
            let moment = try at.map {
                try PolicyUseCommand.instant($0, in: session.settings.library().zone, of: "--at")
            }
            guard let (activation, bundle) = try PolicyVersions(session: session).find(version, at: moment) else {
                if let version { throw CommandFailure.usage(PolicyVersions.noVersion(version)) }
                if json { console.print(json: .null) } else { console.print(PolicyVersions.none) }
                return .refused
            }
            if source {
                console.print(filesOf: bundle)
            } else if json {
                console.print(json: .object(PolicyVersions.json(activation, files: bundle.files.map(\.name))))
            } else {
                console.print(PolicyVersions.line(activation))
                console.print("files: \(bundle.files.map(\.name).joined(separator: ", "))")
            }
            return .done
        }
    }
}

/// `moonshelf policy history`
struct PolicyHistoryCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what was put into force when, by whom and why.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let (history, current, now, names) = try workplace.desk(.reading).read { session in
            let history = try session.policies.history()
            var names: [String: String] = [:]
            for actor in Set(history.map(\.actor)) { names[actor] = try session.events.username(ofActor: actor) }
            return (history, try session.policies.inForce(), session.now, names)
        }
        func state(_ activation: PolicyActivation) -> PolicyVersions.State {
            if activation.withdrawnAt != nil { return .withdrawn }
            if activation.id == current?.id { return .inForce }
            return activation.effectiveFrom > now ? .scheduled : .past
        }
        let entries = history.map { activation -> (line: String, json: JSONObject) in
            var object = PolicyVersions.json(activation, files: nil)
            object["state"] = .string(state(activation).rawValue)
            object["actor_username"] = names[activation.actor].map { .string($0) } ?? .null
            let words = state(activation).words.map { "  [\($0)]" } ?? ""
            return (PolicyVersions.line(activation, by: names[activation.actor]) + words, object)
        }
        workplace.console.print(history: entries, json: json, ifEmpty: PolicyVersions.none)
        return .done
    }
}

/// `moonshelf policy diff`
struct PolicyDiffCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what differs between two versions, or between the one in force and a file.",
        discussion: """
            First the lines, then all cases that are decided differently, as 'policy compare' finds them; without the solver \
            the lines alone. Ends with 1 if any line differs.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("A version's SHA-256, or a file.", valueName: "OTHER"),
        completion: .file(extensions: ["lua"]))
    var other: String

    @Option(help: ArgumentHelp("Compare with this version instead of the one in force.", valueName: "VERSION"))
    var from: String?

    @Option(help: ArgumentHelp("How long it may take to find the cases.", valueName: "SECONDS"))
    var timeLimit: Double = 60

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if !(0...86_400).contains(timeLimit) { throw ValidationError("--time-limit is 0 to 86400.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let fields = try workplace.knownFields()
        let (before, after) = try workplace.desk(.reading).read { session in
            let versions = PolicyVersions(session: session)
            guard let (_, before) = try versions.find(from) else {
                throw CommandFailure.usage(from.map(PolicyVersions.noVersion) ?? PolicyVersions.none)
            }
            return (before, try versions.find(other)?.bundle ?? ParsedPolicy(file: other).bundle)
        }
        return try workplace.console.print(differenceOf: before, after, json: json) {
            var compared = ComparedPolicies(ParsedPolicy(before, fields: fields), ParsedPolicy(after, fields: fields))
            compared.time = .milliseconds(Int64(timeLimit * 1_000))
            do {
                let report = try ComparisonOptions.report(compared, inStore: true, workplace)
                return (report.json, report.text)
            } catch let failure as CommandFailure {
                return (.null, "What is decided differently is not known: \(failure.message)")
            }
        }
    }
}

/// Versions of policies as commands name and show them.
struct PolicyVersions {
    let session: DeskSession

    static let none = "No policy is in force; put one into force with 'moonshelf policy use FILE'."

    static func noVersion(_ prefix: String) -> String {
        "No version begins with '\(prefix)'; 'moonshelf policy history' lists them."
    }

    /// The present state of an activation.
    enum State: String {
        case inForce = "in_force"
        case scheduled, past, withdrawn

        /// nil for the usual state.
        var words: String? {
            switch self {
            case .inForce: "in force"
            case .scheduled: "to come"
            case .withdrawn: "taken back"
            case .past: nil
            }
        }
    }

    /// The version whose SHA-256 begins so; nil: the one in force.
    ///
    /// - Throws: ``CommandFailure`` if several begin so.
    func find(
        _ prefix: String?, at moment: Instant? = nil
    ) throws -> (activation: PolicyActivation, bundle: PolicyBundle)? {
        guard let prefix else {
            guard let activation = try session.policies.inForce(at: moment),
                let bundle = try session.policies.bundle(activation.policy)
            else { return nil }
            return (activation, bundle)
        }
        let history = try session.policies.history()
        guard let version = try VersionName.find(prefix, among: history.map(\.policy)),
            let first = history.first(where: { $0.policy == version }),
            let bundle = try session.policies.bundle(version)
        else { return nil }
        return (first, bundle)
    }

    /// - Parameter name: the actor's present name; nil for a program, a removed patron,
    ///   and where the name is obvious.
    static func line(_ activation: PolicyActivation, by name: String? = nil) -> String {
        let note =
            (activation.isRetroactive ? "  retroactive" : "") + (activation.note.isEmpty ? "" : "  \(activation.note)")
        return SafeText.line(
            "\(activation.policy.prefix(12))  \(activation.name)  from \(activation.effectiveFrom)  by \(name ?? activation.actor)\(note)"
        )
    }

    /// Says what is so now.
    static func tell(
        _ word: String, _ activation: PolicyActivation, json isJSON: Bool, _ console: Console
    ) -> ExitStatus {
        if isJSON {
            console.print(json: .object(json(activation, files: nil)))
        } else {
            console.print("\(word): \(line(activation))")
        }
        return .done
    }

    static func json(_ activation: PolicyActivation, files: [String]?) -> JSONObject {
        var object: JSONObject = [
            "policy": .string(activation.policy), "name": .string(activation.name),
            "effective_from": .string(activation.effectiveFrom.description),
            "activated_at": .string(activation.activatedAt.description), "actor": .string(activation.actor),
            "note": .string(activation.note), "retroactive": .bool(activation.isRetroactive),
            "withdrawn_at": activation.withdrawnAt.map { .string($0.description) } ?? .null,
        ]
        object["files"] = files.map { .array($0.map { .string($0) }) }
        return object
    }
}

/// The difference of two bundles, line by line, like `diff -u`.
enum LineDifference {
    /// - Parameter main: what the first files of both are called.
    static func lines(of before: PolicyBundle, _ after: PolicyBundle, main: String = "policy") -> [String] {
        func key(_ index: Int, _ file: PolicyBundle.File) -> String { index == 0 ? main : file.name }
        let old = Dictionary(before.files.enumerated().map { (key($0, $1), $1.source) }) { first, _ in first }
        let new = Dictionary(after.files.enumerated().map { (key($0, $1), $1.source) }) { first, _ in first }
        return Set(old.keys).union(new.keys).sorted().flatMap { name -> [String] in
            let changes = changes(from: old[name] ?? "", to: new[name] ?? "")
            return changes.isEmpty ? [] : ["--- \(name)", "+++ \(name)"] + changes
        }
    }

    private static func changes(from before: String, to after: String) -> [String] {
        let old = before.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let new = after.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let difference = new.difference(from: old)
        var lines = difference.map { change -> (line: Int, isInsertion: Bool, text: String) in
            switch change {
            case .remove(let offset, let text, _): (offset, false, "-\(offset + 1): \(text)")
            case .insert(let offset, let text, _): (offset, true, "+\(offset + 1): \(text)")
            }
        }
        lines.sort { ($0.line, $0.isInsertion ? 1 : 0) < ($1.line, $1.isInsertion ? 1 : 0) }
        return lines.map(\.text)
    }
}
