/// The rows that a grown store has.
extension GrownStore {
    private static let count = 10_000
    private static let branch = "'branch' || (1000001 + i % 40)"
    private static let category = "'category' || (1000001 + i % 40)"
    private static let itemType = "'type' || (1000001 + i % 40)"
    private static let location = "'place' || (1000001 + i % 40)"

    /// Rows of a table: its columns, and for each the expression that makes it out of the number `i`.
    private static func rows(_ table: String, _ columns: KeyValuePairs<String, String>, count: Int = count) -> String {
        let names = columns.map(\.key).joined(separator: ", ")
        let values = columns.map(\.value).joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(names))
            WITH RECURSIVE numbers (i) AS (
                SELECT 1000001 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(1_000_000 + count))
            SELECT \(values) FROM numbers;
            """
    }

    /// Every tenth has an ISBN, every other loan is open.
    static var growth: String { (codes + catalogue + people + market + history).joined(separator: "\n") }

    /// Branches, categories and item types of a large library, which share its copies and patrons among them.
    private static var codes: [String] {
        [
            rows("branches", ["code": "'branch' || i", "position": "i", "name": "'B'", "calendar": "''"], count: 40),
            rows("categories", ["code": "'category' || i", "position": "i", "name": "'C'"], count: 40),
            rows("item_types", ["code": "'type' || i", "position": "i", "name": "'T'"], count: 40),
            rows("locations", ["code": "'place' || i", "position": "i", "name": "'P'"], count: 40),
        ]
    }

    /// Values of ``EveryOperation/references``.
    private static let references = "REPLACE('{}', '}', '\"kin\": ' || i || ', \"follows\": ' || i || '}')"

    private static var catalogue: [String] {
        [
            rows(
                "titles",
                [
                    "id": "i", "isbn": "CASE WHEN i % 10 = 0 THEN '' || (9780000000000 + i) END",
                    "title": "'Title ' || i", "title_key": "'title ' || i", "authors": "'[]'",
                    "author_key": "'a ' || i",
                    "year": "1900 + i % 100", "genres": "'[]'", "subjects": "'[]'", "courses": "'[]'",
                    "recommended": "CASE WHEN i % 500 = 0 THEN 1 ELSE 0 END", "extra": references,
                    "series": "CASE WHEN i % 10 = 0 THEN 's' || (i % 100) END",
                    "series_key": "CASE WHEN i % 10 = 0 THEN 's' || (i % 100) END",
                    "series_place": "CASE WHEN i % 10 = 0 THEN '' || i END",
                ]),
            rows("title_standing", ["title": "i", "standing": "1"]),
            rows("title_genres", ["title": "i", "genre": "'genre ' || (i % 50)"]),
            rows("search_words", ["word": "'word' || i", "tail": "i || 'drow'"]),
            rows(
                "copies",
                [
                    "id": "i", "barcode": "'grown-' || i", "title": "i", "branch": branch, "item_type": itemType,
                    "location": location,
                    "status": "CASE WHEN i % 2 = 0 THEN 'on_loan' ELSE 'available' END", "extra": references,
                ]),
            rows("marc_records", ["title": "i", "record": "'{}'"]),
            rows(
                "pictures",
                [
                    "id": "i", "name": "'picture ' || i", "title": "i", "small_width": "1", "small_height": "1",
                    "small": "'/9j/2Q=='", "width": "1", "height": "1", "whole": "'/9j/2Q=='",
                ]),
            rows("book_data", ["id": "i", "isbn": "'' || (9780000000000 + i)", "asked_at": "i"]),
        ]
    }

    /// On PostgreSQL the words of titles are rows.
    static var growthOfSearch: String {
        rows(
            "title_search",
            [
                "place": "i", "title": "'title ' || i", "author": "'a ' || i", "isbn": "''", "course": "''",
                "college": "''", "publisher": "''", "genre": "'genre ' || (i % 50)",
            ])
    }

    private static var people: [String] {
        [
            rows(
                "patrons",
                [
                    "id": "i", "username": "'grown' || i", "username_key": "'grown' || i", "name": "'N'",
                    "surname": "'S'", "name_key": "'s ' || i",
                    "email": "i || '@example.org'", "category": category, "home_branch": branch,
                    "role": "'patron'", "extra": references, "display_name": "'name' || i",
                    "display_key": "'name' || i",
                ]),
            rows("patron_words", ["word": "'word' || i", "patron": "i"]),
            rows(
                "blocks",
                [
                    "id": "i", "patron": "i", "kind": "'note'", "reason": "''", "actions": "1", "created_at": "i",
                    "lifted_at": "i",
                ]),
            rows("known_places", ["id": "i", "patron": "i", "place": "i % 64", "seen_at": "i"]),
            rows(
                "email_changes",
                [
                    "id": "i", "patron": "i", "digest": "'change' || i", "email": "i || '@example.net'",
                    "created_at": "i", "expires_at": "i",
                ]),
            rows("spent_budgets", ["id": "i", "budget": "i", "full_at": "i"]),
            rows("credentials", ["patron": "i", "hash": "'none'", "set_at": "i"]),
            rows(
                "access_tokens",
                [
                    "id": "i", "kind": "'session'", "patron": "i", "digest": "'digest' || i", "label": "''",
                    "created_at": "i", "expires_at": "1900000000000000 + i",
                ]),
            rows(
                "given_answers",
                [
                    "id": "i", "patron": "i", "request_key": "'key' || i", "fingerprint": "''", "answer": "''",
                    "given_at": "i",
                ]),
        ]
    }

    private static var market: [String] {
        [
            rows(
                "listings",
                [
                    "id": "i", "seller": "i", "title": "i", "kind": "CASE WHEN i % 4 = 0 THEN 'donate' ELSE 'sell' END",
                    "quantity": "1", "condition": "''",
                    "edition": "''", "note": "''", "state": "CASE WHEN i % 5 = 0 THEN 'active' ELSE 'withdrawn' END",
                    "created_at": "i", "updated_at": "i",
                ]),
            rows(
                "orders",
                [
                    "id": "i", "buyer": "i", "state": "CASE WHEN i % 20 = 0 THEN 'open' ELSE 'done' END",
                    "lines": "'[]'", "total": "0", "currency": "'EUR'",
                    "placed_at": "i", "closed_at": "CASE WHEN i % 20 > 0 THEN i END",
                ]),
            rows(
                "order_items",
                [
                    "order_id": "i", "position": "0", "listing": "i", "title": "i", "seller": "i", "kind": "'buy'",
                    "label": "''", "quantity": "1", "price": "1", "currency": "'EUR'", "periods": "1", "placed_at": "i",
                ]),
            rows(
                "rentals",
                [
                    "id": "i", "listing": "i", "title": "i", "lender": "i", "borrower": "i", "order_id": "i",
                    "quantity": "1", "price": "1", "currency": "'EUR'", "price_per": "'P1D'", "begun_at": "i",
                    "ends": "20000 + i % 100", "ended_at": "CASE WHEN i % 20 > 0 THEN i END",
                ]),
            rows(
                "cart_lines",
                ["id": "i", "patron": "i", "kind": "'loan'", "title": "i", "quantity": "1", "added_at": "i"]),
            rows(
                "suggestions",
                [
                    "id": "i", "patron": "i", "proposal": "''", "note": "''", "state": "'approved'",
                    "submitted_at": "i", "decided_at": "i",
                ]),
            rows(
                "patron_links",
                [
                    "id": "i", "patron": "i",
                    "other": "CASE WHEN i = 1000001 THEN i + 1 ELSE 1000001 + (i - 1000001) / 20 END",
                    "kind": "CASE WHEN i % 2 = 0 THEN 'guardian' ELSE 'household' END", "added_at": "i",
                ]),
            rows(
                "ratings",
                [
                    "id": "i", "title": "i", "patron": "i", "stars": "1 + i % 5", "review": "'r' || i",
                    "state": "CASE WHEN i % 100 = 0 THEN 'reported' ELSE 'shown' END", "rated_at": "i",
                    "changed_at": "i",
                ]),
            rows("rating_totals", ["id": "i", "ratings": "1", "stars": "1 + i % 5"]),
            rows(
                "title_lists",
                [
                    "id": "i", "patron": "i", "name": "'l' || i", "is_public": "i % 2", "created_at": "i",
                    "taken_down_at": "CASE WHEN i % 100 = 0 THEN i END",
                ]),
            rows("listed_titles", ["id": "i", "list": "i", "title": "i", "added_at": "i"]),
            rows("favourites", ["id": "i", "patron": "i", "title": "i", "added_at": "i"]),
            rows(
                "conversations",
                [
                    "id": "i", "listing": "i", "asker": "i", "owner": "i", "begun_at": "i", "last_at": "i",
                    "messages": "1", "asker_read": "1", "owner_read": "0",
                ]),
            rows(
                "messages",
                ["id": "i", "conversation": "i", "number": "1", "sender": "i", "text": "''", "sent_at": "i"]),
            rows("blocked_writers", ["id": "i", "patron": "i", "writer": "i", "blocked_at": "i"]),
        ]
    }

    private static var history: [String] {
        [
            rows(
                "plugin_values",
                [
                    "id": "i", "plugin": "'p' || (i % 5)", "value_key": "'k' || i", "value": "'1'", "size": "1",
                    "patron": "i",
                ]),
            rows(
                "outgoing_requests",
                [
                    "id": "i", "owner": "'plugin:p' || (i % 5)", "message": "'m' || i", "method": "'POST'",
                    "url": "'https://a.example/'", "place": "'a.example:443'", "type": "''", "headers": "'[]'",
                    "body": "''", "patron": "i", "state": "CASE WHEN i % 20 = 0 THEN 'queued' ELSE 'sent' END",
                    "tries": "1", "created_at": "i", "queued_at": "i", "due_at": "i",
                    "ended_at": "CASE WHEN i % 20 > 0 THEN i END",
                ]),
            rows(
                "loans",
                [
                    "id": "i", "copy": "i", "title": "i", "patron": "i", "category": category,
                    "item_type": itemType, "branch": branch, "lent_at": "1700000000000000 + i",
                    "due_at": "1700001000000000 + i", "due_on": "19675", "due_exact": "0",
                    "returned_at": "CASE WHEN i % 2 = 1 THEN 1700000500000000 + i END", "renewals": "0",
                    "unseen_renewals": "0", "on_site": "0", "claimed_at": "CASE WHEN i % 20 = 4 THEN i END",
                ]),
            rows("sweep_turns", ["loan": "i", "at": "1700000000000000 + i"]),
            rows(
                "circulation_days",
                [
                    "day": "19000 + i % 1000", "branch": branch, "category": category, "item_type": "'type' || i",
                    "loans": "2", "renewals": "1", "returns": "1", "in_house": "0",
                ]),
            rows(
                "title_lendings",
                [
                    "title": "i", "year": "2000 + i % 20", "branch": branch, "loans": "2", "renewals": "1",
                    "returns": "1",
                    "in_house": "0",
                ]),
            rows(
                "holds",
                [
                    "id": "i", "title": "i", "patron": "i", "pickup_branch": branch, "placed_at": "i",
                    "queued_at": "i", "priority": "0", "expires_on": "20000 + i % 100",
                    "state": "CASE WHEN i % 20 = 0 THEN 'waiting' ELSE 'cancelled' END",
                    "closed_at": "CASE WHEN i % 20 = 0 THEN NULL ELSE i END",
                ]),
            rows(
                "in_house_uses",
                ["id": "i", "copy": "i", "title": "i", "branch": branch, "used_at": "1700000000000000 + i"]),
            rows(
                "notices",
                [
                    "id": "i", "kind": "'overdue'", "subject_key": "'loan:' || i", "patron": "i", "loan": "i",
                    "due_at": "i", "stage": "'first'", "repetition": "0", "channel": "'email'", "subject": "''",
                    "body": "''", "state": "CASE WHEN i % 20 = 0 THEN 'sent' ELSE 'read' END", "created_at": "i",
                    "tries": "1", "carried_by": "CASE WHEN i % 20 = 7 THEN i - 1 END",
                ]),
            rows(
                "deliveries",
                [
                    "notice": "i", "channel": "'email'", "tried_at": "i", "held_until": "i",
                    "message": "CASE WHEN i % 5 = 0 THEN 'm' || (i / 20) END",
                ]),
            rows(
                "ledger",
                [
                    "id": "i", "entry_key": "'fine:loan:' || i", "patron": "i", "loan": "i", "kind": "'fine'",
                    "amount": "100", "currency": "'EUR'", "label": "''", "at": "i",
                ]),
            rows(
                "events",
                [
                    "sequence": "i", "at": "1700000000000000 + i", "actor": "'desk'", "kind": "'loan.lent'",
                    "version": "1", "payload": "''", "request_id": "'request ' || i", "ordinal": "0", "patron": "i",
                    "copy": "i", "loan": "i",
                ]),
            rows(
                "decision_log",
                [
                    "id": "CAST(i AS BIGINT) * 1048576", "event": "i", "ordinal": "0", "point": "'loan'",
                    "answer": "'yes'", "case_json": "''",
                    "decision_json": "''",
                ]),
            rows(
                "job_runs",
                [
                    "id": "i", "job": "'Nightly'", "planned_at": "i", "version": "'1'", "state": "'succeeded'",
                    "tries": "1", "output": "''", "mail_tries": "0",
                ]),
        ]
    }
}
