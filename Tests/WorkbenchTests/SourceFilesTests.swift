import Circulation
import Foundation
import LuaSyntax
import Scripting
import TestSupport
import Testing
import Workbench

@Suite("Files of policies, read once")
struct SourceFilesTests {
    private static let policy = """
        local terms = require "lib.terms"
        return policy { name = "small", rules = { { loan = days(terms.days) } } }
        """

    /// A folder with a policy, a module of it and its tests.
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "lib"), withIntermediateDirectories: true)
        try Data(Self.policy.utf8).write(to: folder.appending(path: "p.lua"))
        try Data("return { days = 14 }".utf8).write(to: folder.appending(path: "lib/terms.lua"))
        try Data("test('a', function() end)".utf8).write(to: folder.appending(path: "p_test.lua"))
        return folder
    }

    @Test("what is checked is what is bundled, whatever becomes of the files meanwhile")
    func readOnce() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "p.lua").path
        var reads: [String: Int] = [:]
        let files = SourceFiles { file in
            reads[URL(fileURLWithPath: file).lastPathComponent, default: 0] += 1
            let bytes = try SourceFiles.bytes(at: file)
            // The file is another one right after.
            try Data("return policy { name = 'another' }".utf8).write(to: URL(fileURLWithPath: file))
            return bytes
        }
        let report = PolicyCheck.check(file: path, from: files)
        #expect(report.isOK)
        let policy = try #require(report.policy)
        #expect(policy.bundle.files.map(\.source) == [Self.policy, "return { days = 14 }"])
        #expect(try LuaPolicy(policy).name == "small")
        let tests = folder.appending(path: "p_test.lua").path
        for _ in 0..<2 { #expect(try files.text(at: tests, named: "p_test.lua") == "test('a', function() end)") }
        #expect(reads == ["p.lua": 1, "terms.lua": 1, "p_test.lua": 1])
        #expect(try ParsedPolicy(file: path).bundle.files.count == 1)
    }

    @Test(
        "a file that is no policy is told of with its place, and read once",
        arguments: [("return policy {", "syntax"), ("report { title = 'x' } local a = = 1", "syntax")])
    func faults(source: String, code: String) throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "p.lua")
        try Data(source.utf8).write(to: url)
        var reads = 0
        let files = SourceFiles { file in
            reads += 1
            return try SourceFiles.bytes(at: file)
        }
        let report = PolicyCheck.check(file: url.path, from: files)
        #expect(report.findings.map(\.code) == [code] && report.sources.count == 1, "\(report.text)")
        #expect(reads == 1)
    }

    @Test("a file that cannot be read is named")
    func missing() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = SourceFiles()
        for (name, message) in [("nope.lua", "no such file"), ("lib", "a folder")] {
            let failure = #expect(throws: PolicyFailure.self) {
                try ParsedPolicy(file: folder.appending(path: name).path, from: files)
            }
            #expect(failure?.code == "not_found" && failure?.message.contains(message) == true)
        }
    }
}
