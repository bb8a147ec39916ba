import Circulation
import Foundation
import Scripting
import TextFormats

/// The policies that come with the program, with which a library may begin.
struct ShippedPolicies: Sendable {
    /// One of them: a file with what it requires, and its tests beside it.
    struct Policy: Sendable {
        let name: String
        let bundle: PolicyBundle
        /// Empty where it has none.
        let tests: String
        /// What the comment at its beginning says.
        let summary: String
    }

    private let folder: URL?

    private static let testEnding = "_test.lua"

    /// - Parameter folder: nil: none come along.
    init(folder: String?) {
        self.folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
    }

    /// All of them, by name. What cannot be read is left out.
    func all() -> [Policy] {
        guard let folder else { return [] }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return files.filter { $0.hasSuffix(".lua") && !$0.hasSuffix(Self.testEnding) && !$0.hasPrefix(".") }.sorted()
            .compactMap { try? Self.read(String($0.dropLast(".lua".count)), in: folder) }
    }

    /// The policy of a name; nil: none of that name comes along.
    func policy(_ name: String) -> Policy? { all().first { $0.name == name } }

    private static func read(_ name: String, in folder: URL) throws(PolicyFailure) -> Policy {
        let files = SourceFiles()
        let bundle = try ParsedPolicy(
            file: folder.appending(path: name + ".lua").path(percentEncoded: false), from: files
        ).bundle
        let tests = folder.appending(path: name + testEnding).path(percentEncoded: false)
        return Policy(
            name: name, bundle: bundle,
            tests: FileManager.default.fileExists(atPath: tests) ? try files.text(at: tests, named: name) : "",
            summary: comment(in: bundle.files.first?.source ?? ""))
    }

    /// The comment with which a file begins, as one line.
    private static func comment(in source: String) -> String {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("--") }
        return lines.map { String($0.drop { $0 == "-" }).trimmingSpaces() }.filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}
