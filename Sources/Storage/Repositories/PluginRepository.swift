package import Circulation
import TextFormats

/// Plugins: their bundles, what is in force, and the history of that.
package struct PluginRepository {
    let transaction: Transaction

    private static let files = Query("SELECT files FROM plugin_versions WHERE sha256 = ?")
    private static let insertion = Query(
        """
        INSERT INTO plugin_versions (sha256, files, fields) VALUES (?, ?, ?)
        ON CONFLICT (sha256) DO UPDATE SET fields = excluded.fields
        """)
    private static let fields = Query(
        """
        SELECT plugins.name, plugin_versions.fields
        FROM plugin_versions LEFT JOIN plugins ON plugins.sha256 = plugin_versions.sha256
        WHERE plugin_versions.fields <> '[]' ORDER BY plugins.name
        """)
    private static let fieldsOfVersion = Query("SELECT fields FROM plugin_versions WHERE sha256 = ?")

    private static let columns = """
        id, name, sha256, version, rights, settings, state, changed_at, position, owner, lease_until, tries, retry_at, \
        handled, failed_in_row, last_handled_at
        """
    private static let byName = Query("SELECT \(columns) FROM plugins WHERE name = ?")
    private static let all = Query("SELECT \(columns) FROM plugins ORDER BY name")
    private static let adding = Query(
        """
        INSERT INTO plugins (\(columns)) VALUES ({id plugins}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let change = Query(
        """
        UPDATE plugins SET name = ?, sha256 = ?, version = ?, rights = ?, settings = ?, state = ?, changed_at = ?,
            position = ?, owner = ?, lease_until = ?, tries = ?, retry_at = ?, handled = ?, failed_in_row = ?,
            last_handled_at = ?
        WHERE id = ?
        """)
    private static let removal = Query("DELETE FROM plugins WHERE name = ?")

    private static let changeColumns = "id, plugin, action, sha256, version, rights, settings, at, actor, note"
    private static let noting = Query(
        "INSERT INTO plugin_changes (\(changeColumns)) VALUES ({id plugin_changes}, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    private static let changes = Query("SELECT \(changeColumns) FROM plugin_changes WHERE plugin = ? ORDER BY id")
    private static let forgetting = Query("UPDATE plugin_changes SET settings = ? WHERE plugin = ?")

    // MARK: - Bundles

    /// The files of a version, nil if it was never stored.
    package func bundle(_ sha256: String) throws(StoreError) -> PolicyBundle? {
        let files = try transaction.first(Self.files, [.text(sha256)]) { row throws(StoreError) in
            try PolicyRepository.files(try row.json())
        }
        return files.map { PolicyBundle(sha256: sha256, files: $0) }
    }

    /// Stores a version; one that is stored already stays as it is.
    ///
    /// - Parameter fields: those that it declares.
    package func insert(_ bundle: PolicyBundle, fields: [CustomField]) throws(StoreError) {
        let files = JSON.array(bundle.files.map { .array([.string($0.name), .string($0.source)]) })
        let declared = JSON.array(fields.map(\.json))
        try transaction.execute(
            Self.insertion, [.text(bundle.sha256), .text(files.text()), .text(declared.text())])
    }

    // MARK: - Fields

    /// The fields that the versions in force declare, of plugins that are switched off too.
    package func customFields() throws(StoreError) -> CustomFields {
        var (fields, former): ([CustomField], [CustomField]) = ([], [])
        try transaction.each(Self.fields) { row throws(StoreError) in
            let plugin = row.optionalText()
            let declared = Self.fields(try row.json(), of: plugin ?? "")
            if plugin == nil { former += declared } else { fields += declared }
            return true
        }
        return CustomFields(fields, former: former)
    }

    /// The fields that a version declares.
    package func customFields(of sha256: String, plugin: String) throws(StoreError) -> [CustomField] {
        try transaction.first(Self.fieldsOfVersion, [.text(sha256)]) { row throws(StoreError) in
            Self.fields(try row.json(), of: plugin)
        } ?? []
    }

    private static func fields(_ json: JSON, of plugin: String) -> [CustomField] {
        (json.arrayValue ?? []).compactMap { CustomField(json: $0, plugin: plugin) }
    }

    /// Has all that follows from the fields in force made anew: what transactions have read of them, and the views.
    package func customFieldsChanged() throws(StoreError) {
        try transaction.settings.changed()
        try transaction.remakeViews()
    }

    // MARK: - What is in force

    /// The plugin of a name; nil: there is none.
    package func get(_ name: String) throws(StoreError) -> Plugin? {
        try transaction.first(Self.byName, [.text(name)], Self.plugin)
    }

    /// All, by name.
    package func list() throws(StoreError) -> [Plugin] { try transaction.all(Self.all, [], Self.plugin) }

    /// - Returns: its id.
    @discardableResult
    package func insert(_ plugin: Plugin) throws(StoreError) -> Int64 {
        try transaction.insert(Self.adding, [.id(0)] + Self.values(plugin)) ?? 0
    }

    /// - Returns: false if there is none of that id.
    @discardableResult
    package func update(_ plugin: Plugin) throws(StoreError) -> Bool {
        try transaction.execute(Self.change, Self.values(plugin) + [.integer(plugin.id)]) == 1
    }

    /// Takes a plugin out; its history and what it keeps stay.
    package func remove(_ name: String) throws(StoreError) { try transaction.execute(Self.removal, [.text(name)]) }

    // MARK: - History

    /// Adds a change to its history.
    package func insert(_ change: PluginChange) throws(StoreError) {
        _ = try transaction.insert(
            Self.noting,
            [
                .id(0), .text(change.plugin), .choice(change.action), .text(change.sha256), .text(change.version),
                .list(change.rights), .json(change.settings), .instant(change.at), .text(change.actor),
                .text(change.note),
            ])
    }

    /// The changes of a plugin, the oldest first.
    package func history(of plugin: String) throws(StoreError) -> [PluginChange] {
        try transaction.all(Self.changes, [.text(plugin)]) { row throws(StoreError) in
            PluginChange(
                id: row.integer(), plugin: row.text(), action: try row.choice(), sha256: row.text(),
                version: row.text(), rights: try row.list(), settings: try row.object(), at: row.instant(),
                actor: row.text(), note: row.text())
        }
    }

    /// Takes the values of settings out of a plugin's history.
    package func forgetSettings(of plugin: String) throws(StoreError) {
        try transaction.execute(Self.forgetting, [.json([:]), .text(plugin)])
    }

    private static func values(_ plugin: Plugin) -> [StoredValue] {
        let progress = plugin.progress
        return [
            .text(plugin.name), .text(plugin.sha256), .text(plugin.version), .list(plugin.rights),
            .json(plugin.settings), .choice(plugin.state), .instant(plugin.changedAt), .integer(progress.position),
            .optional(progress.owner), .optional(progress.leaseUntil), .integer(progress.tries),
            .optional(progress.retryAt), .integer(progress.handled), .integer(progress.failedInRow),
            .optional(progress.lastHandledAt),
        ]
    }

    private static func plugin(_ row: inout RowReader) throws(StoreError) -> Plugin {
        var plugin = Plugin(
            id: row.integer(), name: row.text(), sha256: row.text(), version: row.text(), rights: try row.list(),
            settings: try row.object(), state: try row.choice(), changedAt: row.instant(),
            progress: Plugin.Progress(position: row.integer()))
        plugin.progress.owner = row.optionalText()
        plugin.progress.leaseUntil = row.optionalInstant()
        plugin.progress.tries = row.integer()
        plugin.progress.retryAt = row.optionalInstant()
        plugin.progress.handled = row.integer()
        plugin.progress.failedInRow = row.integer()
        plugin.progress.lastHandledAt = row.optionalInstant()
        return plugin
    }
}
