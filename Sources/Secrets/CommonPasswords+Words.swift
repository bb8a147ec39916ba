// Passwords made of words that say what the account is or that it is new, with or without one frequent password.
extension CommonPasswords {
    /// Roles and places of a library and its computers, and what is said of a password until a person chooses one; with the small
    /// words that join them.
    private static let expected: Set<String> = Set(
        """
        admin administrator administration adm root superuser superadmin sysadmin sysop operator manager owner master webmaster
        staff librarian librarians patron patrons member members user users guest visitor customer reader readers employee
        library libraries public shelf desk front circulation catalogue catalog book books bookshop school university college
        system server service support computer account accounts database office console terminal website online
        login logon signin signup access change changeme changeit changethis please default initial first new old temp temporary
        test tests testing tester demo sample example setup install installation config secret private secure security safe
        pass passw passwd password passwords passphrase passcode pwd pswd key code word welcome hello letmein let enter open
        start begin none nothing blank empty reset update remember forgot forgotten trust today now later soon asap here
        this that the your my our is it me you us for to in
        bibliothek bücherei verwaltung verwalter benutzer kennwort passwort geheim willkommen mitarbeiter
        bibliothèque bibliotheque administrateur utilisateur motdepasse bienvenue
        biblioteca administrador usuario contraseña contrasena bienvenido wachtwoord hasło haslo
        пароль админ администратор библиотека
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Digits and signs that stand for a letter, beside what ``letters`` has: some are read in two ways.
    private static let otherLetters: [Character: Character] = [
        "1": "l", "!": "l", "|": "l", "9": "g", "2": "z", "(": "c",
    ]

    /// Longer words are neither in the list nor above.
    private static let longestWord = 24
    /// Longer passwords are not looked at in this way.
    private static let longestReading = 256

    /// Whether nothing but words that are expected, digits, signs and one frequent password, however often, stands in a password.
    ///
    /// - Parameter others: in small letters.
    static func isMadeOfOneWord(_ folded: String, _ others: Set<String>) -> Bool {
        guard folded.count <= longestReading else { return false }
        let reading = Reading(folded, known: expected.union(others.filter { $0.count > 2 }))
        if reading.isCovered(by: nil) { return true }
        return reading.nextWords().contains { reading.isCovered(by: $0) }
    }

    /// A password as those read it who know that digits and signs may stand for letters.
    private struct Reading {
        private let plain: [Character]
        private let spellings: [[Character]]
        private let known: Set<String>

        init(_ folded: String, known: Set<String>) {
            plain = Array(folded)
            self.known = known
            let usual = plain.map { CommonPasswords.letters[$0] ?? $0 }
            let other = plain.map { CommonPasswords.otherLetters[$0] ?? CommonPasswords.letters[$0] ?? $0 }
            spellings = other == usual ? [usual] : [usual, other]
        }

        /// The words that may stand at a place: half of their letters at least are letters.
        private func words(at place: Int) -> [String] {
            var words: [String] = []
            var letters = 0
            for end in place..<min(plain.count, place + CommonPasswords.longestWord) {
                if plain[end].isLetter { letters += 1 }
                let length = end - place + 1
                guard length > 1, letters * 2 >= length else { continue }
                for spelling in spellings { words.append(String(spelling[place...end])) }
            }
            return words
        }

        /// How far from the beginning each place is reached by what is expected, digits, signs and one word: 0 where it is not,
        /// 2 by way of a word of four letters at least, or else 1.
        private func reached(by word: String?) -> [Int] {
            var reached = [Int](repeating: 0, count: plain.count + 1)
            reached[0] = 1
            for place in plain.indices where reached[place] > 0 {
                if !plain[place].isLetter { reached[place + 1] = max(reached[place + 1], reached[place]) }
                for found in words(at: place) where found == word || known.contains(found) {
                    let end = place + found.count
                    reached[end] = max(reached[end], found.count >= 4 ? 2 : reached[place])
                }
            }
            return reached
        }

        func isCovered(by word: String?) -> Bool { reached(by: word)[plain.count] == 2 }

        /// The frequent passwords that get further than what is expected does.
        func nextWords() -> Set<String> {
            let reached = reached(by: nil)
            let furthest = reached.lastIndex { $0 > 0 } ?? 0
            var next: Set<String> = []
            for place in reached.indices.dropLast() where reached[place] > 0 {
                for word in words(at: place)
                where word.count >= 4 && place + word.count > furthest && CommonPasswords.list.contains(word) {
                    next.insert(word)
                }
            }
            return next
        }
    }
}
