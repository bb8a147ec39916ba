import Foundation
import Testing

/// `tools/run-tests`, with a program in the place of the built tests that says what it is told to say.
@Suite("What runs the tests")
struct RunTestsTests {
    private struct Run {
        var status: Int32
        var text: String
    }

    private func run(_ program: String, only: String? = nil) throws -> Run {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (swift, tests) = (folder.appending(path: "swift"), folder.appending(path: "moonshelfPackageTests.xctest"))
        for (file, text) in [(swift, "echo '\(folder.path())'"), (tests, program)] {
            try "#!/bin/sh\n\(text)\n".write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path())
        }
        let process = Process()
        process.executableURL = LayerTests.root.appending(path: "tools/run-tests")
        process.arguments = only.map { [$0] } ?? []
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT": swift.path(), "MEASURED": "Slow", "LOG": folder.appending(path: "log").path(),
        ]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Run(status: process.terminationStatus, text: text)
    }

    @Test("a pass that fails makes the run fail, and ends it with what failed")
    func failing() throws {
        let failing = """
            case "$*" in *--skip\\ *) ;; *) exit 0 ;; esac
            echo '✘ Test "sums" recorded an issue at A.swift:3:1: Expectation failed: 1 == 2'
            echo '↳ one is not two'
            echo '✘ Test run with 1 test in 1 suite failed after 1 seconds with 1 issue.'
            exit 1
            """
        let run = try run(failing)
        #expect(run.status == 1)
        let end = run.text.split(separator: "Failed (").last ?? ""
        #expect(end.contains("A.swift:3:1") && end.contains("one is not two"), "\(run.text)")
    }

    @Test(
        "each process counts: the two side by side, and the one that measures",
        arguments: ["--filter ^*--skip Slow", "--skip Slow|*", "--no-parallel --filter Slow"])
    func failingProcess(options: String) throws {
        let words = options.replacingOccurrences(of: " ", with: "\\ ").replacingOccurrences(of: "|", with: "\\|")
        let run = try run("case \"$*\" in *swift-testing\\ \(words)) echo 'The sums are wrong.'; exit 1 ;; esac")
        #expect(run.status == 1 && run.text.split(separator: "Failed (").last?.contains("sums are wrong") == true)
    }

    @Test("what ends without a word, as a crash does, fails and shows its last lines")
    func crashing() throws {
        let run = try run("echo 'before the end'; kill -9 $$")
        #expect(run.status == 1 && run.text.split(separator: "Failed (").last?.contains("before the end") == true)
    }

    @Test("a run that passes says what was skipped and why")
    func passing() throws {
        let run = try run(
            """
            echo '➜ Test "a" skipped: "no such server"'
            echo '✔ Test run with 2 tests in 1 suite passed after 1 seconds.'
            """)
        #expect(run.status == 0 && run.text.contains("no such server") && !run.text.contains("Failed"), "\(run.text)")
    }

    @Test("one target alone is chosen by its name, and an unknown one is refused with those that there are")
    func only() throws {
        let run = try run("echo \"$@\"", only: "Desk")
        #expect(run.status == 0 && run.text.contains("--filter ^DeskTests\\."), "\(run.text)")
        let unknown = try self.run("exit 0", only: "Nothing")
        #expect(unknown.status == 64 && unknown.text.contains("Circulation"), "\(unknown.text)")
    }
}
