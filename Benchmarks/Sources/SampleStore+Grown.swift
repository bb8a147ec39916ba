import Circulation
import Foundation
import Storage

extension SampleStore {
    /// The sample library made larger by SQL alone, without events: for what only reads or sweeps.
    enum Growth: String {
        /// As many loans as it has, one in twenty overdue, the others not due for days.
        case dues
        /// The same with ten times the patrons and loans.
        case loans
        /// Ten times the titles.
        case titles
    }

    static let growth = 10

    /// Where such a store is; made once.
    func grown(_ growth: Growth) throws -> String {
        let path = base.deletingPathExtension().path + "-\(growth.rawValue).db"
        if FileManager.default.fileExists(atPath: path) { return path }
        FileHandle.standardError.write(Data("Making the sample library with more \(growth.rawValue), once ...\n".utf8))
        let new = path + ".new"
        try Self.remove(new)
        try FileManager.default.copyItem(atPath: base.path, toPath: new)
        try Self.grow(new, growth)
        // What SQL brings in by itself is counted by nobody.
        let store = try SQLiteStore.open(.file(new))
        try store.write { try $0.counters.recount() }
        try store.close()
        try FileManager.default.moveItem(atPath: new, toPath: path)
        return path
    }

    private static func grow(_ path: String, _ growth: Growth) throws {
        let store = try FloorStore(
            path: path,
            settings: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
        try store.execute("BEGIN")
        switch growth {
        case .dues: try store.execute(dues)
        case .loans: for statement in loans + [dues] { try store.execute(statement) }
        case .titles: for statement in titles { try store.execute(statement) }
        }
        try store.execute("COMMIT; PRAGMA journal_mode = WAL")
    }

    /// One open loan in twenty is from a day to three months late; the others are due in five days to forty.
    private static let dues = """
        UPDATE loans SET due_at = planned.due, original_due_at = planned.due, due_on = planned.due / 86400000000,
            lent_at = planned.due - 21 * 86400000000
        FROM (
            SELECT id, \(SampleLibrary.now.microseconds) + 3600000000 + 86400000000
                * CASE WHEN id % 20 = 0 THEN -1 - id / 20 % 90 ELSE 5 + id % 36 END AS due
            FROM loans WHERE returned_at IS NULL
        ) AS planned WHERE planned.id = loans.id
        """

    private static let times =
        "WITH RECURSIVE times (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM times WHERE n < \(growth - 1))"

    private static let loans = [
        """
        INSERT INTO patrons (id, username, name, surname, name_key, email, category, home_branch, language, birth_date,
            expires_on, role, extra)
        \(times)
        SELECT id + n * 1000000, username || '-' || n, name, surname, name_key, email, category, home_branch, language,
            birth_date, expires_on, role, extra
        FROM times CROSS JOIN patrons
        """,
        """
        INSERT INTO copies (id, barcode, title, branch, item_type, status)
        \(times)
        SELECT copies.id + n * 1000000, barcode || '-' || n, copies.title, copies.branch, copies.item_type, copies.status
        FROM times CROSS JOIN loans JOIN copies ON copies.id = loans.copy WHERE returned_at IS NULL
        """,
        """
        INSERT INTO loans (id, copy, title, patron, category, home_branch, item_type, branch, lent_at, due_at, due_on,
            due_exact, original_due_at, renewals, unseen_renewals, on_site, channel, policy)
        \(times)
        SELECT id + n * 1000000, copy + n * 1000000, title, patron + n * 1000000, category, home_branch, item_type, branch,
            lent_at, due_at, due_on, due_exact, original_due_at, renewals, unseen_renewals, on_site, channel, policy
        FROM times CROSS JOIN loans WHERE returned_at IS NULL
        """,
    ]

    private static let titles = [
        """
        INSERT INTO titles (id, title, title_key, authors, author_key, year, language, genres, subjects, courses,
            recommended, extra)
        \(times)
        SELECT id + n * 1000000, title || ', part ' || n, title_key || ' part ' || n, authors, author_key, year, language,
            genres, subjects, courses, recommended, extra
        FROM times CROSS JOIN titles
        """,
        """
        INSERT INTO title_search (rowid, title, author, isbn, course, college, publisher, genre)
        \(times)
        SELECT rowid + n * 1000000, title || ' part ' || n, author, '', course, college, publisher, genre
        FROM times CROSS JOIN title_search
        """,
    ]
}
