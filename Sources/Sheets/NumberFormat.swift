/// What the format of a cell makes of its number.
enum NumberFormat: Hashable, Sendable {
    case number
    /// A day, with its time where it has one.
    case date
    case time
    /// The year of a day.
    case year
    /// Digits with zeros before them: `00000`, `0000-000`.
    case digits(String)

    /// Those that files refer to by number alone (ECMA-376, 18.8.30).
    init(builtIn id: Int) {
        switch id {
        case 14...17, 22, 27...31, 36, 50...54, 57, 58: self = .date
        case 18...21, 32...35, 45, 47, 55, 56: self = .time
        default: self = .number
        }
    }

    /// - Parameter code: as the file has it: `[$-409]d\-mmm\-yy;@`
    init(code: String) {
        let letters = Self.letters(of: code)
        let words = letters.lowercased()
        guard words != "general", !words.isEmpty else {
            self = .number
            return
        }
        let hasDay = words.contains("d"), hasYear = words.contains("y") || words.contains("e") && !words.contains("0")
        let hasTime = words.contains("h") || words.contains("s")
        if hasYear, words.allSatisfy({ $0 == "y" }) {
            self = .year
        } else if hasDay || hasYear || words.contains("m") && !hasTime {
            self = .date
        } else if hasTime {
            self = .time
        } else if letters.contains("0"), letters.allSatisfy({ "0-/ ".contains($0) }),
            letters.count(where: { $0 == "0" }) > 1
        {
            self = .digits(letters)
        } else {
            self = .number
        }
    }

    /// The first section without what stands for itself, but for hyphens, slashes and blanks.
    private static func letters(of code: String) -> String {
        var result = ""
        var characters = code[...]
        while let character = characters.popFirst() {
            switch character {
            case ";": return result
            case "\"":
                let quoted = characters.prefix { $0 != "\"" }
                characters = characters[quoted.endIndex...].dropFirst()
            case "[":
                let bracketed = characters.prefix { $0 != "]" }
                characters = characters[bracketed.endIndex...].dropFirst()
                // A count of hours or minutes, which is no time of a day.
                if let first = bracketed.first, "hms".contains(first.lowercased()) { return "0" }
            case "\\":
                if let next = characters.popFirst(), "-/ ".contains(next) { result.append(next) }
            case "_", "*": characters = characters.dropFirst()
            default: result.append(character)
            }
        }
        return result
    }
}
