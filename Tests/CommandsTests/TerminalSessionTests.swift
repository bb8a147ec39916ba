import Foundation
import Glibc
import TestSupport
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

    @Test("an error in a file shows its line, wherever lines of Lua end", arguments: ["\n", "\r", "\r\n", "\n\r"])
    func lineEnds(end: String) throws {
        let library = try SmallLibrary()
        let lines = ["-- the first", "local patron = nil", "print(patron.name)", "print('more')"]
        try library.folder.write(lines.joined(separator: end), to: "ends.lua")
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        let answer = try session.answer(to: ":load ends.lua")
        #expect(answer.contains("    2 | local patron = nil\n  > 3 | print(patron.name)\n"), "\(answer)")
        #expect(answer.hasSuffix("    4 | print('more')"), "\(answer)")
        #expect(try session.leave() == .exited(0))
    }

    @Test("an error shows its line, in the statement that it stands in")
    func markedLine() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("function f(n)\r")
        try session.waitForLine(TerminalSession.continuation)
        session.type("return n.a.b\r")
        try session.waitForLine(TerminalSession.continuation)
        session.type("end\r")
        try session.waitForPrompt()
        let answer = try session.answer(to: "f({})")
        #expect(answer.hasPrefix("error: input 1, line 2: attempt to index a nil value"))
        #expect(
            answer.hasSuffix("    1 | function f(n)\n  > 2 |     return n.a.b\n      |              ^\n    3 | end"))
        let inLine = try session.answer(to: "laons.active{}")
        #expect(
            inLine == "error: there is no global 'laons', did you mean 'loans'?\n    laons.active{}\n    ^~~~~")
        let unfinished = try session.answer(to: "x = = 1")
        #expect(
            unfinished == "error: unexpected symbol near '='; to compare, write '=='\n    x = = 1\n        ^")
        let ending = try session.leave()
        #expect(ending == .exited(0))
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
        try session.waitFor("  copies    Lists the copies of a title, by barcode.")
        try session.waitFor("  count     Counts titles.")
        try session.waitForLine("moonshelf> catalogue.co")
        session.type(TerminalSessionTests.interrupt)
        try session.waitForPrompt()
        session.type(":qu\t")
        try session.waitForLine("moonshelf> :quit")
        session.type("\r")
        #expect(try session.end() == .exited(0))
    }

    @Test("Tab completes what a command takes: its words, options, files, names of the API")
    func commandCompletion() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type(":pol\tus\t")
        try session.waitForLine("moonshelf> :policy use")
        session.type(" poli\t")
        try session.waitForLine("moonshelf> :policy use policies/")
        session.type("\t")
        try session.waitForLine("moonshelf> :policy use policies/university.lua")
        session.type(" --require-t\t")
        try session.waitForLine("moonshelf> :policy use policies/university.lua --require-tests")
        session.type(TerminalSessionTests.interrupt)
        try session.waitForPrompt()
        session.type(":help loans.checko\t")
        try session.waitForLine("moonshelf> :help loans.checkout")
        session.type("\r")
        try session.wait(for: "the help, to be leafed through") {
            $0.visible.contains("Lends one title or several") && $0.text(ofLine: $0.line).hasPrefix("lines 1-23 of")
        }
        session.type("q")
        let ending = try session.leave()
        #expect(ending == .exited(0))
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
        #expect(try permissions(ofFile: library.folder.path(".local/state/moonshelf/history")) & 0o077 == 0)
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

    @Test("fifty pasted lines are text until Enter, and then one statement and one entry of the history")
    func paste() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        #expect(session.screen.marksPastes)
        let lines = ["local sum = 0"] + (1...48).map { "sum = sum +\t\($0)" } + ["print('sum ' .. sum)"]
        session.type("\u{1B}[200~\(lines.joined(separator: "\r"))\r\u{1B}[201~")
        try session.waitForLine("\(TerminalSession.continuation) print('sum ' .. sum)")
        #expect(!session.screen.text().contains("sum 1176"))
        session.type("\r")
        try session.waitFor("sum 1176")
        try session.waitForPrompt()
        #expect(!session.screen.text().contains("error"))
        session.type(TerminalSessionTests.up)
        try session.waitForLine("\(TerminalSession.continuation) print('sum ' .. sum)")
        session.type("\r")
        try session.waitFor("sum 1176")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("a paste is never keys: controls in it are left out, whatever they would do")
    func hostilePaste() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("\u{1B}[200~print('\u{7F}\u{01}a\u{1B}[D\u{0B}b\u{12}')\u{1B}[201~")
        try session.waitForLine("moonshelf> print('a[Db')")
        session.type("\r")
        try session.waitFor("\na[Db\n")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("a terminal made narrower while a line is edited shows the line anew, and tables as wide as it is")
    func resize() throws {
        let library = try SmallLibrary()
        let session = try TerminalSessionTests.session(library)
        try session.waitForPrompt()
        session.type("catalogue.search{ order = 'title' }")
        try session.waitForLine("moonshelf> catalogue.search{ order = 'title' }")
        session.resize(columns: 30)
        try session.wait(for: "the line in two") {
            $0.text(ofLine: $0.line - 1) == "moonshelf> catalogue.search{ o"
                && $0.text(ofLine: $0.line) == "rder = 'title' }"
        }
        session.type("\r")
        try session.waitFor("lines 1-23 of")
        for line in session.screen.text().split(separator: "\n").dropFirst() { #expect(line.count <= 30) }
        session.type("Gq")
        try session.waitForPrompt()
        session.resize(columns: 80)
        let answer = try session.answer(to: "6 * 7")
        #expect(answer == "42")
        let ending = try session.leave()
        #expect(ending == .exited(0))
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

    @Test("a signal ends a script with its transaction undone", arguments: [SIGINT, SIGTERM, SIGHUP])
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
        #expect(result.signal == nil && result.status == 128 + signal, "\(result)")
        #expect(result.error.contains("interrupted"))
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "0")
    }
}
