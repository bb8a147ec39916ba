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
        "SELECT \(columns) FROM patrons WHERE name_key = ? AND id <> ? ORDER BY id LIMIT ?")

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

    /// Who may be the same person as a patron: others of the same e-mail address, the same name, or born on the same day, at most
    /// `limit` of each.
    package func possibleDuplicates(of patron: Patron, limit: Int64) throws(StoreError) -> [Patron] {
        var found: [Patron] = []
        if let email = patron.email, !email.isEmpty {
            found += try all(Self.byEmail, [.text(email), .integer(patron.id), .integer(limit)])
        }
        if let birthDate = patron.birthDate {
            found += try all(Self.byName, [.text(Self.nameKey(patron)), .integer(patron.id), .integer(limit)])
            found += try all(
                Self.byBirthDate, [.integer(Int64(birthDate.dayNumber)), .integer(patron.id), .integer(limit)])
        }
        var known: Set<Int64> = []
        return found.filter { known.insert($0.id).inserted }
    }
}
