import Foundation
import Glibc
import Testing

@Suite("A policy swapped while the desk works")
struct LivePolicyTests {
    /// A policy that lends for so many days.
    static func lending(days: Int) -> String {
        SmallLibrary.policy.replacing("days(14)", with: "days(\(days))")
    }

    static let due = """
        = loans.may_checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }.due_on

        """

    @Test("a session that reads from a FIFO answers by the new policy after another process put it into force")
    func sessionFollows() throws {
        let library = try SmallLibrary(policy: LivePolicyTests.lending(days: 14))
        try library.folder.write(LivePolicyTests.lending(days: 3), to: "strict.lua")
        let fifo = library.folder.path("lines")
        #expect(mkfifo(fifo, 0o600) == 0)
        var command = library.command
        command.inputPath = fifo
        let session = try command.start(["--now", "2026-10-07T10:00:00Z", "repl"])
        let lines = try #require(FileHandle(forWritingAtPath: fifo))
        lines.write(Data(LivePolicyTests.due.utf8))
        session.output.wait { $0.contains("\n") }
        #expect(session.output.soFar.contains("2026-10-21"), "\(session.output.soFar)")
        let used = try library.run("--now", "2026-10-07T09:00:00Z", "policy", "use", "strict.lua", "--note", "Exams")
        #expect(used.status == 0, "\(used)")
        lines.write(Data(LivePolicyTests.due.utf8))
        try lines.close()
        let result = session.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("2026-10-10"), "\(result)")
    }
}
