package import TextFormats

/// A plugin of the library as it is now: which version, what it may do, how far it is.
package struct Plugin: Hashable, Sendable {
    /// Whether it reacts to what happens.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Its handlers are called.
        case active
        /// Switched off by hand; its events wait.
        case disabled
        /// Switched off by itself: too many events failed one after the other.
        case paused
    }

    package var id: Int64
    /// The plugin's own `name`; unique in a store.
    package var name: String
    /// The SHA-256 of its bundle.
    package var sha256: String
    /// The plugin's own `version`, such as `1.2.0`.
    package var version: String
    /// What it was granted, sorted.
    package var rights: [String]
    /// The values of its settings, those that are secret among them.
    package var settings: JSONObject
    package var state: State
    package var changedAt: Instant
    package var progress: Progress

    /// How far a plugin has read the log of events, and who is at it.
    package struct Progress: Hashable, Sendable {
        /// The sequence of the last event that it has done with; it begins where the log ended when it came into force.
        package var position: Int64
        /// The worker that has it in hand; nil: none.
        package var owner: String?
        /// Until when the worker need not be heard of, by the machine's clock.
        package var leaseUntil: Instant?
        /// How often the event behind the position was tried without success.
        package var tries: Int64 = 0
        /// When that event is tried again; nil: at once.
        package var retryAt: Instant?
        /// How many events it has handled.
        package var handled: Int64 = 0
        /// How many of its last events were set aside one after the other.
        package var failedInRow: Int64 = 0
        package var lastHandledAt: Instant?

        package init(position: Int64) {
            self.position = position
        }
    }

    package init(
        id: Int64 = 0, name: String, sha256: String, version: String, rights: [String], settings: JSONObject,
        state: State, changedAt: Instant, progress: Progress
    ) {
        self.id = id
        self.name = name
        self.sha256 = sha256
        self.version = version
        self.rights = rights
        self.settings = settings
        self.state = state
        self.changedAt = changedAt
        self.progress = progress
    }
}

/// One change of what is in force of a plugin, for its history.
package struct PluginChange: Hashable, Sendable {
    /// What was done to it.
    package enum Action: String, CaseIterable, Hashable, Sendable {
        case used, rolledBack = "rolled_back", configured, disabled, enabled, paused, removed
    }

    package var id: Int64
    package var plugin: String
    package var action: Action
    package var sha256: String
    package var version: String
    package var rights: [String]
    /// The values of its settings from then on, those that are secret among them.
    package var settings: JSONObject
    package var at: Instant
    package var actor: String
    package var note: String

    package init(
        id: Int64 = 0, plugin: String, action: Action, sha256: String, version: String, rights: [String],
        settings: JSONObject, at: Instant, actor: String, note: String
    ) {
        self.id = id
        self.plugin = plugin
        self.action = action
        self.sha256 = sha256
        self.version = version
        self.rights = rights
        self.settings = settings
        self.at = at
        self.actor = actor
        self.note = note
    }
}

/// An event that a plugin could not handle and that was set aside, or the last error of something that it adds.
package struct PluginFailure: Hashable, Sendable {
    package var id: Int64
    package var plugin: String
    /// The version that failed.
    package var sha256: String
    /// The sequence of the event, and its kind; of a call a number below zero that is its own, and what was called: `job list`.
    package var event: Int64
    package var kind: String
    package var tries: Int64
    package var fault: PluginFault
    package var failedAt: Instant
    /// It was asked that it be tried once more.
    package var isAsked: Bool
    /// Whether it was no event.
    package var isCall: Bool { event < 0 }

    package init(
        id: Int64 = 0, plugin: String, sha256: String, event: Int64, kind: String, tries: Int64, fault: PluginFault,
        failedAt: Instant, isAsked: Bool = false
    ) {
        self.id = id
        self.plugin = plugin
        self.sha256 = sha256
        self.event = event
        self.kind = kind
        self.tries = tries
        self.fault = fault
        self.failedAt = failedAt
        self.isAsked = isAsked
    }
}

/// Why a handler did not come to its end.
package struct PluginFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// `lua_error`, `time_limit`, `memory_limit`, `capability`, `chain` and the like.
    package var code: String
    package var message: String
    package var file: String?
    package var line: Int64?
    package var trace: String?

    package init(code: String, message: String, file: String? = nil, line: Int64? = nil, trace: String? = nil) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.trace = trace
    }

    package var description: String {
        guard let file else { return message }
        return line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}

/// A value that a plugin keeps.
package struct PluginValue: Hashable, Sendable {
    package var key: String
    package var value: JSON
    /// Whom it is about; it goes with the patron.
    package var patron: Int64?

    package init(key: String, value: JSON, patron: Int64? = nil) {
        self.key = key
        self.value = value
        self.patron = patron
    }
}
