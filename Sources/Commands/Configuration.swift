import Foundation
import TOMLKit

/// What belongs to a process rather than to the library: `moonshelf.toml`.
struct Configuration: Hashable, Sendable {
    var store: String?
    /// The branch at which this process works.
    var branch: String?
    /// Where SQL is asked, if the store is a PostgreSQL database: the same one, as a role that reads the views alone.
    var sqlStore: String?

    static let defaultName = "moonshelf.toml"
    private static let known = ["store", "branch", "sql_store"]

    init(store: String? = nil, branch: String? = nil, sqlStore: String? = nil) {
        self.sqlStore = sqlStore
        self.store = store
        self.branch = branch
    }

    /// Reads a configuration.
    ///
    /// - Parameter path: the file that was asked for; nil: `moonshelf.toml` in this folder, if there is one.
    /// - Throws: ``CommandFailure`` with file and line.
    static func read(_ path: String?) throws(CommandFailure) -> Configuration {
        let file = path ?? defaultName
        guard let data = FileManager.default.contents(atPath: file) else {
            guard path != nil else { return Configuration() }
            throw CommandFailure(.wrongUsage, code: "usage", message: "There is no configuration \(file).")
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: String(decoding: data, as: UTF8.self))
        } catch let error as TOMLParseError {
            throw CommandFailure(
                .wrongUsage, code: "configuration", message: error.description, file: file,
                line: Int(error.source.begin.line))
        } catch {
            throw CommandFailure(.wrongUsage, code: "configuration", message: "\(error)", file: file)
        }
        for key in table.keys where !known.contains(key) {
            throw CommandFailure(
                .wrongUsage, code: "configuration",
                message:
                    "Unknown key '\(key)'; expected \(known.formatted(.list(type: .or).locale(Locale(identifier: "en")))).",
                file: file)
        }
        return Configuration(
            store: try text("store", table, file), branch: try text("branch", table, file),
            sqlStore: try text("sql_store", table, file))
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
