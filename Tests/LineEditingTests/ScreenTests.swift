import Testing

@testable import LineEditing

@Suite("A statement on the screen")
struct ScreenTests {
    private func frame(_ text: String, cursor: Int? = nil, width: Int = 20) -> ScreenFrame {
        let layout = InputLayout(
            prompt: "> ", continuation: ". ", width: width, colours: InputColours(known: [], isOn: false))
        let characters = Array(text)
        return layout.frame(of: characters, cursor: cursor ?? characters.count)
    }

    @Test("wide characters are broken before the margin, never across it")
    func wide() {
        let frame = frame("猫猫猫猫", width: 7)
        #expect(frame.rows.map(\.text) == ["> 猫猫", "猫猫"])
        #expect(frame.cursorRow == 1 && frame.cursorColumn == 4)
    }

    @Test("a row that is full puts the cursor on the next one")
    func full() {
        let frame = frame("12345678", width: 10)
        #expect(frame.rows.map(\.text) == ["> 12345678", ""])
        #expect(frame.cursorRow == 1 && frame.cursorColumn == 0)
    }

    @Test("further lines have a prompt of their own, tabs are blanks")
    func lines() {
        let frame = frame("do\n\tend", cursor: 3)
        #expect(frame.rows.map(\.text) == ["> do", ".     end"])
        #expect(frame.cursorRow == 1 && frame.cursorColumn == 2)
    }

    @Test("a change writes the rows that differ and no other")
    func difference() {
        var written = ""
        var painter = ScreenPainter { written += $0 }
        painter.paint(frame("one\ntwo"), below: [], height: 24)
        written = ""
        painter.paint(frame("one\ntwos"), below: [], height: 24)
        #expect(written.contains("twos") && !written.contains("one"))
    }

    @Test("a block that is taller than the screen shows the part around the cursor")
    func tall() {
        var written = ""
        var painter = ScreenPainter { written += $0 }
        let lines = (1...50).map { "line\($0)" }.joined(separator: "\n")
        painter.paint(frame(lines), below: [], height: 10)
        #expect(written.contains("line50") && written.contains("line41") && !written.contains("line40"))
    }
}
