import Foundation
import Testing

@Suite("Typing at the desk")
struct TerminalEditingTests {
    private static func session(_ library: borrowing SmallLibrary, _ arguments: String...) throws -> TerminalSession {
        try TerminalSession(
            ["--now", "2026-10-07T10:00:00Z", "repl"] + arguments, in: library.folder.url, columns: 100)
    }

    @Test("the signature stands below the call that is typed, and what is known of the argument")
    func signature() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type("loans.checkout{ patron = ")
        try session.waitFor("loans.checkout{ patron, [isbn]")
        try session.waitFor("patron: a username, an id or a patron")
        session.type(TerminalSessionTests.interrupt)
        try session.waitForPrompt()
        #expect(!session.screen.text().contains("[isbn]"))
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test(
        "Tab completes arguments, and keys of the store with what they name",
        arguments: [
            ("loans.checkout{ pat\t", "moonshelf> loans.checkout{ patron = "),
            ("loans.active{ patron = 'cl\t", "moonshelf> loans.active{ patron = 'clerk'"),
            ("catalogue.get('9780131\t", "moonshelf> catalogue.get('9780131103627'"),
            ("categories.get('st\t", "moonshelf> categories.get('staff'"),
            ("branches.get('\t", "moonshelf> branches.get('main'"),
            ("require 'to\t", "moonshelf> require 'tools'"),
        ])
    func keys(typed: String, line: String) throws {
        let library = try SmallLibrary()
        try library.folder.write("return {}", to: "tools.lua")
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type(typed)
        try session.waitForLine(line.trimmingCharacters(in: .whitespaces))
        session.type(TerminalSessionTests.interrupt)
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("fields are completed by the type of a loop's variable, and of an earlier result")
    func fields() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type("for title in catalogue.each{} do title.publi\t")
        try session.waitForLine("moonshelf> for title in catalogue.each{} do title.publisher")
        session.type(TerminalSessionTests.interrupt)
        try session.answer(to: "found = catalogue.search{ order = 'title' }")
        session.type("found[1].is\t")
        try session.waitForLine("moonshelf> found[1].isbn")
        session.type("\r")
        try session.waitFor("\n\(SmallLibrary.emma)\n")
        try session.waitForPrompt()
        session.type("today().weekd\t")
        try session.waitForLine("moonshelf> today().weekday")
        session.type(TerminalSessionTests.interrupt)
        try session.answer(to: "noon, word = now(), 'moon'")
        session.type("noon.minu\t")
        try session.waitForLine("moonshelf> noon.minute")
        session.type(" .. word:upp\t")
        try session.waitForLine("moonshelf> noon.minute .. word:upper")
        session.type(TerminalSessionTests.interrupt)
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("candidates are shown with what they are; Tab goes through them, Enter takes one, Esc none")
    func menu() throws {
        let library = try SmallLibrary()
        let session = try TerminalSession(
            ["repl"], in: library.folder.url, environment: ["NO_COLOR": "1"], columns: 100)
        try session.waitForPrompt()
        session.type("patrons.get('p\t")
        try session.waitFor("p8")
        session.type("\t\t")
        try session.waitForLine("moonshelf> patrons.get('p2")
        session.type("\r")
        try session.waitForLine("moonshelf> patrons.get('p2'")
        session.type(").username\r")
        try session.waitFor("\np2\n")
        try session.waitForPrompt()
        session.type("patrons.get('p\t\t")
        try session.waitForLine("moonshelf> patrons.get('p1")
        session.type("\u{1B}")
        try session.waitForLine("moonshelf> patrons.get('p")
        session.type(TerminalSessionTests.interrupt)
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("Ctrl-R finds a statement by a part of it, and Enter runs it")
    func search() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.answer(to: "'first ' .. 40 + 2")
        try session.answer(to: "'second ' .. 2")
        session.type("\u{12}irst")
        try session.waitForLine("moonshelf> 'first ' .. 40 + 2")
        session.type("\r")
        try session.waitFor("first 42")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("lines of a block are set in, and its end goes back")
    func indentation() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type("for i = 1, 2 do\rprint('line', i)")
        try session.waitForLine("\(TerminalSession.continuation)     print('line', i)")
        session.type("\rend")
        try session.waitForLine("\(TerminalSession.continuation) end")
        session.type("\r")
        try session.waitFor("line 2")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("what is longer than the screen is leafed through, and a text in it found")
    func paging() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type("local rows = {} for i = 1, 300 do rows[i] = { n = i, name = 'row ' .. i } end return rows\r")
        try session.waitFor("lines 1-")
        session.type("/row 250\r")
        try session.wait(for: "the row that was looked for") { $0.visible.contains("---\n250  row 250") }
        session.type("q")
        try session.waitFor("(300 rows)")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test(":edit puts what the editor wrote to the prompt")
    func edit() throws {
        let library = try SmallLibrary()
        try library.folder.write("#!/bin/sh\necho \"'edited ' .. 1 + 1\" > \"$1\"\n", to: "edit.sh")
        let session = try TerminalSession(
            ["--now", "2026-10-07T10:00:00Z", "repl"], in: library.folder.url,
            environment: ["EDITOR": "sh \(library.folder.path("edit.sh"))"])
        try session.waitForPrompt()
        session.type(":edit\r")
        try session.waitForLine("moonshelf> 'edited ' .. 1 + 1")
        session.type("\r")
        try session.waitFor("edited 2")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("the prompt shows the patron and a moved clock")
    func prompt() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type(":as p1\r")
        try session.waitForLine("moonshelf (as p1)>")
        session.type(":now 2027-01-02T08:30\r")
        try session.waitForLine("moonshelf (as p1, 2027-01-02 08:30)>")
        session.type(":as\r")
        try session.waitForLine("moonshelf (2027-01-02 08:30)>")
        session.type(":now\r")
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("a question mark behind a name or a value asks what it is")
    func question() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        let function = try session.answer(to: "patrons.get?")
        #expect(function.hasPrefix("patrons.get(patron)"))
        let value = try session.answer(to: "money '2' ?")
        #expect(value.hasPrefix("money: 2.00 EUR"))
        let list = try session.answer(to: "catalogue.search{ order = 'title' }")
        #expect(list.hasSuffix("(3 rows)"))
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("a terminal that can show nothing but lines gets lines, with a prompt")
    func dumb() throws {
        let library = try SmallLibrary()
        let session = try TerminalSession(
            ["repl"], in: library.folder.url, environment: ["TERM": "dumb", "NO_COLOR": "1"])
        try session.waitForPrompt()
        session.type("6 * 7\r")
        try session.waitFor("\n42\n")
        try session.waitForPrompt()
        #expect(!session.bytes.contains(0x1B))
        session.type("\u{04}")
        let ending = try session.end()
        #expect(ending == .exited(0))
    }

    @Test("Ctrl-C forgets what was typed ahead together with the statement that it ends")
    func forgotten() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type("print('be' .. 'gun') while true do end\rprint('a' .. 'head')\r")
        try session.waitFor("begun")
        session.type(TerminalSessionTests.interrupt)
        try session.waitFor("interrupted")
        let answer = try session.answer(to: "6 * 7")
        #expect(answer == "42")
        #expect(!session.screen.text().contains("ahead"))
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }

    @Test("what was typed ahead while a statement ran is read after it, key by key")
    func typedAhead() throws {
        let library = try SmallLibrary()
        let session = try Self.session(library)
        try session.waitForPrompt()
        session.type("print('be' .. 'gun') for i = 1, 20000000 do end\r")
        try session.waitFor("begun")
        session.type("'second'\u{7F}\u{7F} line'\r'third'")
        try session.waitFor("secon line")
        try session.waitForLine("moonshelf> 'third'")
        session.type(TerminalSessionTests.interrupt)
        let ending = try session.leave()
        #expect(ending == .exited(0))
    }
}
