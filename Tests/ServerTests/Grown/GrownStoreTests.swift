import Testing

@Suite("What is asked of a grown store")
struct GrownStoreTests {
    /// Statements, by words of theirs, that may walk through a table that grows.
    private struct Exception {
        let words: String
        /// Why they may.
        let reason: Comment
        /// Where they do.
        var stores = GrownStore.allCases
    }

    private static let exceptions = [
        Exception(words: "COUNT(*) FROM patrons", reason: "the number beside a list of all patrons"),
        Exception(words: "COUNT(*) FROM titles", reason: "the number beside a list of all titles"),
        Exception(
            words: "COUNT(*) FROM loans WHERE returned_at IS NULL AND copy IS NOT NULL",
            reason: "open loans, counted in an index that holds no others", stores: [.postgres]),
        Exception(
            words: "copies.status = 'available')", reason: "a page is soon full: most titles have an available copy"),
        Exception(
            words: "copies.status = 'available' LIMIT",
            reason: "read in an index of available copies, as far as the statement says"),
        Exception(
            words: "ORDER BY place LIMIT", reason: "a walk in the order of places, as far as the statement says",
            stores: [.postgres]),
        Exception(
            words: "copies.status NOT IN ('lost', 'withdrawn')", reason: "a report about the whole collection"),
        Exception(words: "FROM circulation_days", reason: "a report about all days, by rows of counts"),
        Exception(words: "FROM title_lendings", reason: "a report about all that was lent, by rows of counts"),
        Exception(
            words: "AS movements", reason: "all of the past is counted anew after the zone has changed",
            stores: [.sqlite]),
        Exception(words: "balances.owed", reason: "a report about all accounts", stores: [.postgres]),
        Exception(words: "AS figure FROM titles", reason: "a report about the whole collection", stores: [.sqlite]),
        Exception(words: "AS figure FROM patrons", reason: "a report about all patrons", stores: [.sqlite]),
        Exception(words: "GROUP BY loans.title", reason: "a report about all that was lent in a time"),
        Exception(
            words: "(state = 'failed' OR state = 'queued' OR state = 'sent')",
            reason: "unread notices are among the newest, where the walk begins"),
        Exception(
            words: "WHERE extra <> '{}' AND (", reason: "values are brought into form when a field is first declared"),
        Exception(
            words: "DELETE FROM deliveries WHERE tried_at",
            reason: "what was tried lately, cleared once per run of the delivery"),
        Exception(words: "FROM job_runs WHERE", reason: "runs of the schedule, which are kept for some weeks"),
        Exception(words: "DELETE FROM sweep_turns", reason: "all of them, where a sweep asks of every loan anew"),
        Exception(
            words: "rentals WHERE ended_at IS NOT NULL", reason: "it passes over open rentals alone, which are few"),
    ]

    /// Statements by a state or a word for which PostgreSQL walks in the order of the answer while it does not know the value:
    /// it takes each for a large part of the table. For a rare one, which it knows when it plans, it takes the index.
    private static let valuesNotKnown = [
        "listings WHERE", "suggestions WHERE state =", "orders WHERE state =", "title_search JOIN titles",
        "AS place FROM title_search",
    ]

    /// Statements by a range or a list of which PostgreSQL guesses that it holds a third of a table that it knows nothing of. It
    /// knows what is in its tables as soon as they were analysed, which it does by itself.
    private static let guessed = [
        "DELETE FROM access_tokens WHERE expires_at", "INSERT INTO title_standing",
        "SELECT order_id FROM order_items WHERE seller", "SELECT patron FROM patron_words WHERE word",
        "FROM events WHERE kind IN", "title_search", "JOIN events AS lending",
    ]

    /// What a library says of itself, of which there are dozens at most.
    private static let steady: Set<String> = [
        "branches", "categories", "item_types", "job_marks", "locations", "plugin_changes", "plugin_failures",
        "plugin_versions",
        "plugins", "policy_activations", "policy_versions", "settings", "signing_secrets",
        "standing_reached", "sweep_reached", "webhooks",
    ]

    @Test("every table is one that grows, with rows in the grown store, or one of a library's settings")
    func tables() throws {
        let (grown, all) = try GrownStore.tables()
        for table in Plan.growing.subtracting(["title_search"]) {
            #expect(all.contains(table) && grown[table, default: 0] >= 1_000, "\(table)")
        }
        #expect(all.subtracting(Plan.growing) == Self.steady)
    }

    @Test("no statement of the program walks through a table that grows", arguments: GrownStore.allCases)
    func plans(kind: GrownStore) async throws {
        let plans = try await kind.plans { store in
            var operations = try EveryOperation(store)
            try await operations.perform()
            #expect(operations.carriedOut.count > 110)
        }
        #expect(plans.count > 200)
        var used: Set<String> = []
        for (statement, found) in plans.sorted(by: { $0.key < $1.key }) {
            for plan in found where !plan.faults.isEmpty {
                let exceptions = Self.exceptions.filter { statement.contains($0.words) }
                used.formUnion(exceptions.map(\.words))
                if !exceptions.isEmpty { continue }
                if kind == .postgres && Self.valuesNotKnown.contains(where: statement.contains) { continue }
                if !plan.isInformed && Self.guessed.contains(where: statement.contains) { continue }
                Issue.record("\(statement)\n  -> \(plan.faults)")
            }
        }
        for exception in Self.exceptions where exception.stores.contains(kind) {
            #expect(used.contains(exception.words), exception.reason)
        }
    }
}
