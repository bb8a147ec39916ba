/// Passwords that are guessed first: those that very many people have, and what is made of them by habit.
package enum CommonPasswords {
    /// Whether a password would be among the first guesses.
    ///
    /// It is so if it stands in the list of frequent passwords that is part of the program; if it does so, or is one of
    /// `others`, once digits and signs around it are left away and letters stand for the digits and signs that replace
    /// them (`P@ssw0rd2026!`); if it repeats a part of at most four characters or a frequent password
    /// (`abcabcabcabc`, `monkey-monkey`); if it has fewer than five different characters; if its characters follow each other
    /// in the alphabet or on a keyboard, in parts of three at least (`123456789012`, `123qweasdzxc`); if one of `others`
    /// stands in it beside hardly anything but digits and signs; or if it is made of one frequent password, of the words of roles
    /// and of setting things up, of `others`, of digits and of signs, however often and in whatever order
    /// (`Pa55w0rd!Pa55w0rd!`, `changemeplease`, `library-admin-2026`).
    ///
    /// NIST SP 800-63B, section 5.1.1.2, asks for all of these.
    ///
    /// - Parameter others: words close to the person, such as the username.
    package static func contain(_ password: String, others: [String] = []) -> Bool {
        let folded = password.lowercased()
        let others = Set(others.map { $0.lowercased() }.filter { !$0.isEmpty })
        func isKnown(_ text: String) -> Bool { list.contains(text) || others.contains(text) }
        let start = withoutEnd(folded[...])
        let core = start.drop { !$0.isLetter }
        let forms = [folded, lettered(folded[...]), String(core), lettered(core), lettered(start)]
        let whole = [folded, String(core)]
        let spoken = whole.map { text in text.filter { $0.isLetter || $0.isNumber } }
        return forms.contains(where: isKnown) || isRun(folded) || Set(folded).count < 5 || isMadeOfRuns(folded)
            || (whole + spoken).contains { $0.count * 2 >= folded.count && repeats($0, isKnown) }
            || others.contains { isHardlyMore(folded, than: $0) } || isMadeOfOneWord(folded, others)
    }

    /// The password without the digits and signs that it ends with.
    private static func withoutEnd(_ password: Substring) -> Substring {
        password[..<(password.lastIndex(where: \.isLetter).map(password.index(after:)) ?? password.startIndex)]
    }

    static let letters: [Character: Character] = [
        "@": "a", "4": "a", "8": "b", "3": "e", "6": "g", "1": "i", "!": "i", "0": "o", "5": "s", "$": "s", "7": "t",
        "+": "t",
    ]

    /// The password with letters for the digits and signs that look like them.
    private static func lettered(_ password: Substring) -> String { String(password.map { letters[$0] ?? $0 }) }

    /// Whether each character is the one before it, or each the next one, or each the one before in the alphabet.
    private static func isRun(_ password: String) -> Bool {
        let values = password.unicodeScalars.map { Int64($0.value) }
        let steps = zip(values, values.dropFirst()).map { before, after in
            // After 9 comes 0.
            before == 57 && after == 48 ? 1 : before == 48 && after == 57 ? -1 : after - before
        }
        guard let first = steps.first else { return true }
        return abs(first) <= 1 && steps.allSatisfy { $0 == first }
    }

    /// Whether a name of three characters at least stands in the password, and beside it fewer than four letters.
    private static func isHardlyMore(_ password: String, than name: String) -> Bool {
        guard name.count > 2, password.contains(name) else { return false }
        return password.replacing(name, with: "").filter(\.isLetter).count < 4
    }

    /// The rows of the keyboards that are most used, and the alphabet.
    private static let rows = [
        "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm",
        "wxcvbn", "abcdefghijklmnopqrstuvwxyz", "йцукенгшщзх", "фывапролджэ", "ячсмитьбю",
    ]

    private static let neighbours: Set<String> = {
        var pairs: Set<String> = []
        for row in rows {
            for (left, right) in zip(row, row.dropFirst()) { pairs.formUnion(["\(left)\(right)", "\(right)\(left)"]) }
        }
        return pairs
    }()

    /// Whether the password is made of parts that follow a row, of three characters each in the mean.
    private static func isMadeOfRuns(_ password: String) -> Bool {
        let parts = 1 + zip(password, password.dropFirst()).count { !neighbours.contains("\($0)\($1)") && $0 != $1 }
        return parts * 3 <= password.count
    }

    /// Whether the password is one short part, or one that many people have, over and over.
    private static func repeats(_ password: String, _ isKnown: (String) -> Bool) -> Bool {
        let characters = Array(password)
        guard characters.count > 1 else { return true }
        return (1...(characters.count / 2)).contains { length in
            guard length <= 4 || isKnown(String(characters[..<length])) else { return false }
            return characters.indices.allSatisfy { characters[$0] == characters[$0 % length] }
        }
    }

    static let list: Set<String> = {
        let lines = PackageResources.CommonPasswords_txt.split(separator: UInt8(ascii: "\n"))
        return Set(lines.filter { $0.first != UInt8(ascii: "#") }.map { String(decoding: $0, as: UTF8.self) })
    }()
}
