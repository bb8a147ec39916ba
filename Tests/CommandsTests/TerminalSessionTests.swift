import Foundation
import Glibc
import Testing

@Suite("The desk at a terminal")
struct TerminalSessionTests {
    static let up = "\u{1B}[A"
    static let interrupt = "\u{03}"

    static func session(
        _ library: borrowing SmallLibrary, _ arguments: String..., columns: Int = 80
    ) throws -> TerminalSession {
        try TerminalSession(
            ["--now", "2026-10-07T10:00:00Z", "repl"] + arguments, in: library.folder.url, columns: columns)
    }

    @Test("it greets, prompts, evaluates and leaves at Ctrl-D with status 0")
    func greets() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        #expect(session.screen.text(ofLine: 0).hasPrefix("Moonshelf at sqlite:moonshelf.db"))
        let answer = try session.answer(to: "6 * 7")
        #expect(answer == "42")
        #expect(try session.answer(to: "error('no')").hasPrefix("error: "))
        #expect(try session.leave() == .exited(0))
    }

    @Test("Ctrl-D typed while a statement runs leaves the session after it")
    func typedAhead() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("print('be' .. 'gun') for i = 1, 20000000 do end print('do' .. 'ne')\r")
        try session.waitFor("begun")
        session.type("\u{04}")
        #expect(try session.end() == .exited(0))
        #expect(session.screen.text().contains("\ndone\n"))
    }

    @Test("a statement that spans lines shows a prompt of its own for each, and is one entry of the history")
    func spansLines() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("for i = 1, 2 do\r")
        try session.waitForLine(TerminalSession.continuation)
        session.type("print('line ' .. i)\r")
        try session.waitForLine(TerminalSession.continuation)
        session.type("end\r")
        try session.waitFor("line 2")
        try session.waitForPrompt()
        session.type(TerminalSessionTests.up)
        try session.waitFor("end")
        session.type("\r")
        try session.waitFor("line 2")
        #expect(try session.leave() == .exited(0))
    }

    @Test("Tab completes a name, and lists what fits if there are several")
    func completion() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("patrons.ge\t")
        try session.waitForLine("moonshelf> patrons.get")
        session.type("('p3').surname\r")
        try session.waitFor("Number 3")
        try session.waitForPrompt()
        session.type("catalogue.co\t")
        try session.waitFor("catalogue.copies")
        try session.waitFor("catalogue.count")
        try session.waitForLine("moonshelf> catalogue.co")
        session.type(TerminalSessionTests.interrupt)
        try session.waitForPrompt()
        session.type(":qu\t")
        try session.waitForLine("moonshelf> :quit")
        session.type("\r")
        #expect(try session.end() == .exited(0))
    }

    @Test("the next session remembers what was typed in the last, and only its owner can read it")
    func history() throws {
        let library = try SmallLibrary()
        let first = try TerminalSessionTests.session(library)
        #expect(try first.answer(to: "'a mark ' .. 40 + 2").contains("a mark 42"))
        do {
            first.type("do local n = 8\r")
            try first.waitForLine(TerminalSession.continuation)
            first.type("print(n .. n) end\r")
            try first.waitFor("88")
        }
        #expect(try first.leave() == .exited(0))
        let second = try TerminalSessionTests.session(library)
        try second.waitForPrompt()
        second.type(TerminalSessionTests.up)
        try second.waitFor("print(n .. n) end")
        second.type(TerminalSessionTests.up)
        try second.waitForLine("moonshelf> 'a mark ' .. 40 + 2")
        second.type("\r")
        try second.waitFor("a mark 42")
        #expect(try second.leave() == .exited(0))
        var status = stat()
        #expect(stat(library.folder.path(".local/state/moonshelf/history"), &status) == 0)
        #expect(status.st_mode & 0o077 == 0)
    }

    @Test("Ctrl-C drops what was typed, and the session goes on")
    func dropsInput() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("nonsense((")
        try session.waitForLine("moonshelf> nonsense((")
        session.type(TerminalSessionTests.interrupt)
        try session.waitForPrompt()
        session.type("for i = 1, 2 do\r")
        try session.waitForLine(TerminalSession.continuation)
        session.type(TerminalSessionTests.interrupt)
        let answer = try session.answer(to: "6 * 7")
        #expect(answer == "42")
        #expect(try session.leave() == .exited(0))
        #expect(!session.screen.text().contains("error"))
    }

    @Test("Ctrl-C ends a statement that does not end, undoes its transaction and keeps the session")
    func endsLoop() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library, "--write")
        for _ in 1...2 {
            try session.waitForPrompt()
            session.type(
                "store.transaction(function() loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' } "
                    + "print('be' .. 'gun') while true do end end)\r")
            try session.waitFor("begun")
            session.type(TerminalSessionTests.interrupt)
            try session.waitFor("interrupted")
            try session.waitForPrompt()
        }
        let answer = try session.answer(to: "#loans.active{ patron = 'p1' } + 70")
        #expect(answer == "70")
        #expect(try session.leave() == .exited(0))
        #expect(try library.isSound())
    }

    @Test("letters of any script can be typed, corrected and found again", arguments: ["吾輩は猫である", "Žižek šla", "한국어"])
    func anyScript(text: String) throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("print('<\(text)x")
        try session.waitForLine("moonshelf> print('<\(text)x")
        session.type("\u{7F}>')")
        try session.waitForLine("moonshelf> print('<\(text)>')")
        session.type("\r")
        try session.waitFor("\n<\(text)>\n")
        try session.waitForPrompt()
        session.type(TerminalSessionTests.up)
        try session.waitForLine("moonshelf> print('<\(text)>')")
        session.type(TerminalSessionTests.interrupt)
        #expect(try session.leave() == .exited(0))
    }

    @Test("a terminal gets colour, unless NO_COLOR is set", arguments: [false, true])
    func colour(isOff: Bool) throws {
        let library = try SmallLibrary()
        let session = try TerminalSession(
            ["eval", "return catalogue.search{ order = 'title' }"], in: library.folder.url,
            environment: isOff ? ["NO_COLOR": "1"] : [:])
        #expect(try session.end() == .exited(0))
        #expect(session.screen.text().contains("Odyssey"))
        #expect(String(decoding: session.bytes, as: UTF8.self).contains("\u{1B}[1m") != isOff)
    }

    @Test("Ctrl-C ends a script with its transaction undone", arguments: [SIGINT, SIGTERM])
    func interruptedScript(signal: Int32) throws {
        let library = try SmallLibrary()
        let running = try library.command.start([
            "eval", "--allow", "loans.write", "--format", "table",
            "store.transaction(function() loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' } "
                + "print('begun') while true do end end)",
        ])
        #expect(running.output.firstLine() == "begun")
        kill(running.process.processIdentifier, signal)
        let result = running.wait()
        #expect(result.signal == nil && result.status == 3, "\(result)")
        #expect(result.error.contains("interrupted"))
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "0")
    }
}
