import TestSupport
import Testing

@testable import LineEditing
@testable import Terminal

@Suite("Typing anything at all")
struct RandomTypingTests {
    private static let pieces = [
        "loans", ".", "checkout", "{", "}", "(", ")", "[", "]", "\"", "'", "--", "[[", "]]", "=", "==", ",", " ", "\n",
        "\t",
        "for ", " in ", " do ", "end", "function", "local ", "猫", "e", "\u{301}", "👩‍👩‍👧", "🇩🇪", "1", "..", "...", "::",
        ":sql ",
        "\\", "x", "_", "0x", "~=", "each", "patrons.get", ";", "\u{200D}", "\r", "#",
    ]

    /// One random key.
    private static func press(_ buffer: inout EditBuffer, _ random: inout SplitMix) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: buffer.deleteBack()
        case 1: buffer.deleteForward()
        case 2: buffer.moveLeft()
        case 3: _ = buffer.moveUp()
        case 4: _ = buffer.moveDown()
        case 5: buffer.deleteWordBack()
        case 6: buffer.putBack()
        case 7: buffer.undo()
        case 8: buffer.transpose()
        case 9: buffer.deleteToLineEnd()
        case 10: buffer.moveWordLeft()
        default: buffer.insert(pieces[Int.random(in: 0..<pieces.count, using: &random)])
        }
    }

    @Test(
        "whatever is typed is laid out within the terminal, and read without an end of the session", arguments: 1...40)
    func anything(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var buffer = EditBuffer()
        let colours = InputColours(known: ["loans"], isOn: seed % 2 == 0)
        var painter = ScreenPainter { _ in }
        for _ in 0..<80 {
            Self.press(&buffer, &random)
            let width = Int.random(in: 8..<40, using: &random)
            let layout = InputLayout(prompt: "> ", continuation: ". ", width: width, colours: colours)
            let frame = layout.frame(of: buffer.characters, cursor: buffer.cursor)
            #expect(frame.rows.allSatisfy { $0.columns <= width })
            #expect(frame.rows.indices.contains(frame.cursorRow) && (0..<width).contains(frame.cursorColumn))
            #expect((0...buffer.characters.count).contains(buffer.cursor))
            #expect(buffer.characters == Array(buffer.text), "clusters stay whole")
            painter.paint(frame, below: [], height: Int.random(in: 1..<12, using: &random))
            let context = InputContext(buffer.head)
            if let call = context.call {
                let hint = InputHint(call.function, argument: call.argument)
                #expect(hint.rows(width: width, isColoured: false).allSatisfy { $0.columns <= max(width, 12) })
            }
            _ = Indentation.ofNextLine(after: buffer.head)
            _ = Indentation.surplus(in: buffer.head)
        }
    }

    @Test("any bytes are keys or nothing", arguments: 1...20)
    func anyBytes(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var decoder = KeyDecoder()
        var buffer = EditBuffer()
        for _ in 0..<2_000 {
            let isControl = Int.random(in: 0..<3, using: &random) == 0
            let byte = isControl ? UInt8(ascii: "\u{1B}") : UInt8.random(in: 0...255, using: &random)
            switch decoder.take(byte) {
            case .text(let text), .paste(let text):
                buffer.insert(text)
                #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
            default: break
            }
        }
    }
}
