import Foundation
import Testing

@testable import LineEditing

@Suite("Statements of earlier sessions")
struct StatementHistoryTests {
    private func withPath(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "history").path(percentEncoded: false))
    }

    @Test(
        "a statement comes back as it was, line ends and backslashes too",
        arguments: ["a\nb", "'\\n' .. \"\\\\\"", "猫 é"])
    func exact(statement: String) throws {
        try withPath { path in
            var history = StatementHistory(path: path)
            history.remember(statement)
            #expect(StatementHistory(path: path).statements == [statement])
        }
    }

    @Test("sessions beside each other keep all of theirs")
    func together() throws {
        try withPath { path in
            var first = StatementHistory(path: path)
            var second = StatementHistory(path: path)
            first.remember("one")
            second.remember("two")
            first.remember("three")
            #expect(StatementHistory(path: path).statements == ["one", "two", "three"])
        }
    }

    @Test("what begins with a blank, and what was entered twice running, is not written down again")
    func unwritten() throws {
        try withPath { path in
            var history = StatementHistory(path: path)
            for statement in ["one", "one", " secret", "two"] { history.remember(statement) }
            #expect(history.statements == ["one", " secret", "two"])
            #expect(StatementHistory(path: path).statements == ["one", "two"])
        }
    }

    @Test("a file that has grown is cut to what is kept")
    func cut() throws {
        try withPath { path in
            let lines = (1...(2 * StatementHistory.size + 1)).map { "x = \($0)\n" }.joined()
            try lines.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(StatementHistory(path: path).statements.count == StatementHistory.size)
            let kept = try String(contentsOfFile: path, encoding: .utf8)
            #expect(kept.hasPrefix("x = 2002\n") && kept.hasSuffix("x = 4001\n"))
        }
    }

    @Test("a history that libedit wrote is laid aside whole")
    func foreign() throws {
        try withPath { path in
            let lines = "_HiStOrY_V2_\nfind\\040books\n"
            try lines.write(toFile: path, atomically: true, encoding: .utf8)
            var history = StatementHistory(path: path)
            #expect(history.statements.isEmpty)
            history.remember("one")
            #expect(StatementHistory(path: path).statements == ["one"])
            #expect(try String(contentsOfFile: path + ".libedit", encoding: .utf8) == lines)
        }
    }
}
