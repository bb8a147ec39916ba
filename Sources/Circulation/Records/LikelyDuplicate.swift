import TextFormats

/// Why two records are likely one and the same person or title.
package enum LikelyDuplicate: String, Hashable, Sendable, CaseIterable {
    case sameEmail = "same_email"
    case sameNameAndBirthDate = "same_name_and_birth_date"
    case nearNameAndBirthDate = "near_name_and_birth_date"
    /// One of them has no ISBN, or neither.
    case sameTitleAndAuthors = "same_title_and_authors"
    /// They are one in the catalogue, and a file calls them differently.
    case sameISBN = "same_isbn"

    package var words: String {
        switch self {
        case .sameEmail: "the same e-mail address"
        case .sameNameAndBirthDate: "the same name and date of birth"
        case .nearNameAndBirthDate: "nearly the same name and the same date of birth"
        case .sameTitleAndAuthors: "the same title and authors"
        case .sameISBN: "the same ISBN, under another title"
        }
    }

    /// Why two patrons are likely one person; nil if they are not.
    package static func of(_ one: Patron, _ other: Patron) -> LikelyDuplicate? { of(Person(one), Person(other)) }

    /// A patron with what is compared, made once for many comparisons.
    package struct Person: Sendable {
        package let patron: Patron
        fileprivate let name: [UnicodeScalar]
        /// The letters of the name, each as a bit.
        let letters: UInt64

        package init(_ patron: Patron) {
            self.patron = patron
            name = Array(personKey("\(patron.name) \(patron.surname)").unicodeScalars)
            letters = name.reduce(0) { $0 | 1 << UInt64($1.value % 64) }
        }

        /// Whether names of these letters may be the same, or nearly: each change of a letter changes two bits at most.
        func mayBeNear(_ others: UInt64) -> Bool {
            (letters ^ others).nonzeroBitCount <= 2 * LikelyDuplicate.mostChanges
        }
    }

    package static func of(_ person: Person, _ another: Person) -> LikelyDuplicate? {
        let (one, other) = (person.patron, another.patron)
        let isBornAlike = one.birthDate != nil && one.birthDate == other.birthDate
        if isBornAlike {
            if !person.name.isEmpty, person.name == another.name { return .sameNameAndBirthDate }
            if areNear(person.name, another.name) { return .nearNameAndBirthDate }
        }
        guard let email = one.email?.lowercased(), !email.isEmpty, email == other.email?.lowercased() else {
            return nil
        }
        // Families share an address.
        let isOther = one.birthDate != nil && other.birthDate != nil && !isBornAlike
        return isOther ? nil : .sameEmail
    }

    /// Why two titles are likely one; nil if they are not. Two ISBNs are two editions.
    package static func of(_ one: Title, _ other: Title) -> LikelyDuplicate? {
        guard one.isbn == nil || other.isbn == nil, one.year == nil || other.year == nil || one.year == other.year,
            TextFolding.folded(one.title) == TextFolding.folded(other.title),
            one.edition == nil || other.edition == nil || one.edition == other.edition
        else { return nil }
        let (left, right) = (one.authors.map(personKey), other.authors.map(personKey))
        return left == right ? .sameTitleAndAuthors : nil
    }

    /// The words of a name in the order of the alphabet: `Hall, Ada` is `Ada Hall`, and `Müller` is `Mueller`.
    package static func personKey(_ name: String) -> String {
        TextFolding.tokens(name).map { word in
            word.replacing("ae", with: "a").replacing("oe", with: "o").replacing("ue", with: "u")
        }.sorted().joined(separator: " ")
    }

    private static let mostChanges = 2

    private static func areNear(_ left: [UnicodeScalar], _ right: [UnicodeScalar]) -> Bool {
        let most = min(left.count, right.count) < 10 ? 1 : mostChanges
        guard min(left.count, right.count) >= 6, abs(left.count - right.count) <= most else { return false }
        return NameSuggestion.distance(left, right) <= most
    }
}
