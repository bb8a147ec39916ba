import ArgumentParser
import Circulation
import Desk
import Foundation
import Scripting
import TextFormats

/// `moonshelf policy new`
struct PolicyNewCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Begin a policy: a copy of one that comes along, or of one in the store, with its tests.",
        discussion: """
            NAME is one of the policies that come along, 'current' for the one in force, or the beginning of a version's \
            SHA-256. Nothing that is there is overwritten. A policy of the store has no tests with it; a first one is \
            written instead.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(name: .customLong("from"), help: ArgumentHelp("What is copied.", valueName: "NAME"))
    var source = "current"

    @Argument(
        help: ArgumentHelp("The new file; without it, one of that name in this folder.", valueName: "PATH"),
        completion: .file(extensions: ["lua"]))
    var path: String?

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let template = try template(workplace)
        let path = path ?? template.name
        guard path.hasSuffix(".lua"), !path.hasSuffix("_test.lua") else {
            throw CommandFailure.usage("A policy's file ends in .lua, and not in _test.lua.")
        }
        let folder = URL(filePath: path).deletingLastPathComponent()
        var files = [(path, template.source), (PolicyTests.path(for: path), template.tests)]
        files += template.modules.map { (folder.appending(path: $0.name).path(percentEncoded: false), $0.source) }
        for (file, _) in files where FileManager.default.fileExists(atPath: file) {
            throw CommandFailure(
                .refused, code: "exists", message: "It is there already; nothing was written.", file: file)
        }
        for (file, source) in files { try PolicyNewCommand.write(source, to: file) }
        if json {
            workplace.console.print(json: [
                "from": .string(template.origin), "files": .array(files.map { .string($0.0) }),
            ])
        } else {
            for (file, _) in files { workplace.console.print(SafeText.line(file)) }
        }
        return .done
    }

    /// Fails rather than overwrite, even a file that was made a moment ago.
    ///
    /// - Returns: the file.
    @discardableResult
    static func write(_ text: String, to file: String) throws -> String {
        let folder = URL(filePath: file).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: file), options: .withoutOverwriting)
            return file
        } catch {
            throw CommandFailure(
                .cannotWrite, code: "cannot_write", message: "The file cannot be written.", file: file)
        }
    }

    private struct Template {
        var origin: String
        var name: String
        var source: String
        var tests: String
        /// What the policy requires.
        var modules: [PolicyBundle.File] = []
    }

    private func template(_ workplace: Workplace) throws -> Template {
        let shipped = ShippedPolicies.find()
        if let file = shipped[source] {
            let bundle = try ParsedPolicy(file: file, from: workplace.sources).bundle
            let tests = try PolicyTests.beside(file, from: workplace.sources)?.source
            return Template(
                origin: source, name: "\(source).lua", source: bundle.files.first?.source ?? "",
                tests: tests ?? PolicyNewCommand.firstTest(source), modules: Array(bundle.files.dropFirst()))
        }
        let found = try workplace.desk(.reading).read { session in
            try PolicyVersions(session: session).find(source == "current" ? nil : source)
        }
        guard let found, let main = found.bundle.files.first else {
            let names = shipped.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw CommandFailure.usage(
                source == "current"
                    ? "No policy is in force; --from takes \(names)."
                    : "There is no policy '\(source)'; --from takes 'current', a version\(names.isEmpty ? "" : ", \(names)")."
            )
        }
        return Template(
            origin: found.bundle.sha256, name: main.name, source: main.source,
            tests: PolicyNewCommand.firstTest(found.activation.name), modules: Array(found.bundle.files.dropFirst()))
    }

    private static func firstTest(_ name: String) -> String {
        """
        -- Tests of the policy; `moonshelf policy test` runs them. What a case does not say has a sensible value.
        test("a checkout is decided", function()
            local decision = given { point = "checkout", patron = { category = "patron" }, copy = { item_type = "book" } }
            expect(decision.answer ~= "failed", true)
        end)

        """
    }
}

/// The policies that come with the program.
enum ShippedPolicies {
    /// Their files by name: `policies` beside or above the program, or in this folder.
    static func find() -> [String: String] {
        for folder in ShippedFolders.places(of: "policies") + [URL(filePath: "policies")] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
            let policies = names.filter { $0.hasSuffix(".lua") && !$0.hasSuffix("_test.lua") }
            guard !policies.isEmpty else { continue }
            return Dictionary(
                policies.map { (String($0.dropLast(4)), folder.appending(path: $0).path(percentEncoded: false)) }
            ) { first, _ in first }
        }
        return [:]
    }
}
