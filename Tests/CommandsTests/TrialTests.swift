import Foundation
import Testing

@Suite("Trials of a session")
struct TrialTests {
    private static func session(
        _ lines: [String], in library: borrowing SmallLibrary, _ options: [String] = ["--write"],
        environment: [String: String] = [:]
    ) throws -> BuiltCommand.Result {
        var command = library.command
        command.environment.merge(environment) { $1 }
        return try command.run(
            ["--now", "2026-10-07T10:00:00Z", "repl"] + options, input: lines.joined(separator: "\n") + "\n")
    }

    private static let borrow = "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }"
    private static let count = "#loans.active{ patron = 'p1' }"

    @Test("what is tried is not done, until it is committed", arguments: StoreChoice.allCases)
    func commits(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        let forgotten = try Self.session(
            [":begin", "x = \(Self.borrow)", Self.count, ":rollback", Self.count], in: library)
        #expect(forgotten.status == 0, "\(forgotten)")
        #expect(forgotten.output.hasSuffix("1\nThe trial is forgotten; the library is as it was.\n0\n"))
        let left = try Self.session([":begin", "x = \(Self.borrow)"], in: library)
        #expect(left.output.hasSuffix("The trial was not committed and is forgotten.\n"), "\(left)")
        let done = try Self.session([":begin", "x = \(Self.borrow)", ":commit", Self.count], in: library)
        #expect(done.output.hasSuffix("1 change is done in the library, as in the trial.\n1\n"), "\(done)")
        #expect(try library.isSound())
    }

    @Test("what the trial made is found again in the library, though its number is another")
    func numbers() throws {
        let library = try SmallLibrary()
        // The library lends meanwhile: the trial's loan has a number that is another loan's there.
        let running = try library.command.start(
            ["--now", "2026-10-07T10:00:00Z", "repl", "--write"], hasInput: true)
        running.input?.write(Data(":begin\nx = \(Self.borrow)\nprint('tried')\n".utf8))
        running.output.wait { $0.contains("tried\n") }
        let lent = try library.run(
            "eval", "--allow", "loans.write", "loans.checkout{ patron = 'p2', isbn = '\(SmallLibrary.programming)' }")
        #expect(lent.status == 0, "\(lent)")
        running.input?.write(
            Data(
                "y = loans.set_due{ loan = x.id, due = '2026-12-01', reason = 'a term' }\nz = loans.checkin{ loan = x }\n:commit\n"
                    .utf8))
        try running.input?.close()
        let result = running.wait()
        #expect(result.output.contains("3 changes are done in the library"), "\(result)")
        #expect(try library.eval("return #loans.active{ patron = 'p1' }, #loans.active{ patron = 'p2' }") == "0\n1")
        #expect(try library.isSound())
    }

    @Test("what is refused in the library leaves all of it undone, and the trial goes on")
    func refused() throws {
        let library = try SmallLibrary()
        let running = try library.command.start(
            ["--now", "2026-10-07T10:00:00Z", "repl", "--write"], hasInput: true)
        let emma = "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' }"
        running.input?.write(Data(":begin\na = \(Self.borrow)\nb = \(emma)\nprint('tried')\n".utf8))
        running.output.wait { $0.contains("tried\n") }
        let lent = try library.run(
            "eval", "--allow", "loans.write", "loans.checkout{ patron = 'p2', isbn = '\(SmallLibrary.emma)' }")
        #expect(lent.status == 0, "\(lent)")
        running.input?.write(Data(":commit\n".utf8))
        try running.input?.close()
        let result = running.wait()
        #expect(result.status == 3 && result.error.contains("Nothing was done in the library"), "\(result)")
        #expect(result.error.contains("loans.checkout is refused now"))
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "0")
    }

    @Test("the copy of a session that was killed goes with the next trial, and that of one that lives stays")
    func forsaken() throws {
        let library = try SmallLibrary()
        let place = library.folder.path("trials")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        func copies() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: place)) }
        var command = library.command
        command.environment["TMPDIR"] = place
        func begin() throws -> BuiltCommand.Running {
            let running = try command.start(["repl", "--write"], hasInput: true)
            running.input?.write(Data(":begin\nprint('tried')\n".utf8))
            running.output.wait { $0.contains("tried\n") }
            return running
        }
        let killed = try begin()
        let forsaken = try copies()
        #expect(forsaken.count == 1)
        kill(killed.process.processIdentifier, SIGKILL)
        _ = killed.wait()
        let living = try begin()
        let owned = try copies()
        #expect(owned.count == 1 && owned.isDisjoint(with: forsaken))
        let last = try begin()
        #expect(try copies().count == 2)
        for running in [last, living] {
            try running.input?.close()
            #expect(running.wait().status == 0)
        }
        #expect(try copies() == [])
    }

    @Test("what was undone within a trial is not done by its commit")
    func undone() throws {
        let library = try SmallLibrary()
        let fails = "pcall(store.transaction, function() \(Self.borrow) error('no') end)"
        let result = try Self.session([":begin", fails, "x = \(Self.borrow)", ":commit", Self.count], in: library)
        #expect(result.output.hasSuffix("1 change is done in the library, as in the trial.\n1\n"), "\(result)")
    }

    @Test("a policy can be put into force in a trial, and decides there alone")
    func policy() throws {
        let library = try SmallLibrary()
        let result = try Self.session(
            [":begin", ":policy use policies/university.lua", ":policy", ":rollback", ":policy"], in: library)
        #expect(result.status == 0, "\(result)")
        let parts = result.output.components(separatedBy: "The trial is forgotten")
        #expect(parts.first?.contains("university") == true && parts.last?.contains("small") == true)
    }

    @Test("a store too large to be copied is locked with a warning, and committed or rolled back as a whole")
    func lock() throws {
        let library = try SmallLibrary()
        let tiny = ["MOONSHELF_TRIAL_COPY": "0"]
        let forgotten = try Self.session(
            [":begin", "x = \(Self.borrow)", Self.count, ":rollback", Self.count], in: library, environment: tiny)
        #expect(
            forgotten.output.hasPrefix("WARNING: ") && forgotten.output.hasSuffix("as it was.\n0\n"), "\(forgotten)")
        let done = try Self.session(
            [":begin", "x = \(Self.borrow)", ":run nothing.lua"], in: library, environment: tiny)
        #expect(done.status == 3 && done.error.contains("This trial is one transaction"), "\(done)")
        let kept = try Self.session(
            [":begin", "x = \(Self.borrow)", ":commit", Self.count], in: library, environment: tiny)
        #expect(kept.output.hasSuffix("Done in the library.\n1\n"), "\(kept)")
        #expect(try library.isSound())
    }

    @Test("an idle trial for which others wait ends by itself, and the prompt says so")
    func idle() throws {
        let library = try SmallLibrary()
        let session = try TerminalSession(
            ["--now", "2026-10-07T10:00:00Z", "repl", "--write"], in: library.folder.url,
            environment: ["MOONSHELF_TRIAL_COPY": "0", "MOONSHELF_TRIAL_IDLE": "1"])
        try session.waitForPrompt()
        session.type(":begin\r")
        try session.waitFor("moonshelf (trial, others wait)>")
        try session.waitFor("the trial was rolled back")
        let answer = try session.answer(to: Self.count)
        #expect(answer == "0")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("a session that may change nothing can try nothing")
    func readOnly() throws {
        let library = try SmallLibrary()
        let result = try Self.session([":begin"], in: library, [])
        #expect(result.status == 3 && result.error.contains("start it with --write"), "\(result)")
        let none = try Self.session([":commit"], in: library)
        #expect(none.status == 3 && none.error.contains("No trial is under way"), "\(none)")
    }
}
