import Testing

@testable import Server

@Suite("Commands in what a client sends")
struct CommandFramerTests {
    private typealias Piece = CommandFramer.Piece

    private func command(_ text: String) -> CommandFramer.Piece { .command(Array(text.utf8)) }

    private func pieces(_ framer: inout CommandFramer) -> [CommandFramer.Piece] {
        var pieces: [CommandFramer.Piece] = []
        while let piece = framer.next() { pieces.append(piece) }
        return pieces
    }

    @Test("commands are the same in whatever packets they come", arguments: [1, 2, 3, 7, 100])
    func packets(size: Int) {
        let text = Array("LOGIN a b\r\n\nGET_BOOKS\nLOAN a 1".utf8)
        var framer = CommandFramer(longest: 20)
        var found: [CommandFramer.Piece] = []
        for start in stride(from: 0, to: text.count, by: size) {
            framer.append(text[start..<min(start + size, text.count)])
            found += pieces(&framer)
        }
        #expect(found == [command("LOGIN a b\r"), command(""), command("GET_BOOKS")])
        #expect(framer.count == 8)
        #expect(framer.silence() == command("LOAN a 1"))
        #expect(framer.isEmpty)
    }

    @Test("a line feed that comes after the silence ends no second command", arguments: ["\n", "\r\n"])
    func lateLineFeed(end: String) {
        var framer = CommandFramer(longest: 20)
        framer.append("GET_BOOKS".utf8)
        #expect(framer.next() == nil)
        #expect(framer.silence() == command("GET_BOOKS"))
        framer.append("\(end)\n".utf8)
        #expect(pieces(&framer) == [command("")])
        framer.append("A".utf8)
        _ = framer.silence()
        framer.append("B\n\n".utf8)
        #expect(pieces(&framer) == [command("B"), command("")])
    }

    @Test("blanks and NUL alone are not a command when silence ends them", arguments: ["", " ", "\0\0\0", "\r", " \0"])
    func nothing(text: String) {
        var framer = CommandFramer(longest: 20)
        framer.append(text.utf8)
        #expect(framer.next() == nil)
        #expect(framer.silence() == nil)
        #expect(framer.isEmpty)
    }

    @Test("a command of the longest length is taken, one more byte is too long, with or without its end")
    func tooLong() {
        var framer = CommandFramer(longest: 5)
        framer.append("12345\n123456\n".utf8)
        #expect(pieces(&framer) == [command("12345"), .tooLong])
        framer.append("12345".utf8)
        #expect(framer.next() == nil)
        framer.append("6".utf8)
        #expect(framer.next() == .tooLong)
        #expect(framer.isEmpty)
    }

    @Test(
        "words lie between what C takes for blanks, and a NUL ends them",
        arguments: [
            ("LOGIN ada b", ["ada", "b"]), ("  LOGIN\t ada\u{B}b\u{C}\r", ["ada", "b"]), ("LOGIN", []),
            ("\0LOGIN ada\0 b", ["ada"]), ("LOGIN ad\u{A0}a é", ["ad\u{A0}a", "é"]),
        ])
    func words(text: String, arguments: [String]) throws {
        let command = try #require(LineCommand(Array(text.utf8)))
        #expect(command.verb == .logIn)
        #expect(command.arguments == arguments)
    }

    @Test(
        "no verb, another verb, other letters and bytes that are no text are unknown",
        arguments: [
            "", " ", "login ada b", "LOGINS", "QUIT", "\0",
        ])
    func unknown(text: String) {
        #expect(LineCommand(Array(text.utf8)) == nil)
        #expect(LineCommand(Array("LOGIN ".utf8) + [0xC3, 0x28]) == nil)
    }
}
