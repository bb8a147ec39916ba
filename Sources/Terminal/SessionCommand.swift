package import LineEditing
package import Scripting

/// Something that a session understands beside Lua: one table of them stands behind the loop, the help and completion.
package struct SessionCommand {
    /// What is to come where the cursor stands.
    package enum Completing {
        case nothing
        /// A name of the Lua API.
        case names
        /// The path of a file of Lua; in front of it options.
        case files(options: () -> [Completion.Candidate] = { [] })
        /// The path of any file.
        case anyFiles
        /// A username.
        case patrons
        /// A statement of SQL.
        case sql
        /// One of these, then its options and files.
        case actions([Completion.Candidate], options: (String) -> [Completion.Candidate])
    }

    /// With its colon; results such as `_` are not commands and have none.
    package let word: String
    /// What may follow, for the help.
    package let arguments: String
    package let summary: String
    package let completing: Completing
    /// nil for an entry that is documentation only.
    let action: ((Repl, SessionWords) -> ScriptFailure?)?

    /// What completion types behind the word.
    var ending: String { arguments.isEmpty || arguments.hasPrefix("[") ? "" : " " }

    /// - Parameter action: does it; a failure ends a session without a terminal.
    package init(
        _ word: String, _ arguments: String = "", _ summary: String, completing: Completing = .nothing,
        action: ((Repl, SessionWords) -> ScriptFailure?)? = nil
    ) {
        self.word = word
        self.arguments = arguments
        self.summary = summary
        self.completing = completing
        self.action = action
    }
}

/// What follows the word of a command.
package struct SessionWords: Hashable, Sendable {
    /// As it was typed, without blanks around it.
    package let text: String
    /// Parted at blanks; what stands in quotation marks is one word.
    package let words: [String]

    package init(_ text: some StringProtocol) {
        let trimmed = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        self.text = String(trimmed)
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in trimmed {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        self.words = words
    }
}
