import Circulation

/// Something that should hold and does not.
package struct IntegrityFinding: Hashable, Sendable {
    /// The invariant's name: `open_loan_status` and the like.
    package var invariant: String
    package var table: String
    /// The row's key.
    package var id: String?
    package var message: String
}

/// Checks what the schema itself can state, for `doctor`. Reads only.
package struct IntegrityRepository {
    let transaction: Transaction

    /// Everything found broken, at most `limit` findings an invariant.
    package func findings(limit: Int64 = 100) throws -> [IntegrityFinding] {
        try Self.findings(limit: limit) { try $0(self) }
    }

    /// The same, each invariant in a transaction of its own, long tables in pages.
    package static func findings(in store: any Store, limit: Int64) throws -> [IntegrityFinding] {
        try findings(limit: limit) { question in try store.read { try question($0.integrity) } }
    }

    private typealias Question = (IntegrityRepository) throws -> [IntegrityFinding]

    private static func findings(
        limit: Int64, _ ask: (Question) throws -> [IntegrityFinding]
    ) throws -> [IntegrityFinding] {
        var findings = try ask { try $0.structure() }
        // In a file that is damaged the rest would fail for the same cause, one way or another.
        guard findings.isEmpty else { return findings }
        findings += try ask { try $0.references() }
        for rule in rules { findings += try ask { try $0.breakers(of: rule, limit) } }
        for derived in [derivedTitles, derivedPatrons] {
            var (found, last): ([IntegrityFinding], Int64?) = ([], .min)
            while let id = last, found.count < limit {
                found += try ask { integrity in
                    let page = try derived(integrity)(id)
                    last = page.last
                    return page.findings
                }
            }
            findings += found.prefix(Int(limit))
        }
        // Whether a title has a word is asked of the index.
        if !findings.contains(where: { $0.invariant == "search_complete" }) {
            findings += try unusedWords(limit, ask)
        }
        findings += try ask { try $0.transaction.counters.findings(limit: limit) }
        return findings
    }

    /// Words that mistyped ones would be mended to, and that no title has.
    private static func unusedWords(
        _ limit: Int64, _ ask: (Question) throws -> [IntegrityFinding]
    ) throws -> [IntegrityFinding] {
        var findings: [IntegrityFinding] = []
        var last: String? = ""
        while let place = last, findings.count < limit {
            findings += try ask { integrity in
                let page = try integrity.transaction.search.unusedWords(
                    after: place, limit: Transaction.pageSize)
                last = page.last
                return page.unused.map { word in
                    IntegrityFinding(
                        invariant: "search_words", table: "search_words", id: word,
                        message: "is kept as a word of titles, and no title has it so")
                }
            }
        }
        return Array(findings.prefix(Int(limit)))
    }

    private func breakers(of rule: Rule, _ limit: Int64) throws(StoreError) -> [IntegrityFinding] {
        try transaction.all(rule.query, [.integer(limit)]) { row in
            IntegrityFinding(
                invariant: rule.invariant, table: rule.table, id: row.optionalText(), message: rule.message)
        }
    }

    private func structure() throws(StoreError) -> [IntegrityFinding] {
        try transaction.connection().structuralFaults().map { fault in
            IntegrityFinding(invariant: "file", table: "", message: fault)
        }
    }

    private func references() throws(StoreError) -> [IntegrityFinding] {
        try transaction.connection().brokenReferences().map { broken in
            IntegrityFinding(
                invariant: "references", table: broken.table, id: broken.id.map { String($0) },
                message: "refers to a row of \(broken.target) that does not exist")
        }
    }
}

// Rules that one statement can find the breakers of.
extension IntegrityRepository {
    private struct Rule: Sendable {
        let invariant: String
        let table: String
        let message: String
        /// Gives the keys of the rows that break it, as texts.
        let query: Query

        init(_ invariant: String, _ table: String, _ message: String, _ text: String) {
            self.invariant = invariant
            self.table = table
            self.message = message
            query = Query(text + " LIMIT ?")
        }
    }

    private static let rules = [
        Rule(
            "one_open_loan", "copies", "has more than one open loan",
            """
            SELECT CAST(copy AS TEXT) FROM loans WHERE returned_at IS NULL AND copy IS NOT NULL
            GROUP BY copy HAVING COUNT(*) > 1 ORDER BY copy
            """),
        Rule(
            "open_loan_status", "copies", "has an open loan, and is neither on loan nor lost",
            """
            SELECT CAST(copies.id AS TEXT) FROM loans JOIN copies ON copies.id = loans.copy
            WHERE loans.returned_at IS NULL AND copies.status NOT IN ('on_loan', 'lost') ORDER BY copies.id
            """),
        Rule(
            "on_loan_status", "copies", "is on loan, and has no open loan",
            """
            SELECT CAST(copies.id AS TEXT) FROM copies
            WHERE copies.status = 'on_loan' AND NOT EXISTS (
                SELECT 1 FROM loans WHERE loans.copy = copies.id AND loans.returned_at IS NULL)
            ORDER BY copies.id
            """),
        Rule(
            "lost_status", "loans", "is open, and its copy is lost without the loan being so, or the other way round",
            """
            SELECT CAST(loans.id AS TEXT) FROM loans JOIN copies ON copies.id = loans.copy
            WHERE loans.returned_at IS NULL
                AND (CASE WHEN loans.lost_at IS NULL THEN 0 ELSE 1 END)
                    <> (CASE WHEN copies.status = 'lost' THEN 1 ELSE 0 END)
            ORDER BY loans.id
            """),
        Rule(
            "shelf_status", "copies", "is on the hold shelf, and no hold has it there",
            """
            SELECT CAST(copies.id AS TEXT) FROM copies
            WHERE copies.status = 'on_hold_shelf' AND NOT EXISTS (
                SELECT 1 FROM holds WHERE holds.held_copy = copies.id AND holds.state = 'shelf')
            ORDER BY copies.id
            """),
        Rule(
            "held_copy_status", "holds", "has a copy set aside that is not where the hold says",
            """
            SELECT CAST(holds.id AS TEXT) FROM holds LEFT JOIN copies ON copies.id = holds.held_copy
            WHERE holds.state IN ('transit', 'shelf') AND (copies.id IS NULL OR copies.status <>
                CASE holds.state WHEN 'shelf' THEN 'on_hold_shelf' ELSE 'in_transit' END)
            ORDER BY holds.id
            """),
        Rule(
            "held_copy_title", "holds", "has a copy set aside that is not what it asks for",
            """
            SELECT CAST(holds.id AS TEXT) FROM holds JOIN copies ON copies.id = holds.held_copy
            WHERE holds.state IN ('transit', 'shelf')
                AND (copies.title <> holds.title OR copies.id <> COALESCE(holds.copy, copies.id)) ORDER BY holds.id
            """),
        Rule(
            "open_hold_complete", "holds", "is open, and lacks patron or title, or waits with a copy set aside",
            """
            SELECT CAST(id AS TEXT) FROM holds WHERE closed_at IS NULL
                AND (patron IS NULL OR title IS NULL OR (state = 'waiting' AND held_copy IS NOT NULL)) ORDER BY id
            """),
        Rule(
            "cover_kept", "titles", "has a cover of which the library keeps no file",
            """
            SELECT CAST(id AS TEXT) FROM titles WHERE cover IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM pictures WHERE pictures.title = titles.id AND pictures.name = titles.cover) ORDER BY id
            """),
        // A name stands in the list between two quotation marks.
        Rule(
            "pictures_kept", "listings", "names other pictures than the library keeps of it",
            """
            SELECT CAST(id AS TEXT) FROM listings WHERE pictures <> '[]'
                AND LENGTH(pictures) - LENGTH(REPLACE(pictures, '"', '')) <> 2 * (
                    SELECT COUNT(*) FROM pictures AS kept WHERE kept.listing = listings.id) ORDER BY id
            """),
        Rule(
            "picture_named", "pictures", "belongs to a title or a listing that does not name it",
            """
            SELECT CAST(pictures.id AS TEXT) FROM pictures
            LEFT JOIN titles ON titles.id = pictures.title LEFT JOIN listings ON listings.id = pictures.listing
            WHERE COALESCE(titles.cover, '') <> pictures.name
                AND COALESCE(listings.pictures, '') NOT LIKE '%"' || pictures.name || '"%' ORDER BY pictures.id
            """),
        Rule(
            "open_loan_complete", "loans", "is open, and lacks patron, title or due time",
            """
            SELECT CAST(id AS TEXT) FROM loans WHERE returned_at IS NULL AND copy IS NOT NULL
                AND (patron IS NULL OR title IS NULL OR due_at IS NULL) ORDER BY id
            """),
        Rule(
            "loan_title", "loans", "is of another title than its copy",
            """
            SELECT CAST(loans.id AS TEXT) FROM loans JOIN copies ON copies.id = loans.copy
            WHERE loans.returned_at IS NULL AND loans.title <> copies.title ORDER BY loans.id
            """),
        Rule(
            "return_after_lending", "loans", "was returned before it was lent, and was not imported so",
            "SELECT CAST(id AS TEXT) FROM loans WHERE returned_at < lent_at AND import_key IS NULL ORDER BY id"),
        Rule(
            "one_currency", "ledger", "is in another currency than the library's",
            """
            SELECT CAST(id AS TEXT) FROM ledger
            WHERE currency <> (SELECT value FROM settings WHERE name = 'library.currency') ORDER BY id
            """),
        Rule(
            "search_complete", "titles", "is missing in the search index",
            """
            SELECT CAST(titles.id AS TEXT) FROM titles
            WHERE NOT EXISTS (SELECT 1 FROM title_search WHERE title_search.{searchKey} = \(Standing.placeOfTitle))
            ORDER BY titles.id
            """),
        Rule(
            "search_complete", "title_search", "stands in the search index and is not a title, or not in its place",
            """
            SELECT CAST(\(Standing.titleAtPlace) AS TEXT) FROM title_search
            WHERE NOT EXISTS (
                SELECT 1 FROM titles WHERE titles.id = \(Standing.titleAtPlace) AND title_search.{searchKey} = \(Standing.placeOfTitle))
            """),
        Rule(
            "standing", "title_standing", "stands in the search as if it had been lent more often than it was",
            """
            SELECT CAST(title AS TEXT) FROM title_standing
            WHERE CASE WHEN standing BETWEEN 1 AND 60 THEN CAST(1 AS {integer}) << CAST(standing - 1 AS INTEGER)
                ELSE \(Int64.max) END > (SELECT COUNT(*) FROM loans WHERE loans.title = title_standing.title)
            ORDER BY title
            """),
        Rule(
            "policy_stored", "loans", "names a policy version that was never stored",
            """
            SELECT CAST(id AS TEXT) FROM loans WHERE policy IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM policy_versions WHERE sha256 = loans.policy) ORDER BY id
            """),
    ]
}

// What is worked out in Swift from other columns must be what it would be worked out to now.
extension IntegrityRepository {
    private static let titles = page("titles", TitleRepository.columns, TitleRepository.table.derivedColumns)
    private static let genres = Query("SELECT genre FROM title_genres WHERE title = ? ORDER BY genre")
    private static let patrons = page("patrons", PatronRepository.columns, PatronRepository.table.derivedColumns)
    private static let words = Query("SELECT word FROM patron_words WHERE patron = ?")

    private static func page(_ table: String, _ columns: String, _ derived: String) -> Query {
        Query("SELECT \(columns), \(derived) FROM \(table) WHERE \(table).id > ? ORDER BY \(table).id LIMIT ?")
    }

    /// - Returns: what is wrong with the next titles by id, and the id of the last one; nil if there was none.
    private func derivedTitles(after id: Int64) throws(StoreError) -> (findings: [IntegrityFinding], last: Int64?) {
        var findings: [IntegrityFinding] = []
        var last: Int64?
        var words: [SpelledWord: Int64] = [:]
        try transaction.each(Self.titles, [.integer(id), .integer(Transaction.pageSize)]) {
            row throws(StoreError) in
            let title = try TitleRepository.table.read(&row)
            last = title.id
            func report(_ invariant: String, _ message: String) {
                findings.append(
                    IntegrityFinding(invariant: invariant, table: "titles", id: String(title.id), message: message))
            }
            if !TitleRepository.table.outdated(title, &row).isEmpty {
                report("sorting_key", "has a sorting key that does not fit its title or author")
            }
            if let texts = try transaction.search.texts(of: title.id), texts != SearchRepository.texts(of: title) {
                report("search_complete", "stands in the search index under other words than its own")
            }
            for word in SpelledWord.words(of: SearchRepository.texts(of: title)) {
                words[word] = title.id
            }
            let genres = try transaction.all(Self.genres, [.integer(title.id)]) { row in row.text() }
            if Set(genres) != Set(title.genres.map(IndexedText.of)) {
                report("genres", "is counted under other genres than its own")
            }
            return true
        }
        for word in try transaction.search.unknown(Set(words.keys)).sorted() {
            findings.append(
                IntegrityFinding(
                    invariant: "search_words", table: "titles", id: words[word].map { String($0) },
                    message: "has a word that mistyped ones are not mended to"))
        }
        return (findings, last)
    }

    private func derivedPatrons(after id: Int64) throws(StoreError) -> (findings: [IntegrityFinding], last: Int64?) {
        var findings: [IntegrityFinding] = []
        var last: Int64?
        try transaction.each(Self.patrons, [.integer(id), .integer(Transaction.pageSize)]) { row throws(StoreError) in
            let patron = try PatronRepository.table.read(&row)
            last = patron.id
            func report(_ invariant: String, _ message: String) {
                findings.append(
                    IntegrityFinding(invariant: invariant, table: "patrons", id: String(patron.id), message: message))
            }
            if !PatronRepository.table.outdated(patron, &row).isEmpty {
                report("patron_keys", "has a key of name or username that does not fit them")
            }
            let words = try transaction.all(Self.words, [.integer(patron.id)]) { row in row.text() }
            if Set(words) != PatronRepository.words(of: patron) {
                report("patron_words", "is found under other words than their own")
            }
            return true
        }
        return (findings, last)
    }
}
