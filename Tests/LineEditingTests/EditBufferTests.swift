import Testing

@testable import LineEditing

@Suite("The statement under a person's hands")
struct EditBufferTests {
    @Test(
        "a letter and the marks that combine with it are one step and one deletion", arguments: ["e\u{301}", "한", "👩‍👩‍👧"])
    func clusters(character: String) {
        var buffer = EditBuffer("a")
        // As they are typed, scalar by scalar.
        for scalar in character.unicodeScalars { buffer.insert(String(scalar)) }
        #expect(buffer.characters.count == 2)
        buffer.moveLeft()
        buffer.deleteForward()
        #expect(buffer.text == "a")
    }

    @Test("up and down go from line to line, and say so at the first and the last")
    func lines() {
        var buffer = EditBuffer("one\ntwo three\nfour")
        var heads: [String] = []
        while buffer.moveUp() { heads.append(buffer.head) }
        #expect(heads == ["one\ntwo ", "one"])
        heads = []
        while buffer.moveDown() { heads.append(buffer.head) }
        #expect(heads == ["one\ntwo", "one\ntwo three\nfou"])
    }

    @Test("what was cut is put back, and undoing goes through words")
    func undo() {
        var buffer = EditBuffer()
        for letter in "loans.get" { buffer.insert(String(letter)) }
        buffer.deleteWordBack()
        #expect(buffer.text == "loans.")
        buffer.putBack()
        #expect(buffer.text == "loans.get")
        buffer.undo()
        buffer.undo()
        #expect(buffer.text == "loans.get")
        buffer.undo()
        #expect(buffer.isEmpty)
        buffer.undo()
        #expect(buffer.isEmpty)
    }
}
