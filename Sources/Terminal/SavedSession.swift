import LineEditing
package import Scripting

/// What was evaluated in a session, so that it can be written as a script that does the same again.
package struct SavedSession {
    /// What became of a statement.
    package enum Outcome: Hashable, Sendable {
        case done, refused, failed
        /// Done in a trial that was rolled back.
        case undone
        /// A command of the session that changes what statements mean: its clock, who acts.
        case command
    }

    private struct Entry {
        let text: String
        var outcome: Outcome
        let uses: Set<Capability>
        let tokens: [InputToken]
    }

    /// A script, and how much of the session is in it.
    package struct Script {
        package var text: String
        package var kept: Int
        /// What stands in it as comments.
        package var leftOut: Int
    }

    private var entries: [Entry] = []
    private var beginningOfTrial: Int?

    package init() {}

    /// - Parameter uses: the capabilities that it needed.
    package mutating func add(_ text: String, _ outcome: Outcome, uses: Set<Capability> = []) {
        entries.append(Entry(text: text, outcome: outcome, uses: uses, tokens: InputScanner.tokens(text)))
    }

    package mutating func beginTrial() { beginningOfTrial = entries.count }

    /// The trial has ended; what was done in it counts, or was never done.
    package mutating func endTrial(isKept: Bool) {
        if let start = beginningOfTrial, !isKept {
            for index in entries.indices[start...] where entries[index].outcome == .done {
                entries[index].outcome = .undone
            }
        }
        beginningOfTrial = nil
    }

    /// Writes the script. What was refused or failed stands in it as a comment, and so does what needs a value that
    /// such a statement gave.
    ///
    /// - Parameter parses: whether Lua reads a text.
    package func script(parses: (String) -> Bool) -> Script {
        let usesResults = entries.contains { entry in
            entry.outcome == .done && entry.tokens.contains { Self.results.contains($0.text) && $0.kind == .name }
        }
        var script = Script(text: "", kept: 0, leftOut: 0)
        var body: [String] = []
        var needed: Set<Capability> = []
        var missing: Set<String> = []
        for entry in entries {
            let names = AssignedNames(entry.tokens)
            var why = entry.outcome.words
            if why == nil, let name = names.read.first(where: missing.contains) {
                why = "left out, since '\(name)' has its value from what was left out:"
            }
            if why == nil {
                if let text = Self.lua(entry, call: usesResults ? Self.keeping : "print", parses) {
                    body.append(text)
                    script.kept += 1
                    missing.subtract(names.given)
                    needed.formUnion(entry.uses.union(Self.capabilities(named: entry.tokens)))
                    continue
                }
                why = "no script can say this:"
            }
            body.append(Self.comment(why, entry.text))
            if entry.outcome != .command {
                script.leftOut += 1
                missing.formUnion(names.given)
                missing.formUnion(names.changed)
            }
        }
        let declared = Capability.grantable.filter(needed.contains).map { "\"\($0.rawValue)\"" }
        if !declared.isEmpty { script.text = "needs { \(declared.joined(separator: ", ")) }\n\n" }
        if usesResults { script.text += Self.keepingResults }
        script.text += body.joined(separator: "\n") + "\n"
        return script
    }

    // MARK: - As Lua

    private static let results: Set<String> = ["_", "_1", "_2"]
    private static let keeping = "__keep"

    private static let keepingResults = """
        -- The last results stand under the names that the session gave them.
        local __results = {}
        local function \(keeping)(...)
            print(...)
            for index = 1, select("#", ...) do
                local value = (select(index, ...))
                if value ~= nil then
                    _, _1, _2 = value, __results[1], __results[2]
                    __results = { value, __results[1] }
                    return
                end
            end
        end


        """

    /// The statement as it can stand among others; nil if it has no such form.
    private static func lua(_ entry: Entry, call: String, _ parses: (String) -> Bool) -> String? {
        let text = entry.text
        let expression = text.hasPrefix("=") ? String(text.dropFirst()) : text
        if parses("return \(expression)") {
            // A comment alone says nothing and stays what it is.
            if parses(text), entry.tokens.allSatisfy(\.isComment) { return text }
            let forms = [
                "\(call)(\(expression))", "\(call)(\n\(expression)\n)",
                "\(call)((function(...)\nreturn \(expression)\nend)(...))",
            ]
            return forms.first(where: parses)
        }
        func has(_ word: String) -> Bool { entry.tokens.contains { $0.kind == .keyword && $0.text == word } }
        var form = text
        if has("return") {
            // What is returned ends the statement, not the script.
            form = "(function(...)\n\(text)\nend)(...)"
            form = call == keeping ? "\(keeping)(\(form))" : ";\(form)"
        } else if has("local") || entry.tokens.contains(where: { $0.isSymbol("::") }) {
            // A local lasts for its own statement.
            form = "do\n\(text)\nend"
        } else if entry.tokens.first(where: { !$0.isComment })?.isSymbol("(") == true {
            // Behind another statement it would be taken for the arguments of a call.
            form = ";" + text
        }
        return parses(form) ? form : nil
    }

    private static func comment(_ why: String?, _ text: String) -> String {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        return ((why.map { [Substring($0)] } ?? []) + lines).map { "-- \($0)" }.joined(separator: "\n")
    }

    /// What the functions need that stand in a text by their names.
    private static func capabilities(named tokens: [InputToken]) -> Set<Capability> {
        let paths = tokens.indices.compactMap { at -> String? in
            guard tokens[at].kind == .name else { return nil }
            guard at + 2 < tokens.count, tokens[at + 1].isSymbol("."), tokens[at + 2].kind == .name else {
                return tokens[at].text
            }
            return "\(tokens[at].text).\(tokens[at + 2].text)"
        }
        return Set(paths.compactMap { LuaAPI.function($0)?.capability }).subtracting([.read])
    }
}

extension SavedSession.Outcome {
    /// What a script says of a statement that it does not hold; nil of one that it does.
    fileprivate var words: String? {
        switch self {
        case .done: nil
        case .refused: "refused:"
        case .failed: "failed:"
        case .undone: "rolled back:"
        case .command: "in the session:"
        }
    }
}

extension InputToken {
    fileprivate var isComment: Bool {
        if case .comment = kind { return true }
        return false
    }
}

/// The globals that a text gives values, those in which it changes something, and all that it reads. It may take a
/// field or a local for one.
private struct AssignedNames {
    var given: Set<String> = []
    var changed: Set<String> = []
    var read: [String] = []

    init(_ tokens: [InputToken]) {
        var brackets: [Character] = []
        for (at, token) in tokens.enumerated() {
            if token.kind == .symbol, let bracket = token.text.first, token.text.count == 1 {
                if "({[".contains(bracket) { brackets.append(bracket) }
                if ")}]".contains(bracket) { _ = brackets.popLast() }
            }
            guard token.kind == .name, at == 0 || !tokens[at - 1].isMember else { continue }
            let next = at + 1 < tokens.count ? tokens[at + 1] : nil
            let isFunction = at > 0 && tokens[at - 1].text == "function" && tokens[at - 1].kind == .keyword
            if brackets.last == "{", next?.isSymbol("=") == true { continue }
            if isFunction && next?.isSymbol("(") == true || next?.isSymbol("=") == true {
                given.insert(token.text)
            } else if Self.isTarget(tokens, from: at + 1) {
                if next?.isSymbol(",") == true { given.insert(token.text) } else { changed.insert(token.text) }
                read.append(token.text)
            } else {
                read.append(token.text)
            }
        }
    }

    /// Whether an assignment follows behind fields, indices and further targets.
    private static func isTarget(_ tokens: [InputToken], from start: Int) -> Bool {
        var depth = 0
        for token in tokens[min(start, tokens.count)...] {
            if token.isSymbol("[") { depth += 1 }
            if token.isSymbol("]") { depth -= 1 }
            if depth < 0 { return false }
            if depth > 0 || token.isSymbol("]") { continue }
            if token.isSymbol("=") { return true }
            guard token.kind == .name || token.isMember || token.isSymbol(",") else { return false }
        }
        return false
    }
}

extension InputToken {
    /// Whether a name behind it is a field or a method.
    fileprivate var isMember: Bool { isSymbol(".") || isSymbol(":") }
}
