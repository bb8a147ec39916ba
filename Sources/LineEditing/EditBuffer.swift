/// A statement under a person's hands: its characters, the cursor between two of them, and what was before.
///
/// A character is a grapheme cluster: a letter with the marks that combine with it is one step of the cursor.
struct EditBuffer: Hashable, Sendable {
    private struct State: Hashable {
        var characters: [Character]
        var cursor: Int
    }

    private(set) var characters: [Character] = []
    /// From 0 to the number of characters.
    private(set) var cursor = 0
    /// What was cut last, for Ctrl-Y.
    private var cut: [Character] = []
    private var past: [State] = []
    private var isTyping = false

    init(_ text: String = "") {
        replaceAll(text)
        past = []
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }
    var isAtEnd: Bool { cursor == characters.count }

    /// The text in front of the cursor.
    var head: String { String(characters[..<cursor]) }

    // MARK: - Changing

    /// Puts a text where the cursor stands; marks combine with the letter before it.
    mutating func insert(_ text: String) {
        guard !text.isEmpty else { return }
        remember(isTyping: text.count == 1)
        join(head + text, String(characters[cursor...]))
    }

    /// Puts a text in the place of so many characters in front of the cursor.
    mutating func replace(last count: Int, by text: String) {
        remember()
        join(String(characters[..<max(0, cursor - count)]) + text, String(characters[cursor...]))
    }

    mutating func replaceAll(_ text: String) {
        remember()
        characters = Array(text)
        cursor = characters.count
    }

    mutating func deleteBack() { delete(max(0, cursor - 1)..<cursor, isCut: false) }

    mutating func deleteForward() { delete(cursor..<min(characters.count, cursor + 1), isCut: false) }

    mutating func deleteWordBack() { delete(wordStart..<cursor) }

    mutating func deleteWord() { delete(cursor..<wordEnd) }

    /// To the end of the line, at its end the line end itself.
    mutating func deleteToLineEnd() {
        delete(cursor..<(cursor == lineEnd ? min(characters.count, cursor + 1) : lineEnd))
    }

    mutating func deleteToLineStart() { delete(lineStart..<cursor) }

    mutating func putBack() { insert(String(cut)) }

    /// Exchanges the two characters around the cursor.
    mutating func transpose() {
        let right = isAtEnd || characters[cursor] == "\n" ? cursor - 1 : cursor
        guard right > lineStart else { return }
        remember()
        let exchanged = String(characters[right]) + String(characters[right - 1])
        join(String(characters[..<(right - 1)]) + exchanged, String(characters[(right + 1)...]))
    }

    mutating func undo() {
        guard let state = past.popLast() else { return }
        (characters, cursor) = (state.characters, state.cursor)
        isTyping = false
    }

    private mutating func delete(_ range: Range<Int>, isCut: Bool = true) {
        guard !range.isEmpty else { return }
        remember()
        if isCut { cut = Array(characters[range]) }
        join(String(characters[..<range.lowerBound]), String(characters[range.upperBound...]))
    }

    /// Makes the text of what stands in front of the cursor and behind it; what stood apart may combine now, and the
    /// cursor never stands within a character.
    private mutating func join(_ head: String, _ tail: String) {
        characters = Array(head + tail)
        var bytes = head.utf8.count
        cursor = 0
        while bytes > 0 && cursor < characters.count {
            bytes -= characters[cursor].utf8.count
            cursor += 1
        }
    }

    private mutating func remember(isTyping: Bool = false) {
        defer { self.isTyping = isTyping }
        // A word that is typed is one step back, not one for each letter.
        if isTyping && self.isTyping { return }
        past.append(State(characters: characters, cursor: cursor))
        if past.count > EditBuffer.longestPast { past.removeFirst() }
    }

    private static let longestPast = 200

    // MARK: - Moving

    private var lineStart: Int { characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
    private var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private var wordStart: Int {
        var at = cursor
        while at > 0 && !EditBuffer.isWord(characters[at - 1]) { at -= 1 }
        while at > 0 && EditBuffer.isWord(characters[at - 1]) { at -= 1 }
        return at
    }

    private var wordEnd: Int {
        var at = cursor
        while at < characters.count && !EditBuffer.isWord(characters[at]) { at += 1 }
        while at < characters.count && EditBuffer.isWord(characters[at]) { at += 1 }
        return at
    }

    mutating func moveLeft() { move(to: cursor - 1) }
    mutating func moveRight() { move(to: cursor + 1) }
    mutating func moveWordLeft() { move(to: wordStart) }
    mutating func moveWordRight() { move(to: wordEnd) }
    mutating func moveToLineStart() { move(to: lineStart) }
    mutating func moveToLineEnd() { move(to: lineEnd) }

    /// - Returns: false if this is the first line.
    mutating func moveUp() -> Bool {
        guard lineStart > 0 else { return false }
        let column = cursor - lineStart
        cursor = lineStart - 1
        move(to: min(lineEnd, lineStart + column))
        return true
    }

    /// - Returns: false if this is the last line.
    mutating func moveDown() -> Bool {
        guard lineEnd < characters.count else { return false }
        let column = cursor - lineStart
        cursor = lineEnd + 1
        move(to: min(lineEnd, lineStart + column))
        return true
    }

    private mutating func move(to position: Int) {
        cursor = min(max(0, position), characters.count)
        isTyping = false
    }
}
