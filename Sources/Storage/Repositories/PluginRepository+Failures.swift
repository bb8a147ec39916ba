package import Circulation
import TextFormats

// What a plugin could not handle, and what it keeps.
extension PluginRepository {
    private static let failureColumns = """
        id, plugin, sha256, event, kind, tries, code, message, file, line, trace, failed_at, is_asked
        """
    private static let setting = Query(
        """
        INSERT INTO plugin_failures (\(failureColumns))
        VALUES ({id plugin_failures}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (plugin, event) DO UPDATE SET sha256 = excluded.sha256, tries = excluded.tries,
            code = excluded.code, message = excluded.message, file = excluded.file, line = excluded.line,
            trace = excluded.trace, failed_at = excluded.failed_at, is_asked = excluded.is_asked
        """)
    private static let failures = Query(
        "SELECT \(failureColumns) FROM plugin_failures WHERE plugin = ? ORDER BY event LIMIT ?")
    private static let failure = Query(
        "SELECT \(failureColumns) FROM plugin_failures WHERE plugin = ? AND event = ?")
    private static let asked = Query(
        "SELECT \(failureColumns) FROM plugin_failures WHERE plugin = ? AND is_asked = 1 ORDER BY event LIMIT 1")
    private static let counted = Query("SELECT COUNT(*) FROM plugin_failures WHERE plugin = ? AND event >= 0")
    private static let settling = Query("DELETE FROM plugin_failures WHERE plugin = ? AND event = ?")
    private static let settlingAll = Query("DELETE FROM plugin_failures WHERE plugin = ?")

    private static let value = Query(
        "SELECT value_key, value, patron FROM plugin_values WHERE plugin = ? AND value_key = ?")
    private static let keeping = Query(
        """
        INSERT INTO plugin_values (id, plugin, value_key, value, size, patron)
        VALUES ({id plugin_values}, ?, ?, ?, ?, ?)
        ON CONFLICT (plugin, value_key) DO UPDATE SET value = excluded.value, size = excluded.size,
            patron = excluded.patron
        """)
    private static let dropping = Query("DELETE FROM plugin_values WHERE plugin = ? AND value_key = ?")
    private static let droppingAll = Query("DELETE FROM plugin_values WHERE plugin = ?")
    private static let page = Query(
        """
        SELECT value_key, value, patron FROM plugin_values WHERE plugin = ? AND value_key > ?
        ORDER BY value_key LIMIT ?
        """)
    private static let size = Query("SELECT COALESCE(SUM(size), 0) FROM plugin_values WHERE plugin = ?")
    private static let ofPatron = Query(
        """
        SELECT plugin, value_key, value, patron FROM plugin_values WHERE patron = ? ORDER BY plugin, value_key
        """)

    // MARK: - Failures

    /// Sets an event aside, or says anew why it or a call failed.
    package func set(_ failure: PluginFailure) throws(StoreError) {
        let fault = failure.fault
        _ = try transaction.insert(
            Self.setting,
            [
                .id(0), .text(failure.plugin), .text(failure.sha256), .integer(failure.event), .text(failure.kind),
                .integer(failure.tries), .text(fault.code), .text(fault.message), .optional(fault.file),
                .optional(fault.line), .optional(fault.trace), .instant(failure.failedAt), .flag(failure.isAsked),
            ])
    }

    /// Those of calls, then those of events, the oldest first.
    package func failures(of plugin: String, limit: Int64) throws(StoreError) -> [PluginFailure] {
        try transaction.all(Self.failures, [.text(plugin), .integer(limit)], Self.failure)
    }

    /// The event of a plugin that was set aside; nil: it was not.
    package func failure(of plugin: String, event: Int64) throws(StoreError) -> PluginFailure? {
        try transaction.first(Self.failure, [.text(plugin), .integer(event)], Self.failure)
    }

    /// The oldest that is to be tried once more.
    package func askedFailure(of plugin: String) throws(StoreError) -> PluginFailure? {
        try transaction.first(Self.asked, [.text(plugin)], Self.failure)
    }

    /// How many events of a plugin are set aside.
    package func failureCount(of plugin: String) throws(StoreError) -> Int64 {
        try transaction.number(Self.counted, [.text(plugin)])
    }

    /// - Returns: false if there was none.
    @discardableResult
    package func settleFailure(of plugin: String, event: Int64) throws(StoreError) -> Bool {
        try transaction.execute(Self.settling, [.text(plugin), .integer(event)]) == 1
    }

    private static func failure(_ row: inout RowReader) throws(StoreError) -> PluginFailure {
        PluginFailure(
            id: row.integer(), plugin: row.text(), sha256: row.text(), event: row.integer(), kind: row.text(),
            tries: row.integer(),
            fault: PluginFault(
                code: row.text(), message: row.text(), file: row.optionalText(), line: row.optionalInteger(),
                trace: row.optionalText()),
            failedAt: row.instant(), isAsked: row.flag())
    }

    // MARK: - State

    /// What a plugin keeps under a key; nil: nothing.
    package func value(_ key: String, of plugin: String) throws(StoreError) -> PluginValue? {
        try transaction.first(Self.value, [.text(plugin), .text(key)], Self.value)
    }

    /// Keeps a value, in place of the one of its key.
    package func set(_ value: PluginValue, of plugin: String) throws(StoreError) {
        let text = value.value.text()
        _ = try transaction.insert(
            Self.keeping,
            [
                .id(0), .text(plugin), .text(value.key), .text(text),
                .integer(Int64(text.utf8.count + value.key.utf8.count)), .optional(value.patron),
            ])
    }

    /// Forgets the value of a key.
    package func removeValue(_ key: String, of plugin: String) throws(StoreError) {
        try transaction.execute(Self.dropping, [.text(plugin), .text(key)])
    }

    /// The values behind a key, by key.
    package func values(of plugin: String, after key: String, limit: Int64) throws(StoreError) -> [PluginValue] {
        try transaction.all(Self.page, [.text(plugin), .text(key), .integer(limit)], Self.value)
    }

    /// The bytes of all keys and values of a plugin.
    package func valueSize(of plugin: String) throws(StoreError) -> Int64 {
        try transaction.number(Self.size, [.text(plugin)])
    }

    /// What plugins keep about a patron, with the name of each plugin.
    package func values(about patron: Int64) throws(StoreError) -> [(plugin: String, value: PluginValue)] {
        try transaction.all(Self.ofPatron, [.integer(patron)]) { row throws(StoreError) in
            (row.text(), try Self.value(&row))
        }
    }

    /// Takes out all that a plugin keeps, and what it could not handle.
    package func purge(_ plugin: String) throws(StoreError) {
        try transaction.execute(Self.droppingAll, [.text(plugin)])
        try transaction.execute(Self.settlingAll, [.text(plugin)])
    }

    private static func value(_ row: inout RowReader) throws(StoreError) -> PluginValue {
        PluginValue(key: row.text(), value: try row.json(), patron: row.optionalInteger())
    }
}
