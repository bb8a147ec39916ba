/// Names as Lua has them: reference manual, 3.1.
package enum LuaName {
    /// Whether the text can stand where a name is expected: letters, digits and `_`, no digit first, no reserved word.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isNameStart else { return false }
        return text.utf8.allSatisfy(\.isNamePart) && TokenKind.reservedWords[text] == nil
    }
}
