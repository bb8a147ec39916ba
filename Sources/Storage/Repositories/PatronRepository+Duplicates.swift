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
