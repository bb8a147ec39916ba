import Foundation

/// How a database answers a statement.
struct Plan {
    /// Tables that grow with what happens in a library, unlike its settings.
    static let growing: Set<String> = [
        "titles", "title_genres", "title_search", "search_words", "copies", "patrons", "patron_words", "blocks",
        "loans", "notices",
        "ledger", "events", "decision_log", "holds", "in_house_uses", "listings", "orders", "order_items", "rentals",
        "cart_lines", "suggestions", "favourites", "credentials", "access_tokens", "given_answers", "deliveries",
        "job_runs", "book_data", "known_places", "email_changes",
        "spent_budgets", "circulation_days", "title_lendings", "title_standing", "plugin_values",
        "outgoing_requests", "conversations", "messages", "blocked_writers", "sweep_turns", "marc_records",
        "patron_links", "pictures", "ratings", "rating_totals", "title_lists", "listed_titles",
    ]

    /// Indexes of the few rows that are in one state: a walk through all of one reads what is wanted and no more.
    static let selective: Set<String> = [
        "notices_queued", "notices_failed", "loans_lost", "job_runs_unfinished", "job_runs_to_mail", "orders_open",
        "rentals_open", "rentals_open_by_id", "titles_recommended", "ratings_reported",
        "outgoing_requests_waiting", "outgoing_requests_telling", "patrons_of_staff", "title_lists_of_all",
        "title_lists_taken_down", "holds_open",
    ]

    /// Whether the database knew what is in its tables.
    var isInformed = true
    let lines: [String]
    /// What walks through all of a growing table, in the database's words.
    let faults: [String]

    /// Whether a walk in the order of a key ends with the page that was asked for: it passes over no row on the way.
    private static func isBounded(_ statement: String) -> Bool {
        statement.contains("LIMIT") && !statement.replacing("WHERE 1 = 1", with: "").contains("WHERE")
            && !statement.contains("GROUP BY")
    }

    init(statement: String, sqlite lines: [String]) {
        self.lines = lines
        // Inside a walk over what a foreign key or a subquery found a further table may be named otherwise.
        let aliases = Self.aliases(in: statement)
        faults = lines.filter { line in
            let words = line.split(separator: " ")
            guard words.count > 1 else { return false }
            let table = aliases[String(words[1])] ?? String(words[1])
            guard Self.growing.contains(table), !Self.selective.contains(where: line.contains) else { return false }
            if words[0] == "SCAN" { return !line.contains("VIRTUAL TABLE") && !Self.isBounded(statement) }
            return Self.isMisled(line, statement)
        }
    }

    /// A unique index is taken for rows that have nothing in its column, as if there were one of them.
    private static func isMisled(_ line: String, _ statement: String) -> Bool {
        guard let match = line.firstMatch(of: #/INDEX (sqlite_autoindex_\w+) \((\w+)=\?\)/#) else { return false }
        return statement.contains("\(match.2) IS NULL") && !statement.contains("\(match.2) = ?")
    }

    private static func aliases(in statement: String) -> [String: String] {
        var aliases: [String: String] = [:]
        for match in statement.matches(of: #/(?:FROM|JOIN)\s+(\w+)\s+AS\s+(\w+)/#) {
            aliases[String(match.2)] = String(match.1)
        }
        return aliases
    }

    init(statement: String, postgres lines: [String]) {
        self.lines = lines
        var faults: [String] = []
        for (number, line) in lines.enumerated() {
            guard let match = line.firstMatch(of: #/(Seq Scan|Index Scan|Index Only Scan).* on (\w+)/#),
                Self.growing.contains(String(match.2)), !Self.selective.contains(where: line.contains)
            else { continue }
            let depth = Self.depth(line)
            let details = lines[(number + 1)...].prefix { Self.depth($0) > depth && !$0.contains("->  ") }
            let isFound = details.contains { $0.contains("Index Cond:") }
            let isFiltered = details.contains { $0.contains("Filter:") }
            if match.1 == "Seq Scan" || !isFound {
                // What ends after a number of rows walks no further than those, where none is passed over.
                let isLimited = lines[..<number].contains { $0.contains("Limit") } && !isFiltered
                if !isLimited || !Self.isBounded(statement) { faults.append(line) }
            }
        }
        self.faults = faults
    }

    private static func depth(_ line: String) -> Int { line.prefix { $0 == " " }.count }
}
