import Circulation
import Floors
import Foundation

/// The library of the bare workload: patrons, items, open loans, holds and rules in tables with nothing that is not asked.
/// Its rows are statements that SQLite and PostgreSQL both take, the same every time.
struct BareLibrary {
    let size: SampleLibrary.Size

    /// How many fewer holds than items there are.
    private static let itemsAHold = 33
    static let today = FLOOR_TODAY

    /// How many of all, how many fees are allowed, how many overdue, for each category.
    private static let limits = [
        [1, 30, 1_000, 5], [2, 15, 500, 5], [3, 25, 800, 5], [4, 60, 5_000, 20], [5, 30, 1_000, 5], [6, 5, 0, 1],
    ]

    /// Category, type and branch, 0 for any; how many of the type, days, fee a day, fee at most.
    private static let rules: [[Int]] = {
        var rules = [[0, 0, 0, 10, 21, 10, 1_000]]
        for (place, days) in [21, 21, 28, 60, 28, 7].enumerated() {
            let (category, fee) = (place + 1, [10, 5, 10, 0, 5, 20][place])
            rules.append([category, 0, 0, category == 6 ? 3 : 12, days, fee, 1_000])
            for type in [2, 3, 6] { rules.append([category, type, 0, 5, 7, 50, 2_000]) }
            for branch in [1, 3] { rules.append([category, 1, branch, 15, days * 4 / 3, 10, 1_000]) }
            rules.append([category, 4, 0, 4, 7, 10, 300])
        }
        for branch in 1...5 { rules.append([2, 2, branch, 2, 5, 50, 1_500]) }
        return rules + [[3, 7, 2, 1, 14, 100, 5_000]]
    }()

    // MARK: - Tables

    /// - Parameter key: the type of a key that the database numbers by itself.
    private static func tables(key: String) -> [String] {
        [
            "cats (cat bigint PRIMARY KEY, most int, cap int, most_overdue int)",
            """
            rules (cat int, typ int, branch int, most int, days int, fine int, most_fine int,
                PRIMARY KEY (cat, typ, branch))
            """,
            "closed (branch int, day int, PRIMARY KEY (branch, day))",
            """
            patrons (id \(key), cat int NOT NULL, home int NOT NULL, expiry int NOT NULL, blk int NOT NULL,
                fines int NOT NULL, age int NOT NULL)
            """,
            "items (id \(key), typ int NOT NULL, branch int NOT NULL, status int NOT NULL, rating int NOT NULL)",
            """
            loans (id \(key), patron bigint NOT NULL, item bigint NOT NULL, out_day int NOT NULL, due int NOT NULL,
                returned int)
            """,
            "holds (item \(key), patron bigint NOT NULL)",
            """
            audit (id \(key), day int NOT NULL, kind text NOT NULL, patron bigint, item bigint, due int, verdict int)
            """,
            """
            notices (id \(key), loan bigint NOT NULL, patron bigint NOT NULL, level int NOT NULL, fee int NOT NULL,
                body text NOT NULL)
            """,
        ].map { "CREATE TABLE " + $0 }
    }

    private static let indexes = [
        "CREATE INDEX loans_by_patron ON loans (patron) WHERE returned IS NULL",
        "CREATE INDEX loans_by_due ON loans (due) WHERE returned IS NULL",
        "CREATE UNIQUE INDEX loans_by_item ON loans (item) WHERE returned IS NULL",
        "ANALYZE",
    ]

    func statements(key: String) -> [String] { Self.tables(key: key) + rows + Self.indexes }

    // MARK: - Rows

    /// A number below a bound, by chance, the same for each `i` and salt.
    private static func chance(_ bound: Int, _ salt: Int) -> String {
        "(i * \(2_654_435_761 + salt * 81_006) % 4294967296 / 1024 % \(bound))"
    }

    private static func weighted(_ weights: [Int], _ salt: Int) -> String {
        var (sum, cases) = (0, "")
        for (place, weight) in weights.enumerated() {
            sum += weight
            cases += " WHEN \(chance(100, salt)) < \(sum) THEN \(place + 1)"
        }
        return "CASE\(cases) END"
    }

    private static func rows(_ table: String, _ count: Int, _ columns: KeyValuePairs<String, String>) -> String {
        """
        INSERT INTO \(table) (\(columns.map(\.key).joined(separator: ", ")))
        WITH RECURSIVE numbers (i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM numbers WHERE i < \(count))
        SELECT \(columns.map(\.value).joined(separator: ", ")) FROM numbers
        """
    }

    private static func values(_ table: String, _ rows: [[Int]]) -> String {
        let lists = rows.map { "(" + $0.map(String.init).joined(separator: ", ") + ")" }
        return "INSERT INTO \(table) VALUES \(lists.joined(separator: ", "))"
    }

    private var rows: [String] {
        let category = Self.weighted([50, 15, 15, 5, 12, 3], 1)
        let days = 620
        let closed = (0..<5 * days).compactMap { number -> [Int]? in
            let (branch, day) = (number / days + 1, Self.today - 200 + number % days)
            let weekday = (day + 3) % 7
            let isClosed = [[6], [6], [5, 6], [0, 6], [6]][branch - 1].contains(weekday) || day * 7 % 89 == branch
            return isClosed ? [branch, day] : nil
        }
        return [
            Self.values("cats", Self.limits), Self.values("rules", Self.rules), Self.values("closed", closed),
            Self.rows(
                "patrons", size.patrons,
                [
                    "id": "i", "cat": category, "home": "1 + " + Self.chance(5, 2),
                    "expiry": """
                    CASE WHEN \(Self.chance(100, 3)) < 3 THEN \(Self.today - 300) + \(Self.chance(300, 4))
                        ELSE \(Self.today + 30) + \(Self.chance(1_470, 4)) END
                    """,
                    "blk": "CASE WHEN \(Self.chance(100, 5)) < 2 THEN 1 ELSE 0 END",
                    "fines": """
                    CASE WHEN \(Self.chance(100, 6)) < 75 THEN 0 WHEN \(Self.chance(100, 6)) < 95
                        THEN 10 + \(Self.chance(300, 7)) ELSE 50 + \(Self.chance(6_000, 7)) END
                    """,
                    "age": "CASE \(category) WHEN 2 THEN 6 + \(Self.chance(7, 8)) ELSE 18 + \(Self.chance(73, 8)) END",
                ]),
            Self.rows(
                "items", size.copies,
                [
                    "id": "i", "typ": Self.weighted([55, 15, 8, 7, 3, 5, 2, 5], 11),
                    "branch": "1 + " + Self.chance(5, 12),
                    "status": "CASE WHEN i % 2 = 0 AND i / 2 <= \(size.openLoans) THEN 1 ELSE 0 END",
                    "rating": "CASE WHEN \(Self.chance(100, 13)) < 4 THEN 18 ELSE 0 END",
                ]),
            Self.rows(
                "loans", size.openLoans,
                [
                    "id": "i", "patron": "1 + " + Self.chance(size.patrons, 21), "item": "2 * i",
                    "out_day": "\(Self.today - 21)",
                    "due": """
                    CASE WHEN \(Self.chance(100, 22)) < 30 THEN \(Self.today) - 1 - \(Self.chance(90, 23))
                        ELSE \(Self.today) + \(Self.chance(41, 23)) END
                    """,
                ]),
            Self.rows(
                "holds", size.copies / Self.itemsAHold,
                ["item": "\(Self.itemsAHold) * i", "patron": "1 + " + Self.chance(size.patrons, 31)]),
        ]
    }

    /// One item that is not lent for one patron after the other, in an order of chance, each once.
    var candidates: [floor_request] {
        var chance = SeededGenerator(seed: 7)
        let patrons = (1...size.patrons).shuffled(using: &chance)
        let items = stride(from: 1, to: size.copies, by: 2).shuffled(using: &chance)
        return zip(patrons, items).map { floor_request(patron: Int64($0), item: Int64($1)) }
    }
}
