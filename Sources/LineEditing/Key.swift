/// What a person did at the keys.
enum Key: Hashable, Sendable {
    /// Characters that stand for themselves.
    case text(String)
    /// A text that the terminal marked as pasted, without its controls.
    case paste(String)
    case enter
    /// Enter with Alt: a new line wherever the cursor stands.
    case newLine
    case tab, backTab, backspace, delete, escape
    case left, right, up, down, wordLeft, wordRight, home, end, pageUp, pageDown
    case deleteWord, deleteWordBack
    /// Ctrl and a letter, the letter small.
    case control(Character)
    /// Alt and a letter.
    case alt(Character)
}
