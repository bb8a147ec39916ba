import Foundation
import Schedule
import TOMLKit
import TextFormats

/// Settings of a process rather than of the library: `moonshelf.toml`.
struct Configuration: Hashable, Sendable {
    var store: String?
    /// The branch at which this process works.
    var branch: String?
    /// The URL for SQL of scripts over PostgreSQL: the same database, as a role that can only read the views.
    var sqlStore: String?

    private static let known = ["store", "branch", "sql_store", "jobs"]
    /// Tables that only their users read, so that their secrets go nowhere else.
    private static let tables =
        DeliverySettings.tables + ServingSettings.tables + AppearanceSettings.tables + BookDataSettings.tables
        + NetworkRequests.tables + WebhookSettings.tables

    /// - Throws: ``CommandFailure`` with file and line.
    init(_ file: ConfigurationFile) throws(CommandFailure) {
        let table = try file.table()
        for key in table.keys where !Self.known.contains(key) && !Self.tables.contains(key) {
            let words = (Self.known + Self.tables).listed(by: "or")
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: "Unknown key '\(key)'; expected \(words).",
                file: file.name)
        }
        store = try Self.text("store", table, file.name)
        branch = try Self.text("branch", table, file.name)
        sqlStore = try Self.text("sql_store", table, file.name)
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
