package import Circulation

/// Hashes of passwords, and digests of tokens. They stand outside of the events.
package struct CredentialRepository {
    let transaction: Transaction

    private static let getByUsername = Query(
        """
        SELECT patrons.id, credentials.hash FROM patrons JOIN credentials ON credentials.patron = patrons.id
        WHERE patrons.username = ? AND credentials.closed_at IS NULL AND credentials.hash <> ''
        """)
    private static let set = Query(
        """
        INSERT INTO credentials (patron, hash, set_at) VALUES (?, ?, ?)
        ON CONFLICT (patron) DO UPDATE SET hash = excluded.hash, set_at = excluded.set_at
        """)
    private static let renewal = Query("UPDATE credentials SET hash = ? WHERE patron = ? AND hash = ?")

    private static let columns = "id, kind, patron, digest, label, created_at, expires_at, scope, most_role"
    private static let insertion = Query(
        "INSERT INTO access_tokens (\(columns)) VALUES ({id access_tokens}, ?, ?, ?, ?, ?, ?, ?, ?)")
    private static let byDigest = Query("SELECT \(columns) FROM access_tokens WHERE digest = ?")
    private static let byPatron = Query(
        "SELECT \(columns) FROM access_tokens WHERE patron = ? AND kind = ? ORDER BY id")
    private static let removal = Query("DELETE FROM access_tokens WHERE id = ?")
    private static let removalOfKind = Query("DELETE FROM access_tokens WHERE patron = ? AND kind = ?")
    private static let clearing = Query("DELETE FROM access_tokens WHERE expires_at < ?")

    /// Whose a username is, and the hash of their password; nil where there is no such patron, none was ever set, or the account is
    /// closed.
    /// One question in every case, so that its duration reveals nothing.
    package func hash(ofUsername username: String) throws(StoreError) -> (patron: Int64, hash: String)? {
        try transaction.first(Self.getByUsername, [.text(username)]) { row in (row.integer(), row.text()) }
    }

    package func setHash(_ hash: String, of patron: Int64, at moment: Instant) throws(StoreError) {
        try transaction.execute(Self.set, [.integer(patron), .text(hash), .instant(moment)])
    }

    /// Puts another hash of the same password in the place of one, unless the password was changed meanwhile.
    package func renewHash(_ hash: String, of patron: Int64, insteadOf former: String) throws(StoreError) {
        try transaction.execute(Self.renewal, [.text(hash), .integer(patron), .text(former)])
    }

    // MARK: - Open and closed

    private static let closing = Query(
        """
        INSERT INTO credentials (patron, hash, set_at, closed_at) VALUES (?, '', ?, ?)
        ON CONFLICT (patron) DO UPDATE SET closed_at = excluded.closed_at
        """)
    private static let opening = Query("UPDATE credentials SET closed_at = NULL WHERE patron = ?")
    private static let standingOf = Query(
        """
        SELECT patron, CASE WHEN hash <> '' THEN 1 ELSE 0 END, closed_at,
            (SELECT MAX(seen_at) FROM known_places WHERE known_places.patron = credentials.patron)
        FROM credentials WHERE {among patron}
        """)

    /// How accounts stand, by their patrons; who never had a password, and was never closed, is left out.
    package func standings(of patrons: [Int64]) throws(StoreError) -> [Int64: AccountStanding] {
        var standings: [Int64: AccountStanding] = [:]
        try transaction.each(Self.standingOf, [.numbers(patrons)]) { row in
            standings[row.integer()] = AccountStanding(
                hasPassword: row.flag(), closedAt: row.optionalInstant(), lastLogInAt: row.optionalInstant())
            return true
        }
        return standings
    }

    /// Nobody gets in any more. A password is kept, for the day on which the account is opened again.
    package func close(_ patron: Int64, at moment: Instant) throws(StoreError) {
        try transaction.execute(Self.closing, [.integer(patron), .instant(moment), .instant(moment)])
        try removeTokens(of: patron)
        try removeEmailChange(of: patron)
    }

    /// The password that was kept counts again.
    package func open(_ patron: Int64) throws(StoreError) {
        try transaction.execute(Self.opening, [.integer(patron)])
    }

    /// - Returns: the token with its id.
    package func insert(_ token: AccessToken) throws(StoreError) -> AccessToken {
        var token = token
        token.id =
            try transaction.insert(
                Self.insertion,
                [
                    .id(0), .choice(token.kind), .integer(token.patron), .text(token.digest), .text(token.label),
                    .instant(token.createdAt), .optional(token.expiresAt), .text(token.scope.text),
                    .choice(token.mostRole),
                ]) ?? 0
        return token
    }

    package func token(_ digest: String) throws(StoreError) -> AccessToken? {
        try all(Self.byDigest, [.text(digest)]).first
    }

    /// In the order in which they were made.
    package func tokens(of patron: Int64, _ kind: AccessToken.Kind) throws(StoreError) -> [AccessToken] {
        try all(Self.byPatron, [.integer(patron), .choice(kind)])
    }

    /// - Returns: whether it was there: of two that remove a token at once, one gets true.
    package func remove(token id: Int64) throws(StoreError) -> Bool {
        try transaction.execute(Self.removal, [.integer(id)]) == 1
    }

    package func removeTokens(of patron: Int64, _ kind: AccessToken.Kind) throws(StoreError) {
        try transaction.execute(Self.removalOfKind, [.integer(patron), .choice(kind)])
    }

    /// Removes the tokens of every kind.
    package func removeTokens(of patron: Int64) throws(StoreError) {
        for kind in AccessToken.Kind.allCases { try removeTokens(of: patron, kind) }
    }

    /// Removes tokens that were invalid before a moment.
    package func removeTokens(expiredBefore moment: Instant) throws(StoreError) {
        try transaction.execute(Self.clearing, [.instant(moment)])
    }

    // MARK: - Places

    private static let places = Query(
        """
        SELECT known_places.patron, known_places.place FROM patrons JOIN known_places ON known_places.patron = patrons.id
        WHERE patrons.username = ?
        """)
    private static let placesByPatron = Query(
        "SELECT id, place FROM known_places WHERE patron = ? ORDER BY seen_at DESC, id DESC")
    private static let placeInsertion = Query(
        "INSERT INTO known_places (id, patron, place, seen_at) VALUES ({id known_places}, ?, ?, ?)")
    private static let placeUpdate = Query("UPDATE known_places SET seen_at = ? WHERE id = ?")
    private static let placeRemoval = Query("DELETE FROM known_places WHERE id = ?")

    /// The addresses from which a username logged in.
    package func places(ofUsername username: String) throws(StoreError) -> [(patron: Int64, place: Int64)] {
        try transaction.all(Self.places, [.text(username)]) { row in (row.integer(), row.integer()) }
    }

    /// Records the address of a log-in; the latest addresses are kept.
    package func note(place: Int64, of patron: Int64, at moment: Instant, keeping most: Int) throws(StoreError) {
        let known = try transaction.all(Self.placesByPatron, [.integer(patron)]) { row in (row.integer(), row.integer())
        }
        if let same = known.first(where: { $0.1 == place }) {
            try transaction.execute(Self.placeUpdate, [.instant(moment), .integer(same.0)])
        } else {
            for past in known.dropFirst(most - 1) { try transaction.execute(Self.placeRemoval, [.integer(past.0)]) }
            _ = try transaction.insert(
                Self.placeInsertion, [.id(0), .integer(patron), .integer(place), .instant(moment)])
        }
    }

    // MARK: - New addresses

    private static let emailRemoval = Query("DELETE FROM email_changes WHERE patron = ?")
    private static let emailInsertion = Query(
        """
        INSERT INTO email_changes (id, patron, digest, email, created_at, expires_at)
        VALUES ({id email_changes}, ?, ?, ?, ?, ?)
        """)
    private static let emailColumns = "patron, digest, email, created_at, expires_at"
    private static let emailByDigest = Query("SELECT \(emailColumns) FROM email_changes WHERE digest = ?")
    private static let emailByPatron = Query("SELECT \(emailColumns) FROM email_changes WHERE patron = ?")

    /// Puts a new address in the place of one that waits already.
    package func insert(_ change: EmailChange) throws(StoreError) {
        try removeEmailChange(of: change.patron)
        _ = try transaction.insert(
            Self.emailInsertion,
            [
                .id(0), .integer(change.patron), .text(change.digest), .text(change.email),
                .instant(change.createdAt), .instant(change.expiresAt),
            ])
    }

    package func removeEmailChange(of patron: Int64) throws(StoreError) {
        try transaction.execute(Self.emailRemoval, [.integer(patron)])
    }

    package func emailChange(_ digest: String) throws(StoreError) -> EmailChange? {
        try transaction.first(Self.emailByDigest, [.text(digest)]) { row in Self.emailChange(&row) }
    }

    package func emailChange(of patron: Int64) throws(StoreError) -> EmailChange? {
        try transaction.first(Self.emailByPatron, [.integer(patron)]) { row in Self.emailChange(&row) }
    }

    private static func emailChange(_ row: inout RowReader) -> EmailChange {
        EmailChange(
            patron: row.integer(), digest: row.text(), email: row.text(), createdAt: row.instant(),
            expiresAt: row.instant())
    }

    private func all(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> [AccessToken] {
        try transaction.all(query, values) { row throws(StoreError) in
            AccessToken(
                id: row.integer(), kind: try row.choice(), patron: row.integer(), digest: row.text(),
                label: row.text(), createdAt: row.instant(), expiresAt: row.optionalInstant(),
                scope: AccessScope(kept: row.text()), mostRole: try row.choice())
        }
    }
}
