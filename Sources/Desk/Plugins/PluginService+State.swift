package import Circulation
import Storage

/// A plugin would keep more than it may.
package struct PluginStateFull: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    package var description: String { "the state would be larger than \(PluginService.mostState >> 20) MB" }
}

// What plugins keep: JSON by keys, about a patron or not.
extension PluginService {
    /// The most bytes that a plugin may keep, keys among them.
    package static let mostState: Int64 = 1 << 20

    /// What a plugin keeps under a key.
    package func value(_ key: String, of plugin: String) throws -> PluginValue? { try plugins.value(key, of: plugin) }

    /// What a plugin keeps behind a key, by key.
    package func values(of plugin: String, after key: String, limit: Int64) throws -> [PluginValue] {
        try plugins.values(of: plugin, after: key, limit: limit)
    }

    /// Writes down what a plugin keeps from now on.
    ///
    /// - Parameter changes: by their keys; nil: the key goes. What is about a patron who is gone is not kept.
    /// - Throws: ``PluginStateFull``.
    package func keep(_ changes: [String: PluginValue?], of plugin: String) throws {
        guard !changes.isEmpty else { return }
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value, try value.patron.map({ try session.transaction.patrons.get($0) != nil }) ?? true {
                try plugins.set(value, of: plugin)
            } else {
                try plugins.removeValue(key, of: plugin)
            }
        }
        guard try plugins.valueSize(of: plugin) <= Self.mostState else { throw PluginStateFull() }
    }

    /// Takes out of the errors of plugins what names a patron who is removed.
    func forget(_ words: [String]) throws {
        for plugin in try plugins.list() {
            for var failure in try plugins.failures(of: plugin.name, limit: .max) {
                let before = failure
                failure.fault.message = failure.fault.message.blackingOut(words)
                failure.fault.trace = failure.fault.trace?.blackingOut(words)
                if failure != before { try plugins.set(failure) }
            }
        }
    }

    /// What plugins keep about a patron, for the patron's own eyes.
    package func values(about patron: Int64) throws -> [(plugin: String, value: PluginValue)] {
        try plugins.values(about: patron)
    }
}
