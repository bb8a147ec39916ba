import Circulation
import TextFormats

/// The rows of a grown library, as statements: what belongs to one title or one patron is as much in a small library as in
/// a large one.
struct GrownRows {
    let titles: Int

    var copies: Int { titles * 2 }
    var patrons: Int { max(10, titles * 3 / 10) }
    var openLoans: Int { titles * 3 / 10 }
    var pastLoans: Int { openLoans * 20 }

    private static let now = SampleLibrary.now.microseconds
    private static let day: Int64 = 86_400_000_000
    private static let things = [
        "rivers", "logic", "glass", "migration", "algebra", "gardens", "light", "trade", "bees", "law",
    ]
    private static let words = ["a history of", "the art of", "notes on", "beyond", "an introduction to"]

    var statements: [String] { catalogue + people + loans + business }

    /// What tells one making of rows from another.
    var digest: String {
        var digest = SHA256()
        digest.update(statements.joined(separator: "\n").utf8)
        return digest.finish()
    }

    /// Rows of a table: its columns, and for each the expression that makes it out of the number `i`, from one on.
    private static func rows(_ table: String, _ count: Int, _ columns: KeyValuePairs<String, String>) -> String {
        """
        INSERT INTO \(table) (\(columns.map(\.key).joined(separator: ", ")))
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(count))
        SELECT \(columns.map(\.value).joined(separator: ", ")) FROM numbers
        """
    }

    /// One of some texts, by a number.
    private static func choice(_ texts: [String], _ number: String) -> String {
        let cases = texts.enumerated().map { "WHEN \($0) THEN '\($1)'" }.joined(separator: " ")
        return "CASE (\(number)) % \(texts.count) \(cases) END"
    }

    private static let branch = choice(SampleLibrary.branches, "i")
    private static let category = choice(SampleLibrary.categories.map(\.0), "i")
    private static let itemType = choice(["book", "book", "book", "dvd", "map"], "i / 7")
    private static let thing = choice(things, "i / 5")
    private static let titleKey = "\(choice(words, "i")) || ' ' || \(thing) || ' ' || i"

    /// Every other title has an ISBN of thirteen digits, the last of which checks the others.
    private static var isbn: String {
        let number = "(978000000000 + i)"
        var (power, digits): (Int64, [String]) = (1, [])
        for place in 0..<12 {
            digits.append("\(number) / \(power) % 10 * \(place % 2 == 0 ? 3 : 1)")
            power *= 10
        }
        let check = "(10 - (\(digits.joined(separator: " + "))) % 10) % 10"
        return "CASE WHEN i % 2 = 0 THEN CAST(\(number) * 10 + \(check) AS TEXT) END"
    }

    private static func ago(_ days: String) -> String { "\(now) - (\(days)) * \(day)" }

    private var catalogue: [String] {
        [
            Self.rows(
                "titles", titles,
                [
                    "id": "i", "isbn": Self.isbn, "title": Self.titleKey, "title_key": Self.titleKey,
                    "authors": "'[\"Author ' || (i / 10) || '\"]'", "author_key": "'author ' || (i / 10)",
                    "year": "1900 + i % 125", "language": "'en'", "genres": "'[\"' || \(Self.thing) || '\"]'",
                    "subjects": "'[]'", "courses": "'[]'", "recommended": "CASE WHEN i <= 10 THEN 1 ELSE 0 END",
                    "extra": "'{}'",
                ]),
            Self.rows("title_genres", titles, ["title": "i", "genre": Self.thing]),
            Self.rows(
                "title_search", titles,
                [
                    "rowid": "i", "title": Self.titleKey, "author": "'author ' || (i / 10)", "isbn": "''",
                    "course": "''",
                    "college": "''", "publisher": "''", "genre": Self.thing,
                ]),
            Self.rows(
                "copies", copies,
                [
                    "id": "i", "barcode": "CAST(39041000000000 + i AS TEXT)", "title": "(i + 1) / 2",
                    "branch": Self.branch, "item_type": Self.itemType,
                    "status": "CASE WHEN i % 2 = 0 AND i / 2 <= \(openLoans) THEN 'on_loan' ELSE 'available' END",
                ]),
        ]
    }

    private var people: [String] {
        let names = ["'given ' || (i % 97)", "'family ' || (i % 997)"]
        return [
            Self.rows(
                "patrons", patrons,
                [
                    "id": "i", "username": "'reader' || i", "username_key": "'reader' || i",
                    "name": "'Given ' || (i % 97)",
                    "surname": "'Family ' || (i % 997)", "name_key": "\(names[1]) || ' ' || \(names[0])",
                    "email": "'reader' || i || '@example.org'", "category": Self.category, "home_branch": Self.branch,
                    "language": "'en'", "birth_date": "5000 + i % 10000", "expires_on": "30000", "role": "'patron'",
                    "extra": "'{}'",
                ]),
            Self.rows("patron_words", patrons, ["word": "'reader' || i", "patron": "i"]),
            Self.rows("patron_words", patrons, ["word": "'n' || (i % 997)", "patron": "i"]),
            Self.rows(
                "favourites", titles / 10,
                ["id": "i", "patron": "1 + i % \(patrons)", "title": "i", "added_at": Self.ago("i % 400")]),
        ]
    }
}

extension GrownRows {
    private static let loanColumns = [
        "id", "copy", "title", "patron", "category", "home_branch", "item_type", "branch", "lent_at", "due_at",
        "due_on",
        "due_exact", "original_due_at", "returned_at", "renewals", "unseen_renewals", "on_site", "channel",
    ]

    /// - Parameters:
    ///   - first: the number before the first id.
    ///   - lent: how many days ago.
    ///   - returned: the moment; NULL for open loans.
    private func loans(_ count: Int, after first: Int, copy: String, lent: String, returned: String) -> String {
        let patron = "1 + i % \(patrons)"
        let due = "\(Self.ago(lent)) + 21 * \(Self.day)"
        let values = [
            "\(first) + i", copy, "(\(copy) + 1) / 2", patron, Self.category, Self.branch, Self.itemType, Self.branch,
            Self.ago(lent), due, "(\(due)) / \(Self.day)", "0", due, returned, "0", "0", "0", "'desk'",
        ]
        return """
            INSERT INTO loans (\(Self.loanColumns.joined(separator: ", ")))
            WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(count))
            SELECT \(values.joined(separator: ", ")) FROM numbers
            """
    }

    /// Past ones of the last three years, six of each title and twenty of each patron; open ones of the last month, of which
    /// every fourth is overdue.
    fileprivate var loans: [String] {
        let past = "40 + i * 7 % 1055"
        return [
            loans(
                pastLoans, after: 0, copy: "(1 + i * 7919 % \(copies))", lent: past,
                returned: "\(Self.ago(past)) + 14 * \(Self.day)"),
            loans(openLoans, after: pastLoans, copy: "(2 * i)", lent: "i % 29", returned: "NULL"),
            Self.rows(
                "ledger", openLoans,
                [
                    "id": "i", "entry_key": "'fine:loan:' || i", "patron": "1 + i % \(patrons)", "loan": "i",
                    "kind": "'fine'", "amount": "100", "currency": "'EUR'", "label": "'Fine'",
                    "at": Self.ago("i % 900"),
                ]),
            Self.rows(
                "notices", openLoans,
                [
                    "id": "i", "kind": "'overdue'", "subject_key": "'loan:' || i", "patron": "1 + i % \(patrons)",
                    "loan": "i", "due_at": "i", "stage": "'first'", "repetition": "0", "channel": "'inbox'",
                    "subject": "'Overdue'", "body": "'Please return it.'",
                    "state": "CASE WHEN i % 50 = 0 THEN 'sent' ELSE 'read' END", "created_at": Self.ago("i % 900"),
                    "tries": "1",
                ]),
            Self.rows(
                "events", openLoans,
                [
                    "sequence": "i", "at": Self.ago("i % 900"), "actor": "'desk'", "channel": "'desk'",
                    "kind": "'loan.returned'", "version": "1", "payload": "'{}'", "request_id": "'grown-' || i",
                    "ordinal": "0", "patron": "1 + i % \(patrons)", "loan": "i",
                ]),
        ]
    }

    fileprivate var business: [String] {
        let hold = "CASE WHEN i % 4 = 0 THEN 'waiting' ELSE 'cancelled' END"
        return [
            Self.rows(
                "holds", titles / 5,
                [
                    "id": "i", "title": "i", "patron": "1 + i * 3 % \(patrons)", "pickup_branch": Self.branch,
                    "placed_at": Self.ago("i % 300"), "queued_at": Self.ago("i % 300"), "priority": "0", "state": hold,
                    "closed_at": "CASE WHEN i % 4 > 0 THEN \(Self.ago("i % 300")) END",
                ]),
            Self.rows(
                "in_house_uses", titles / 5,
                [
                    "id": "i", "copy": "i", "title": "(i + 1) / 2", "branch": Self.branch, "item_type": Self.itemType,
                    "used_at": Self.ago("i % 900"),
                ]),
            Self.rows(
                "listings", titles / 10,
                [
                    "id": "i", "seller": "1 + i % \(patrons)", "title": "i", "kind": "'sell'", "price": "500",
                    "currency": "'EUR'", "quantity": "1", "condition": "''", "edition": "''", "note": "''",
                    "state": "CASE WHEN i % 5 = 3 THEN 'active' ELSE 'sold' END", "created_at": Self.ago("i % 900"),
                    "updated_at": Self.ago("i % 900"),
                ]),
            Self.rows(
                "orders", titles / 10,
                [
                    "id": "i", "buyer": "1 + i * 3 % \(patrons)", "state": "'done'", "lines": "'[]'", "total": "500",
                    "currency": "'EUR'", "placed_at": Self.ago("i % 900"), "closed_at": Self.ago("i % 900"),
                ]),
            Self.rows(
                "suggestions", titles / 10,
                [
                    "id": "i", "patron": "1 + i % \(patrons)", "proposal": "'{\"title\":\"Volume ' || i || '\"}'",
                    "note": "''", "state": "CASE WHEN i % 9 = 0 THEN 'review' ELSE 'rejected' END",
                    "submitted_at": Self.ago("i % 900"),
                    "decided_at": "CASE WHEN i % 9 > 0 THEN \(Self.ago("i % 900")) END",
                ]),
        ]
    }
}
