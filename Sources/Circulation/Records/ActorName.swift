/// Who did something, as events name them: `patron:ID` for people, of whatever role, and a word for each program. An id stays
/// what it is when its owner is called by another name, so that nothing written down is ever put in order again.
package enum ActorName {
    /// What programs call themselves, and what they may one day.
    static let programs: Set = [
        "anonymous", "bitbooks", "desk", "job", "library", "moonshelf", "nobody", "operator", "plugin", "program",
        "schedule",
        "script", "sweep", "system",
    ]
    /// What stands for the caller, and for those who have left, where people are named. Without blanks.
    static let standIns: Set = ["me", "somebodywholeft"]
    /// What stands before the colon of an actor.
    static let namespaces: Set = [
        "actor", "job", "patron", "plugin", "program", "schedule", "script", "system", "user",
    ]

    package static func patron(_ id: Int64) -> String { "patron:\(id)" }

    /// What plugins call themselves.
    package static func plugin(_ name: String) -> String { "plugin:" + name }

    /// Which plugin an actor's name is; nil for others.
    package static func plugin(of name: String) -> String? {
        name.hasPrefix("plugin:") ? String(name.dropFirst("plugin:".count)) : nil
    }

    /// Whose id an actor's name is; nil for a program.
    package static func patronID(_ name: String) -> Int64? {
        guard name.hasPrefix("patron:") else { return nil }
        return Int64(name.dropFirst("patron:".count))
    }

    /// Whether a username would read as one of these names, in whatever case, width and spacing, as what stands for
    /// another person, or as what others are shown of a person whose username is an e-mail address.
    package static func isReserved(_ username: String) -> Bool {
        if Patron.id(ofNeutralName: username) != nil { return true }
        let letters = TextFolding.folded(username).unicodeScalars.filter { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
        }
        let name = String(String.UnicodeScalarView(letters))
        if programs.contains(where: { Username.areAlike($0, name) }) || standIns.contains(name) { return true }
        let colon = name.firstIndex { ":\u{2236}\u{A789}\u{FE55}\u{FF1A}".contains($0) }
        guard let colon else { return false }
        return namespaces.contains(String(name[..<colon]))
    }
}
