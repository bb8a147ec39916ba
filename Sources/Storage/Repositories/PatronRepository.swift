package import Circulation
import TextFormats

/// The people who borrow, with the words by which they are found.
///
/// With a patron who is removed go notices, blocks and search words. Loans and ledger lines stay, without the patron; so do
/// events, whose payloads name no one.
package struct PatronRepository: RemovableRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Patron>(derived: [
        .init("name_key") { .text(nameKey($0)) }, .init("username_key") { .text(Username.key($0.username)) },
        .init("person_key") { .text(personKey(name: $0.name, surname: $0.surname)) },
        .init("display_key") { .optional($0.displayName.map(DisplayName.key)) },
    ])
    private static let byUsername = Query("SELECT \(columns) FROM patrons WHERE username = ?")
    private static let byUsernameKey = Query("SELECT id, username FROM patrons WHERE username_key = ? ORDER BY id")
    // The index has no patrons without a display name, which SQLite has to be told.
    private static let byDisplayKey = Query(
        "SELECT id FROM patrons WHERE display_key IS NOT NULL AND display_key = ?")
    private static let idByUsername = Query("SELECT id FROM patrons WHERE username = ?")
    private static let byRole = Query("SELECT \(columns) FROM patrons WHERE role = ? ORDER BY id LIMIT ?")
    private static let staff = Query(
        "SELECT \(columns) FROM patrons WHERE role <> 'patron' ORDER BY id LIMIT ?")
    private static let counted = Query("SELECT COUNT(*) FROM patrons")
    private static let locking = Query("SELECT id FROM patrons WHERE id = ? {forUpdate}")

    package func find(username: String) throws(StoreError) -> Patron? {
        try first(Self.byUsername, [.text(username)])
    }

    /// Those whose usernames look like this one, itself among them, by id.
    package func ids(usernamesLike username: String) throws(StoreError) -> [Int64] {
        try transaction.all(Self.byUsernameKey, [.text(Username.key(username))]) { row in
            (id: row.integer(), username: row.text())
        }.filter { Username.areAlike($0.username, username) }.map(\.id)
    }

    /// Whose display name looks like a text.
    package func id(displayNameLike name: String) throws(StoreError) -> Int64? {
        try transaction.first(Self.byDisplayKey, [.text(DisplayName.key(name))]) { row in row.integer() }
    }

    /// The id alone, without reading the patron.
    package func id(username: String) throws(StoreError) -> Int64? {
        try transaction.first(finding(username: username)) { row in row.integer() }
    }

    /// What ``id(username:)`` asks.
    package func finding(username: String) -> BoundQuery { BoundQuery(Self.idByUsername, [.text(username)]) }

    package func count() throws(StoreError) -> Int64 { try transaction.number(Self.counted) }

    /// How many patrons there are of each category; it reads the whole table, for reports that are asked for once.
    package func countsByCategory() throws(StoreError) -> [String: Int64] {
        try transaction.counts(Query(once: "SELECT category, COUNT(*) FROM patrons GROUP BY category"))
    }

    /// Those of a role, by id. All patrons are looked at.
    package func of(role: Patron.Role, limit: Int64) throws(StoreError) -> [Patron] {
        try all(Self.byRole, [.text(role.rawValue), .integer(limit)])
    }

    /// Staff and administrators, by id.
    package func staff(limit: Int64) throws(StoreError) -> [Patron] { try all(Self.staff, [.integer(limit)]) }

    /// Makes other writers of this patron wait, where the database locks by rows; the first lock of a request.
    ///
    /// - Returns: false if there is no such patron.
    package func lock(_ id: Int64) throws(StoreError) -> Bool {
        try transaction.first(locking(id)) { row in row.integer() } != nil
    }

    /// What ``lock(_:)`` asks.
    package func locking(_ id: Int64) -> BoundQuery { BoundQuery(Self.locking, [.integer(id)]) }
}

extension PatronRepository {
    /// Patrons each of whose words - of name, surname, username and e-mail - begin with the words of `text`, ordered
    /// by surname and name. An empty text finds all.
    package func search(_ text: String, limit: Int64 = 50, offset: Int64 = 0) throws(StoreError) -> [Patron] {
        let (condition, values) = Self.condition(text)
        let query = Query(
            once: "SELECT \(Self.columns) FROM patrons\(condition) ORDER BY name_key, id LIMIT ? OFFSET ?")
        return try all(query, values + [.integer(limit), .integer(offset)])
    }

    /// How many patrons ``search(_:limit:offset:)`` finds in all.
    package func searchCount(_ text: String) throws(StoreError) -> Int64 {
        let (condition, values) = Self.condition(text)
        return try transaction.number(Query(once: "SELECT COUNT(*) FROM patrons\(condition)"), values)
    }

    private static func condition(_ text: String) -> (String, [StoredValue]) {
        let words = TextFolding.tokens(text).map(IndexedText.of)
        if words.isEmpty {
            return TextFolding.folded(text).allSatisfy(\.isWhitespace) ? ("", []) : (" WHERE 1 = 0", [])
        }
        let condition = words.map { _ in
            "patrons.id IN (SELECT patron FROM patron_words WHERE word >= ? AND word < ?)"
        }
        // The scalar behind all others ends the range of words with that beginning.
        let bounds = words.flatMap { [StoredValue.text($0), .text($0 + "\u{10FFFF}")] }
        return (" WHERE " + condition.joined(separator: " AND "), bounds)
    }
}
