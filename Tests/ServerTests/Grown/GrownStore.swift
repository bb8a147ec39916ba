import Circulation
import Desk
import Foundation
import Scripting
import Server
import TestSupport
import Testing

@testable import Storage

/// A store with thousands of rows in each table that grows, what was asked of it, and how its database answers.
enum GrownStore: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, postgres

    static let allCases: [GrownStore] = PostgresServer.isMissing ? [.sqlite] : [.sqlite, .postgres]

    var testDescription: String { rawValue }

    /// Has `work` done in a grown store.
    ///
    /// - Returns: the plans of all statements that it ran, by their texts, both with statistics and without.
    func plans(of work: (any Store) async throws -> Void) async throws -> [String: [Plan]] {
        switch self {
        case .sqlite: try await sqlitePlans(of: work)
        case .postgres: try await postgresPlans(of: work)
        }
    }

    private func sqlitePlans(of work: (any Store) async throws -> Void) async throws -> [String: [Plan]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "grown-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let recorder = StatementRecorder()
        let path = folder.appending(path: "library.db").path(percentEncoded: false)
        let store = try SQLiteStore.open(.file(path), create: true, recorder: recorder)
        defer { try? store.close() }
        try await work(store)
        let texts = Self.texts(recorder)
        try store.withWritingConnection { try $0.execute(script: Self.growth) }
        var plans = try store.withWritingConnection { try Self.plans(texts, on: $0) }
        try store.withWritingConnection { try $0.execute(script: "ANALYZE") }
        let informed = try store.withWritingConnection { try Self.plans(texts, on: $0) }
        plans.merge(informed) { $0 + $1 }
        return plans
    }

    /// The tables of a grown file with the number of rows that growing gave each, and the names of all.
    static func tables() throws -> (grown: [String: Int64], all: Set<String>) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "grown-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "library.db").path(percentEncoded: false)
        let store = try SQLiteStore.open(.file(path), create: true)
        defer { try? store.close() }
        return try store.withWritingConnection { connection in
            func rows(_ text: String) throws -> [String] {
                let statement = try connection.statement(Query(once: text))
                defer { statement.release() }
                var rows: [String] = []
                while try statement.step() { rows.append(statement.text(0)) }
                return rows
            }
            try connection.execute(script: "PRAGMA foreign_keys = OFF")
            try connection.execute(script: growth)
            let names = try rows(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                AND name NOT LIKE 'title_search%'
                """)
            var grown: [String: Int64] = [:]
            for name in names {
                grown[name] = try rows("SELECT CAST(COUNT(*) AS TEXT) FROM \(name)").first.flatMap { Int64($0) }
            }
            return (grown, Set(names))
        }
    }

    private static func plans(_ texts: [String], on connection: SQLiteConnection) throws -> [String: [Plan]] {
        var plans: [String: [Plan]] = [:]
        for text in texts {
            let statement = try connection.statement(Query(once: "EXPLAIN QUERY PLAN " + text))
            defer { statement.release() }
            var lines: [String] = []
            while try statement.step() { lines.append(statement.text(3)) }
            plans[text] = [Plan(statement: text, sqlite: lines)]
        }
        return plans
    }

    private func postgresPlans(of work: (any Store) async throws -> Void) async throws -> [String: [Plan]] {
        let server = try PostgresServer.shared
        let name = try server.database(like: "grown_template") { (url) throws in
            try PostgresStore.open(url, create: true).close()
        }
        let recorder = StatementRecorder()
        let store = try PostgresStore.open(server.url(name), recorder: recorder)
        try await work(store)
        let texts = Self.texts(recorder)
        try store.close()
        let link = try PostgresLink(try PostgresAddress(server.url(name)), attempt: 0)
        let connection = PostgresConnection(link, commitTimeout: 60, recorder: nil)
        try connection.execute(script: Self.growth)
        try connection.execute(script: Self.growthOfSearch)
        // The plan that is kept for all values, which a statement has after it ran a few times.
        _ = try connection.rows("SET plan_cache_mode = force_generic_plan")
        var plans = try Self.plans(texts, on: connection).mapValues { plans in
            plans.map { plan in
                var plan = plan
                plan.isInformed = false
                return plan
            }
        }
        _ = try connection.rows("VACUUM ANALYZE")
        plans.merge(try Self.plans(texts, on: connection)) { $0 + $1 }
        return plans
    }

    private static func plans(_ texts: [String], on connection: PostgresConnection) throws -> [String: [Plan]] {
        var plans: [String: [Plan]] = [:]
        for (number, text) in texts.enumerated() {
            let sample = withSomeLimit(text)
            do {
                _ = try connection.rows("PREPARE statement_\(number) AS \(sample)")
            } catch {
                Issue.record("\(error) in: \(text)")
                continue
            }
            let count = sample.matches(of: #/\$(\d+)/#).compactMap { Int($0.1) }.max() ?? 0
            let values = count == 0 ? "" : "(\((0..<count).map { _ in "NULL" }.joined(separator: ", ")))"
            let lines = try connection.rows("EXPLAIN EXECUTE statement_\(number)\(values)").compactMap { $0[0] }
            plans[text] = [Plan(statement: text, postgres: lines)]
        }
        _ = try connection.rows("DEALLOCATE ALL")
        return plans
    }

    /// A page of 20 rows in place of a number that the planner would take for a tenth of the table.
    private static func withSomeLimit(_ text: String) -> String {
        var numbers: [Substring: Int] = [:]
        return text.replacing(#/LIMIT \$\d+/#, with: "LIMIT 20").replacing(#/OFFSET \$\d+/#, with: "OFFSET 0")
            .replacing(#/\$(\d+)/#) { match in
                numbers[match.1] = numbers[match.1] ?? numbers.count + 1
                return "$\(numbers[match.1] ?? 0)"
            }
    }

    /// The statements that read or change tables, each once.
    private static func texts(_ recorder: StatementRecorder) -> [String] {
        let texts = Set(recorder.take().map(\.text))
        return texts.filter { text in
            ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains { text.hasPrefix($0) }
                && !text.contains("pg_catalog.pg_")
        }.sorted()
    }
}
