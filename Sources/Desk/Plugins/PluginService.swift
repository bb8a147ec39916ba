package import Circulation
import Storage
package import TextFormats

/// The plugins of the library: what is in force of each, and what was.
///
/// A worker that has read a plugin asks with each event whether it is in force still, so that a change holds for every
/// process from its next event on.
package struct PluginService {
    let session: DeskSession

    var plugins: PluginRepository { session.transaction.plugins }

    // MARK: - Reading

    /// The plugin of a name; nil: none is in force.
    package func get(_ name: String) throws -> Plugin? { try plugins.get(name) }

    /// All that are in force, switched off or paused, by name.
    package func list() throws -> [Plugin] { try plugins.list() }

    /// The changes of a plugin, the latest first; those of one that was removed are there still.
    package func history(of name: String) throws -> [PluginChange] { try plugins.history(of: name).reversed() }

    /// The files of a version, nil if the store never had it.
    package func bundle(_ sha256: String) throws -> PolicyBundle? { try plugins.bundle(sha256) }

    /// What went wrong when it was called, then what it could not handle, the oldest event first.
    package func failures(of name: String, limit: Int64 = 1_000) throws -> [PluginFailure] {
        try plugins.failures(of: name, limit: limit)
    }

    /// How many events it could not handle.
    package func failureCount(of name: String) throws -> Int64 { try plugins.failureCount(of: name) }

    // MARK: - Changing

    /// Puts a version into force. Refused with `not_granted` if it needs what neither the version before nor this request
    /// was granted, with `field_taken` and `field_values` where the fields that it declares cannot be.
    ///
    /// - Parameter allowed: the capabilities that are granted with it; what the version before had and needs still it
    ///   keeps.
    package func use(
        _ candidate: PluginCandidate, allowing allowed: Set<String>, note: String = ""
    ) throws -> Outcome<Plugin> {
        try session.request("plugins.use") {
            guard session.shelf.loader.digest(of: candidate.bundle.files) == candidate.bundle.sha256 else {
                throw DeskError.input("sha256", "The bundle's SHA-256 is not that of its files.")
            }
            let before = try plugins.get(candidate.name)
            let granted = allowed.union(before?.rights ?? [])
            let missing = candidate.needs.filter { !granted.contains($0) }
            guard missing.isEmpty else {
                let names = missing.joined(separator: ",")
                let new = before == nil ? "" : " since its last version"
                throw Refused(
                    "not_granted", "The plugin needs \(names)\(new), which was not granted: --allow \(names).")
            }
            try plugins.insert(candidate.bundle, fields: candidate.fields)
            var plugin =
                before
                ?? Plugin(
                    name: candidate.name, sha256: "", version: "", rights: [], settings: [:], state: .active,
                    changedAt: session.now, progress: Plugin.Progress(position: 0))
            plugin.sha256 = candidate.bundle.sha256
            plugin.version = candidate.version
            plugin.rights = candidate.needs.sorted()
            plugin.settings = candidate.settings
            plugin.state = .active
            return try keep(plugin, .used, note)
        }
    }

    /// Puts the version with the settings into force that was so before the present one. Refused with `no_plugin`,
    /// `no_version`, and as ``use(_:allowing:note:)`` for the fields that it declares.
    package func rollback(_ name: String, note: String = "") throws -> Outcome<Plugin> {
        try session.request("plugins.rollback") {
            var plugin = try known(name)
            guard let past = try former(name) else {
                throw Refused("no_version", "No other version of '\(name)' was in force before this one.")
            }
            (plugin.sha256, plugin.version) = (past.sha256, past.version)
            (plugin.rights, plugin.settings) = (past.rights, past.settings)
            return try keep(plugin, .rolledBack, note)
        }
    }

    /// What was in force of a plugin before the present version or settings; nil: nothing was, or there is no such plugin.
    package func former(_ name: String) throws -> PluginChange? {
        guard let plugin = try plugins.get(name) else { return nil }
        return try plugins.history(of: name).last { change in
            (change.action == .used || change.action == .rolledBack || change.action == .configured)
                && (change.sha256 != plugin.sha256 || change.settings != plugin.settings)
        }
    }

    /// Gives a plugin other values of its settings, which its caller has checked.
    package func configure(_ name: String, _ settings: JSONObject, note: String = "") throws -> Outcome<Plugin> {
        try session.request("plugins.configure") {
            var plugin = try known(name)
            plugin.settings = settings
            return try keep(plugin, .configured, note)
        }
    }

    /// Switches a plugin off: its events wait until it is switched on again.
    package func disable(_ name: String, note: String = "") throws -> Outcome<Plugin> {
        try session.request("plugins.disable") {
            var plugin = try known(name)
            plugin.state = .disabled
            return try keep(plugin, .disabled, note)
        }
    }

    /// Switches a plugin on again, also one that was paused.
    package func enable(_ name: String, note: String = "") throws -> Outcome<Plugin> {
        try session.request("plugins.enable") {
            var plugin = try known(name)
            plugin.state = .active
            plugin.progress.failedInRow = 0
            return try keep(plugin, .enabled, note)
        }
    }

    /// Takes a plugin out of force.
    ///
    /// - Parameter purging: takes out all that it keeps as well: its state, its failures, the values of its settings.
    package func remove(_ name: String, purging: Bool = false, note: String = "") throws -> Outcome<Plugin> {
        try session.request("plugins.remove") {
            let plugin = try known(name)
            let fields = try session.settingsSnapshot().customFields
            try tell(plugin, .removed, note)
            try plugins.remove(name)
            try session.jobs.forget { $0.plugin == name }
            try session.customFields.apply(since: fields, for: nil)
            if purging {
                try plugins.purge(name)
                try session.transaction.outbox.remove(OutgoingRequest.owner(plugin: name))
                try plugins.forgetSettings(of: name)
            }
            return plugin
        }
    }

    /// Has events that were set aside tried once more, and forgets errors of calls, which their callers make anew. Refused
    /// with `no_failure` where there is none.
    ///
    /// - Parameter event: its sequence; nil: all.
    /// - Returns: how many events there are.
    package func retry(_ name: String, event: Int64? = nil) throws -> Outcome<Int64> {
        try session.request("plugins.retry") {
            _ = try known(name)
            let failures = try plugins.failures(of: name, limit: .max).filter { event == nil || $0.event == event }
            guard !failures.isEmpty else {
                throw Refused(
                    "no_failure", "'\(name)' has not set aside \(event.map { "event \($0)" } ?? "any event").")
            }
            try forgetCalls(of: name)
            let events = failures.filter { !$0.isCall }
            for var failure in events {
                failure.isAsked = true
                try plugins.set(failure)
            }
            return Int64(events.count)
        }
    }

    func known(_ name: String) throws -> Plugin {
        guard let plugin = try plugins.get(name) else {
            throw Refused(
                "no_plugin", "There is no plugin '\(SafeText.line(name))'; 'moonshelf plugin list' lists them.")
        }
        return plugin
    }

    /// Writes a plugin down as it is from now on, and tells of it. A new one begins behind that event.
    func keep(_ changed: Plugin, _ action: PluginChange.Action, _ note: String) throws -> Plugin {
        var plugin = changed
        plugin.changedAt = session.now
        // Another version may be able to do what this one could not; the worker that has it in hand loses it.
        plugin.progress.tries = 0
        plugin.progress.retryAt = nil
        if action == .used || action == .rolledBack { try forgetCalls(of: plugin.name) }
        if plugin.state != .active { try session.jobs.forget { $0.plugin == plugin.name } }
        let fields = try session.settingsSnapshot().customFields
        let told = try tell(plugin, action, note)
        if plugin.id == 0 {
            plugin.progress.position = told
            plugin.id = try plugins.insert(plugin)
        } else {
            try plugins.update(plugin)
        }
        try session.customFields.apply(since: fields, for: plugin)
        return plugin
    }

    /// - Returns: the sequence of the event.
    @discardableResult
    private func tell(_ plugin: Plugin, _ action: PluginChange.Action, _ note: String) throws -> Int64 {
        let change = PluginChange(
            plugin: plugin.name, action: action, sha256: plugin.sha256, version: plugin.version, rights: plugin.rights,
            settings: plugin.settings, at: session.now, actor: session.actor.name, note: note)
        try plugins.insert(change)
        return try session.record(.pluginChanged, ChangedPlugin(change))?.sequence ?? 0
    }
}
