package import Circulation
import TextFormats

extension PatronRepository {
    // The index has no patrons without an address, which SQLite has to be told.
    private static let byEmail = Query(
        """
        SELECT \(columns) FROM patrons
        WHERE email IS NOT NULL AND LOWER(email) = LOWER(?) AND id <> ? ORDER BY id LIMIT ?
        """)
    private static let byBirthDate = Query(
        "SELECT \(columns) FROM patrons WHERE birth_date = ? AND id <> ? ORDER BY id DESC LIMIT ?")
    private static let byName = Query(
        """
        SELECT \(columns) FROM patrons
        WHERE birth_date = ? AND person_key = ? AND person_key <> '' AND id <> ? ORDER BY id LIMIT ?
        """)
    private static let namesakes = Query(
        """
        SELECT id, (
            SELECT MIN(others.id) FROM patrons AS others
            WHERE others.birth_date IS NOT NULL AND others.birth_date = patrons.birth_date
                AND others.person_key = patrons.person_key)
        FROM patrons WHERE {among id} AND person_key <> ''
        """)
    private static let unkeyed = Query("SELECT id, name, surname FROM patrons WHERE id > ? ORDER BY id LIMIT ?")
    private static let keying = Query("UPDATE patrons SET person_key = ? WHERE id = ?")

    private static let bornFrom = Query(
        """
        SELECT \(columns) FROM patrons
        WHERE birth_date IS NOT NULL AND (birth_date, id) > (?, ?) ORDER BY birth_date, id LIMIT ?
        """)
    private static let bornUpTo = Query(
        "SELECT \(columns) FROM patrons WHERE birth_date = ? AND id <= ? ORDER BY id DESC LIMIT ?")
    // SQLite takes no index of an expression for the comparison of both alone.
    private static let addressedFrom = Query(
        """
        SELECT \(columns) FROM patrons
        WHERE email IS NOT NULL AND LOWER(email) >= LOWER(?) AND (LOWER(email), id) > (LOWER(?), ?)
        ORDER BY LOWER(email), id LIMIT ?
        """)
    private static let addressedUpTo = Query(
        """
        SELECT \(columns) FROM patrons
        WHERE email IS NOT NULL AND LOWER(email) = LOWER(?) AND id <= ? ORDER BY id DESC LIMIT ?
        """)

    /// Patrons in the order of their birthdays, those of one by id: the next ones behind a day and an id.
    package func born(after day: Int64, _ id: Int64, limit: Int) throws(StoreError) -> [Patron] {
        try all(Self.bornFrom, [.integer(day), .integer(id), .integer(Int64(limit))])
    }

    /// Those born on a day, up to an id; the latest of them, by id.
    package func born(on day: Int64, upTo id: Int64, limit: Int) throws(StoreError) -> [Patron] {
        try all(Self.bornUpTo, [.integer(day), .integer(id), .integer(Int64(limit))]).reversed()
    }

    /// Patrons in the order of their e-mail addresses, those of one by id: the next ones behind an address and an id.
    package func addressed(after email: String, _ id: Int64, limit: Int) throws(StoreError) -> [Patron] {
        try all(Self.addressedFrom, [.text(email), .text(email), .integer(id), .integer(Int64(limit))])
    }

    /// Those of an e-mail address, up to an id; the latest of them, by id.
    package func addressed(as email: String, upTo id: Int64, limit: Int) throws(StoreError) -> [Patron] {
        try all(Self.addressedUpTo, [.text(email), .integer(id), .integer(Int64(limit))]).reversed()
    }

    /// For each of these patrons who is the oldest of the same name, its words in whatever order, and the same birthday: the
    /// patron or another. Who has no name is left out.
    package func namesakes(of patrons: [Int64]) throws(StoreError) -> [Int64: Int64] {
        var oldest: [Int64: Int64] = [:]
        try transaction.each(Self.namesakes, [.numbers(patrons)]) { row in
            let patron = row.integer()
            oldest[patron] = row.optionalInteger()
            return true
        }
        return oldest
    }

    /// The name of a person as others are compared with it. Of texts that were cut the rows decide.
    static func personKey(name: String, surname: String) -> String {
        IndexedText.of(LikelyDuplicate.personKey("\(name) \(surname)"))
    }

    /// Writes down the names of all patrons as persons are compared, of a store that has none yet.
    func keyPersons() throws(StoreError) {
        var last = Int64.min
        while true {
            let page = try transaction.all(Self.unkeyed, [.integer(last), .integer(Transaction.pageSize)]) { row in
                (id: row.integer(), name: row.text(), surname: row.text())
            }
            guard let end = page.last else { return }
            for patron in page {
                let key = Self.personKey(name: patron.name, surname: patron.surname)
                if !key.isEmpty { try transaction.execute(Self.keying, [.text(key), .integer(patron.id)]) }
            }
            last = end.id
        }
    }

    /// Who may be the same person as a patron: others of the same e-mail address, of the same name and birthday, or born on the
    /// same day, at most `limit` of each.
    package func possibleDuplicates(of patron: Patron, limit: Int64) throws(StoreError) -> [Patron] {
        var found: [Patron] = []
        if let email = patron.email, !email.isEmpty {
            found += try all(Self.byEmail, [.text(email), .integer(patron.id), .integer(limit)])
        }
        if let birthDate = patron.birthDate {
            let (day, name) = (
                StoredValue.integer(Int64(birthDate.dayNumber)),
                StoredValue.text(Self.personKey(name: patron.name, surname: patron.surname))
            )
            found += try all(Self.byName, [day, name, .integer(patron.id), .integer(limit)])
            found += try all(Self.byBirthDate, [day, .integer(patron.id), .integer(limit)])
        }
        var known: Set<Int64> = []
        return found.filter { known.insert($0.id).inserted }
    }
}
