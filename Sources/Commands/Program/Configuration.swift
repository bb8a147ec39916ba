import Foundation
import Schedule
import TOMLKit

/// Settings of a process rather than of the library: `moonshelf.toml`.
struct Configuration: Hashable, Sendable {
    var store: String?
    /// The branch at which this process works.
    var branch: String?
    /// The URL for SQL of scripts over PostgreSQL: the same database, as a role that can only read the views.
    var sqlStore: String?

    static let defaultName = "moonshelf.toml"
    private static let known = ["store", "branch", "sql_store", "jobs"]
    /// Tables that only their users read, so that their secrets go nowhere else.
    private static let tables = DeliverySettings.tables + ServingSettings.tables + BookDataSettings.tables

    init(store: String? = nil, branch: String? = nil, sqlStore: String? = nil) {
        self.sqlStore = sqlStore
        self.store = store
        self.branch = branch
    }

    /// Reads a configuration.
    ///
    /// - Parameter path: the file of `--config`; nil: `moonshelf.toml` in this folder, if it exists.
    /// - Throws: ``CommandFailure`` with file and line.
    static func read(_ path: String?) throws(CommandFailure) -> Configuration {
        guard let (table, file) = try table(path) else { return Configuration() }
        for key in table.keys where !known.contains(key) && !tables.contains(key) {
            let words = (known + tables).formatted(.list(type: .or).locale(Locale(identifier: "en")))
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: "Unknown key '\(key)'; expected \(words).", file: file)
        }
        return Configuration(
            store: try text("store", table, file), branch: try text("branch", table, file),
            sqlStore: try text("sql_store", table, file))
    }

    /// The jobs of a configuration, which are read by the schedule alone: a mistake in them does not affect other
    /// commands.
    static func jobs(_ path: String?) throws(CommandFailure) -> [ScheduledJob] {
        guard let (table, file) = try table(path) else { return [] }
        return try JobTable(table, file: file).jobs()
    }

    /// The configuration as a table, with the file's name; nil if none was named and none exists.
    static func table(_ path: String?) throws(CommandFailure) -> (table: TOMLTable, file: String)? {
        let file = path ?? defaultName
        guard let data = FileManager.default.contents(atPath: file) else {
            guard path != nil else { return nil }
            throw CommandFailure(.wrongUsage, code: "usage", message: "There is no configuration \(file).")
        }
        do {
            return (try TOMLTable(string: String(decoding: data, as: UTF8.self)), file)
        } catch let error as TOMLParseError {
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: error.description, file: file,
                line: Int(error.source.begin.line))
        } catch {
            throw CommandFailure(.wrongUsage, code: "configuration", message: "\(error)", file: file)
        }
    }

    private static func text(_ key: String, _ table: TOMLTable, _ file: String) throws(CommandFailure) -> String? {
        guard let value = table[key] else { return nil }
        guard let text = value.string else {
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: "'\(key)' must be a text.", file: file)
        }
        return text
    }
}
