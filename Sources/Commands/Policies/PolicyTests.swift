import Circulation
import Foundation
import Scripting
import Workbench

/// The tests beside a policy.
struct PolicyTests {
    let path: String
    let source: String

    /// `policies/x_test.lua` for `policies/x.lua`.
    static func path(for policy: String) -> String {
        (policy.hasSuffix(".lua") ? String(policy.dropLast(4)) : policy) + "_test.lua"
    }

    /// `x.lua` for `x_test.lua`, if it is there; anything else as it is.
    static func policy(for path: String) -> String {
        guard path.hasSuffix("_test.lua") else { return path }
        let policy = path.dropLast("_test.lua".count) + ".lua"
        return FileManager.default.fileExists(atPath: String(policy)) ? String(policy) : path
    }

    /// nil without tests.
    static func beside(_ policy: String, from files: SourceFiles) throws -> PolicyTests? {
        let path = path(for: policy)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return PolicyTests(path: path, source: try files.text(at: path, named: path))
        } catch {
            throw CommandFailure(.scriptFailed, code: error.code, message: error.message, file: path)
        }
    }

    /// Whether there may be promises to prove among them.
    var declaresPromises: Bool { LuaProperties.words.contains { source.contains("\($0)(") } }

    /// Where the tests find what they require: beside them.
    var folder: ScriptFolder {
        ScriptFolder(path: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// A policy that cannot be loaded is the policy's fault, with file and line.
    func run(_ policy: ParsedPolicy, options: PolicyTestOptions = .init()) throws -> PolicyTestReport {
        do {
            return try PolicyTestRun.run(policy, tests: source, file: path, options: options, folder: folder)
        } catch let problems as PolicyProblems {
            throw problems.failure
        }
    }
}
