import Foundation

/// What the keys do.
extension LineEditor {
    /// - Returns: what ended the editing, nil if it goes on.
    func handle(_ key: Key) -> LineInput? {
        if search != nil, handleInSearch(key) { return key == .enter ? submitIfComplete() : nil }
        if menu != nil, handleInMenu(key) { return nil }
        let hadMenu = menu != nil
        menu = nil
        defer { if hadMenu { reopenMenu(after: key) } }
        switch key {
        case .enter: return submitIfComplete()
        case .control("c"): return drop()
        case .control("d"):
            if buffer.isEmpty { return leave() }
            edit { $0.deleteForward() }
        case .control("r"): startSearch()
        case .control("z"): suspend()
        case .control("l"): clearScreen()
        case .tab: complete()
        case .up, .control("p"): if place != nil || !buffer.moveUp() { older() }
        case .down, .control("n"): if place != nil || !buffer.moveDown() { newer() }
        case .pageUp: older()
        case .pageDown: newer()
        default: if !handleMove(key) { handleEdit(key) }
        }
        return nil
    }

    private func handleMove(_ key: Key) -> Bool {
        switch key {
        case .left, .control("b"): buffer.moveLeft()
        case .right, .control("f"): if !takeSuggestion() { buffer.moveRight() }
        case .wordLeft: buffer.moveWordLeft()
        case .wordRight: buffer.moveWordRight()
        case .home, .control("a"): buffer.moveToLineStart()
        case .end, .control("e"): if !takeSuggestion() { buffer.moveToLineEnd() }
        default: return false
        }
        place = nil
        return true
    }

    private func handleEdit(_ key: Key) {
        switch key {
        case .text(let text): type(text)
        case .paste(let text): edit { $0.insert(text) }
        case .newLine: edit { $0.insert("\n") }
        case .backspace: edit { $0.deleteBack() }
        case .delete: edit { $0.deleteForward() }
        case .deleteWord: edit { $0.deleteWord() }
        case .deleteWordBack, .control("w"): edit { $0.deleteWordBack() }
        case .control("k"): edit { $0.deleteToLineEnd() }
        case .control("u"): edit { $0.deleteToLineStart() }
        case .control("y"): edit { $0.putBack() }
        case .control("t"): edit { $0.transpose() }
        case .control("_"): edit { $0.undo() }
        default: break
        }
    }

    func edit(_ change: (inout EditBuffer) -> Void) {
        change(&buffer)
        place = nil
    }

    // MARK: - Lines

    private func submitIfComplete() -> LineInput? {
        if session.isComplete(buffer.text) { return submit() }
        edit { $0.insert("\n" + Indentation.ofNextLine(after: $0.head)) }
        return nil
    }

    private func type(_ text: String) {
        edit { $0.insert(text) }
        let surplus = Indentation.surplus(in: buffer.head)
        guard surplus > 0, let line = buffer.head.split(separator: "\n", omittingEmptySubsequences: false).last else {
            return
        }
        edit { $0.replace(last: line.count, by: String(line.dropFirst(surplus))) }
    }

    private func takeSuggestion() -> Bool {
        guard let rest = suggestion else { return false }
        edit { $0.insert(String(rest)) }
        return true
    }

    // MARK: - History

    private func older() {
        if place == nil { draft = buffer.text }
        let start = place ?? history.statements.count
        let draft = draft
        guard let found = history.last(before: start, where: { $0.hasPrefix(draft) }) else { return beep() }
        show(found)
    }

    private func newer() {
        guard let place else { return }
        let draft = draft
        if let found = history.first(after: place, where: { $0.hasPrefix(draft) }) { return show(found) }
        buffer.replaceAll(draft)
        self.place = nil
    }

    private func show(_ found: Int) {
        buffer.replaceAll(history.statements[found])
        place = found
    }

    // MARK: - Searching

    private func startSearch() {
        search = HistorySearch(before: buffer)
        place = nil
    }

    /// - Returns: whether the key was the search's.
    private func handleInSearch(_ key: Key) -> Bool {
        guard var found = search else { return false }
        var isFound = true
        switch key {
        case .text(let text):
            found.query += text
            isFound = found.find(in: history, before: found.place.map { $0 + 1 } ?? history.statements.count)
        case .backspace:
            found.query = String(found.query.dropLast())
            isFound = found.query.isEmpty || found.find(in: history, before: history.statements.count)
        case .control("r"):
            isFound = !found.query.isEmpty && found.find(in: history, before: found.place ?? history.statements.count)
        case .escape, .control("g"):
            buffer = found.before
            search = nil
            return true
        default:
            search = nil
            return key == .enter
        }
        if !isFound { beep() }
        if let place = found.place { buffer.replaceAll(history.statements[place]) }
        search = found
        return true
    }

    // MARK: - Completion

    private func complete() {
        let completion = session.complete(buffer.head)
        guard let first = completion.candidates.first else {
            // At the beginning of a line a tab is a step to the right.
            let line = buffer.head.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            return line.allSatisfy(\.isWhitespace) && !buffer.isEmpty ? edit { $0.insert("    ") } : beep()
        }
        if completion.candidates.count == 1 {
            return edit { $0.replace(last: completion.typed.count, by: first.text + first.ending) }
        }
        let common = completion.common
        if common != completion.typed { edit { $0.replace(last: completion.typed.count, by: common) } }
        menu = CompletionMenu(completion, typed: common)
    }

    /// - Returns: whether the key was the menu's.
    private func handleInMenu(_ key: Key) -> Bool {
        guard var open = menu else { return false }
        switch key {
        case .tab: open.choose(by: 1)
        case .backTab: open.choose(by: -1)
        case .down where open.chosen != nil: open.choose(by: 1)
        case .up where open.chosen != nil: open.choose(by: -1)
        case .escape, .control("g"):
            if open.chosen != nil { edit { $0.replace(last: open.length, by: open.typed) } }
            menu = nil
            return true
        case .enter:
            guard let chosen = open.chosen else { return false }
            edit { $0.insert(open.candidates[chosen].ending) }
            menu = nil
            return true
        default: return false
        }
        open.apply(to: &buffer)
        place = nil
        menu = open
        return true
    }

    /// While a name is typed on, the menu shows what still fits.
    private func reopenMenu(after key: Key) {
        guard case .text(let text) = key, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), menu == nil
        else {
            return
        }
        let completion = session.complete(buffer.head)
        guard !completion.candidates.isEmpty, completion.candidates.map(\.text) != [completion.typed] else { return }
        menu = CompletionMenu(completion, typed: completion.typed)
    }
}
