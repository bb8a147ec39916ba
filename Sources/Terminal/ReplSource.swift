import LineEditing

/// A text that was evaluated in a session.
struct ReplSource: Hashable {
    let text: String
    /// The line of the session's input on which it began, from 1; nil if it came from a file.
    let line: Int?

    /// Whether a statement `local` in it has a name.
    func declaresLocal(_ name: String) -> Bool {
        var isInList = false
        for token in InputScanner.tokens(text) {
            if token.kind == .keyword && token.text == "local" {
                isInList = true
            } else if token.kind == .name || token.text == "function" {
                if isInList && token.text == name { return true }
            } else if !token.isSymbol(",") {
                isInList = false
            }
        }
        return false
    }
}
