import Foundation
import Testing
import TextFormats

@Suite("policy check and policy test")
struct PolicyCheckCommandTests {
    static let findingKeys = ["code", "severity", "file", "line", "column", "message", "suggestion"]

    @Test("a sound policy has no finding, with and without JSON, and needs no store")
    func sound() throws {
        let folder = try TemporaryFolder()
        try PolicyFiles.write(into: folder)
        let json = try folder.command.run("policy", "check", "--json", "sound.lua")
        #expect(json.status == 0 && json.output == "{\"ok\":true,\"findings\":[]}\n" && json.error.isEmpty, "\(json)")
        let text = try folder.command.run("policy", "check", "sound.lua")
        #expect(text.status == 0 && text.output == "sound.lua: nothing found.\n", "\(text)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("moonshelf.db")))
    }

    @Test("a file that is not a policy is a finding with every field, on standard output; check ends with 1, or with 2")
    func unsound() throws {
        let folder = try TemporaryFolder()
        try PolicyFiles.write(into: folder)
        for file in PolicyFiles.unsound {
            let result = try folder.command.run("policy", "check", "--json", file.name)
            let status: Int32 = file.code == "not_found" ? 2 : 1
            #expect(result.status == status && result.signal == nil, "\(file.name): \(result)")
            let report = try #require(try result.json().objectValue)
            #expect(report.keys == ["ok", "findings"] && report["ok"] == false, "\(result)")
            let finding = try #require(report["findings"]?.arrayValue?.first?.objectValue, "\(result)")
            #expect(finding.keys == PolicyCheckCommandTests.findingKeys)
            #expect(finding["code"]?.stringValue == file.code, "\(result)")
            #expect(finding["severity"] == "error" && finding["file"]?.stringValue == file.name)
            #expect((finding["line"]?.integerValue ?? 0) >= 1 && (finding["column"]?.integerValue ?? 0) >= 1)
        }
    }

    @Test("several files are one report, and the text shows line, marker, nearest name and the counts")
    func text() throws {
        let folder = try TemporaryFolder()
        try PolicyFiles.write(into: folder)
        let result = try folder.command.run("policy", "check", "sound.lua", "misspelt.lua")
        #expect(result.status == 1)
        #expect(
            result.output == """
                sound.lua: nothing found.
                misspelt.lua:1:38: error: a policy has no key 'rulse' (unknown_point)
                    1 | return policy { api = 1, name = "x", rulse = {} }
                      |                                      ^~~~~ did you mean 'rules'?
                1 error, 0 warnings.

                """)
        let json = try folder.command.run("policy", "check", "--json", "broken.lua", "missing.lua")
        #expect(try json.json()["findings"]?.arrayValue?.count == 2)
    }

    @Test("tests are reported each with name, file, line and status, and end with 1 if one failed")
    func tests() throws {
        let folder = try TemporaryFolder()
        try folder.write(PolicyFiles.sound, to: "sound.lua")
        try folder.write(PolicyFiles.tests, to: "sound_test.lua")
        let result = try folder.command.run("policy", "test", "--json", "sound.lua")
        #expect(result.status == 1, "\(result)")
        let report = try result.json()
        #expect(report["passed"] == 1 && report["failed"] == 3 && report["todo"] == 1, "\(result)")
        let tests = try #require(report["tests"]?.arrayValue)
        #expect(tests.map { $0["status"] } == ["pass", "fail", "todo", "error", "timeout"])
        for test in tests { #expect(test.objectValue?.keys == ["name", "file", "line", "status", "message"]) }
        // A test stands where it begins, a fault where it is.
        #expect(tests.map { $0["line"] } == [1, 5, 8, 11, 14], "\(result)")
        #expect(tests.allSatisfy { $0["file"] == "sound_test.lua" })
        let text = try folder.command.run("policy", "test", "sound.lua")
        #expect(text.status == 1 && text.output.hasSuffix("\n1 passed, 3 failed, 1 to do\n"), "\(text)")
    }

    @Test(
        "tests that cannot be run end with the status of what is wrong",
        arguments: [
            ("missing.lua", "", 2, "not_found"), ("folder.lua", "", 2, "not_found"), ("sound.lua", nil, 2, "usage"),
            ("broken.lua", "", 3, "syntax"), ("huge.lua", "", 3, "too_large"),
            ("endless.lua", "", 3, "instruction_limit"),
        ])
    func untestable(name: String, tests: String?, status: Int32, code: String) throws {
        let folder = try TemporaryFolder()
        try PolicyFiles.write(into: folder)
        if let tests { try folder.write(tests, to: name.replacing(".lua", with: "_test.lua")) }
        let result = try folder.command.run("policy", "test", "--json", name)
        #expect(result.status == status && result.output.isEmpty, "\(result)")
        #expect(try result.failure()["error"]?["code"]?.stringValue == code, "\(result)")
    }
}
