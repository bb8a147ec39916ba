package import Circulation
import TextFormats

/// What holds for the whole library: its name, zone and currency, branches, categories, item types and locations.
package struct SettingsRepository {
    let transaction: Transaction

    private static let read = Query("SELECT value FROM settings WHERE name = ?")
    private static let set = Query(
        """
        INSERT INTO settings (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """)
    private static let unset = Query("DELETE FROM settings WHERE name = ?")
    private static let touch = Query(
        """
        INSERT INTO settings (name, value) VALUES ('revision', '1')
        ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(settings.value AS {integer}) + 1 AS TEXT)
        """)

    /// A setting by name, nil if it was never set.
    package func value(_ name: String) throws(StoreError) -> String? {
        try transaction.first(Self.reading(name)) { row in row.text() }
    }

    private static func reading(_ name: String) -> BoundQuery { BoundQuery(read, [.text(name)]) }

    /// Sets or, with nil, forgets a setting. The names that begin with `library.` and
    /// `revision` are the repository's own.
    package func setValue(_ value: String?, for name: String) throws(StoreError) {
        try keep(value, for: name)
        try changed()
    }

    /// As ``setValue(_:for:)``, for what no snapshot of the settings has: what was read before stays good.
    package func keep(_ value: String?, for name: String) throws(StoreError) {
        if let value {
            try transaction.execute(Self.set, [.text(name), .text(value)])
        } else {
            try transaction.execute(Self.unset, [.text(name)])
        }
    }

    /// Every writer of settings calls this, so that no one goes on with what they read before.
    func changed() throws(StoreError) {
        transaction.settingsChanged = true
        transaction.settingsSnapshot = nil
        try transaction.execute(Self.touch)
    }

    /// What ``snapshot()`` asks where nothing has changed.
    package var lookingForChanges: [BoundQuery] {
        transaction.settingsSnapshot == nil ? [Self.reading("revision")] : []
    }

    /// The settings as they were read last, by whatever transaction: what to go by before they are looked at. Nil: never.
    package var presumed: SettingsSnapshot? { transaction.settingsCache.latest }

    /// A number that grows with each change of the settings; 0 in a fresh store.
    package func revision() throws(StoreError) -> Int64 {
        try value("revision").flatMap { Int64($0) } ?? 0
    }

    /// The library's settings, nil in a store where none were set.
    package func library() throws(StoreError) -> LibrarySettings? {
        guard let name = try value("library.name"), let zone = try value("library.zone"),
            let currency = try value("library.currency")
        else { return nil }
        var library = LibrarySettings(name: name, zone: try Self.zone(zone), currency: try Self.currency(currency))
        if let words = try value("library.reserved_names") {
            library.reservedNames = words.split(separator: "\n").map(String.init)
        }
        library.hasRatings = try value("library.ratings") != "off"
        let kinds = try value("library.gathered_notices")?.split(separator: "\n") ?? []
        library.gatheredKinds = Set(kinds.compactMap { GatheredKind(rawValue: String($0)) })
        return library
    }

    /// Where its clock becomes another, past circulation is counted anew by that one's days.
    package func setLibrary(_ library: LibrarySettings) throws(StoreError) {
        let before = try self.library()?.zone ?? .utc
        try setValue(library.name, for: "library.name")
        try setValue(library.zone.identifier, for: "library.zone")
        try setValue(library.currency.code, for: "library.currency")
        let words = library.reservedNames
        try setValue(
            words == LibrarySettings.usualReservedNames ? nil : words.joined(separator: "\n"),
            for: "library.reserved_names")
        try setValue(library.hasRatings ? nil : "off", for: "library.ratings")
        let kinds = library.gatheredNotices
        try setValue(kinds.isEmpty ? nil : kinds.joined(separator: "\n"), for: "library.gathered_notices")
        if before != library.zone { try transaction.counters.recountKnown() }
    }

    /// All settings, decoded once and shared: asking again costs one short statement.
    ///
    /// In a store where nothing was set the library has no name, the zone `Etc/UTC` and the currency EUR.
    package func snapshot() throws(StoreError) -> SettingsSnapshot {
        if transaction.isLive, let read = transaction.settingsSnapshot { return read }
        let snapshot = try readSnapshot()
        transaction.settingsSnapshot = snapshot
        return snapshot
    }

    private func readSnapshot() throws(StoreError) -> SettingsSnapshot {
        let revision = try revision()
        if !transaction.settingsChanged, let kept = transaction.settingsCache.snapshot(of: revision) { return kept }
        let snapshot = SettingsSnapshot(
            library: try library() ?? LibrarySettings(name: "", zone: .utc, currency: .eur), branches: try branches(),
            categories: try categories(), itemTypes: try itemTypes(), locations: try locations(),
            activations: try transaction.policies.inOrderOfEffect(),
            customFields: try transaction.plugins.customFields())
        if !transaction.settingsChanged {
            transaction.settingsCache.keep(snapshot, of: revision)
        }
        return snapshot
    }

    static func zone(_ identifier: String) throws(StoreError) -> Zone {
        guard let zone = Zone(identifier: identifier) else {
            throw .corrupt("a setting names a time zone that there is none of")
        }
        return zone
    }

    static func currency(_ code: String) throws(StoreError) -> Currency {
        if code == "EUR" { return .eur }
        guard let currency = Currency(code: code) else {
            throw .corrupt("a column names a currency that there is none of")
        }
        return currency
    }
}
