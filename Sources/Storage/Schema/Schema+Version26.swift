import Circulation

// Plugins: their bundles, what is in force of each, how far it has read the events, what it could not handle and what it
// keeps. How far a plugin is concerns machines and stands in no event; what it does to the library does.
extension Schema {
    static let plugins = """
        CREATE TABLE plugin_versions (
            sha256 TEXT PRIMARY KEY NOT NULL,
            files TEXT NOT NULL
        ) {options};
        CREATE TABLE plugins (
            id {identity},
            name TEXT NOT NULL UNIQUE,
            sha256 TEXT NOT NULL REFERENCES plugin_versions (sha256),
            version TEXT NOT NULL,
            rights TEXT NOT NULL,
            settings TEXT NOT NULL,
            state TEXT NOT NULL CHECK (\(oneOf("state", Plugin.State.allCases.map(\.rawValue)))),
            changed_at {integer} NOT NULL,
            position {integer} NOT NULL,
            owner TEXT,
            lease_until {integer},
            tries {integer} NOT NULL,
            retry_at {integer},
            handled {integer} NOT NULL,
            failed_in_row {integer} NOT NULL,
            last_handled_at {integer}
        ) {options};
        CREATE INDEX plugins_by_version ON plugins (sha256);
        CREATE TABLE plugin_changes (
            id {identity},
            plugin TEXT NOT NULL,
            action TEXT NOT NULL CHECK (\(oneOf("action", PluginChange.Action.allCases.map(\.rawValue)))),
            sha256 TEXT NOT NULL REFERENCES plugin_versions (sha256),
            version TEXT NOT NULL,
            rights TEXT NOT NULL,
            settings TEXT NOT NULL,
            at {integer} NOT NULL,
            actor TEXT NOT NULL,
            note TEXT NOT NULL
        ) {options};
        CREATE INDEX plugin_changes_by_plugin ON plugin_changes (plugin, id);
        CREATE INDEX plugin_changes_by_version ON plugin_changes (sha256);
        CREATE TABLE plugin_failures (
            id {identity},
            plugin TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            event {integer} NOT NULL,
            kind TEXT NOT NULL,
            tries {integer} NOT NULL,
            code TEXT NOT NULL,
            message TEXT NOT NULL,
            file TEXT,
            line {integer},
            trace TEXT,
            failed_at {integer} NOT NULL,
            is_asked {integer} NOT NULL,
            UNIQUE (plugin, event)
        ) {options};
        CREATE INDEX plugin_failures_asked ON plugin_failures (plugin, event) WHERE is_asked = 1;
        CREATE TABLE plugin_values (
            id {identity},
            plugin TEXT NOT NULL,
            value_key TEXT NOT NULL,
            value TEXT NOT NULL,
            size {integer} NOT NULL,
            patron {integer} REFERENCES patrons (id) ON DELETE CASCADE,
            UNIQUE (plugin, value_key)
        ) {options};
        CREATE INDEX plugin_values_by_patron ON plugin_values (patron) WHERE patron IS NOT NULL;
        """
}
