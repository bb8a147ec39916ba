package import Circulation
import Storage

/// A plugin in the hands of a worker, as the worker has read it.
package struct PluginHold: Hashable, Sendable {
    package let name: String
    /// The version whose handlers the worker has.
    package let sha256: String
    package let owner: String
    /// For how long the worker may be silent from now on, by the machine's clock.
    package var lease: Lease
    /// The last event that it has done with.
    package var position: Int64

    /// How leases run.
    package struct Lease: Hashable, Sendable {
        package var machineNow: Instant
        package var seconds: Int64

        package init(machineNow: Instant, seconds: Int64) {
            self.machineNow = machineNow
            self.seconds = seconds
        }
    }
}

/// The plugin is not what the worker has in hand any more: changed, switched off, or in another's hands. What was done is
/// undone.
package struct PluginLost: Error, Hashable, Sendable {
    package let plugin: String
}

// What workers do, each step in the transaction of what the handler wrote.
extension PluginService {
    /// How often an event is tried before it is set aside.
    package static let mostTries: Int64 = 10
    /// How many events set aside one after the other pause a plugin.
    package static let mostFailuresInRow: Int64 = 20
    /// How long the chain of causes may be: what a plugin does about what a plugin did, and so on.
    package static let mostDepth = 8

    /// How long an event waits after a number of tries, in seconds: 2, 4, 8 and so on, at most ten minutes.
    package static func pause(afterTries tries: Int64) -> Int64 { tries >= 10 ? 600 : min(600, 1 << max(1, tries)) }

    /// Takes a plugin in hand, so that no other worker does.
    ///
    /// - Parameter presence: of a worker, where that is known: its lease is not asked then.
    /// - Returns: nil where it is not active, or in another's hands.
    package func claim(
        _ name: String, owner: String, lease: PluginHold.Lease,
        presence: (String) -> ProcessPresence = { _ in .unknown }
    ) throws -> PluginHold? {
        guard var plugin = try plugins.get(name), plugin.state == .active else { return nil }
        if let other = plugin.progress.owner, other != owner {
            switch presence(other) {
            case .present: return nil
            case .gone: break
            case .unknown: if let until = plugin.progress.leaseUntil, until > lease.machineNow { return nil }
            }
        }
        plugin.progress.owner = owner
        plugin.progress.leaseUntil = try lease.machineNow.adding(seconds: lease.seconds)
        try plugins.update(plugin)
        return PluginHold(
            name: name, sha256: plugin.sha256, owner: owner, lease: lease, position: plugin.progress.position)
    }

    /// Lets go of a plugin, if it is in the worker's hands still.
    package func release(_ hold: PluginHold) throws {
        guard var plugin = try plugins.get(hold.name), plugin.progress.owner == hold.owner else { return }
        plugin.progress.owner = nil
        plugin.progress.leaseUntil = nil
        try plugins.update(plugin)
    }

    /// The plugin, if it is as the worker has it in hand.
    ///
    /// - Throws: ``PluginLost``.
    package func check(_ hold: PluginHold) throws -> Plugin {
        guard let plugin = try plugins.get(hold.name), plugin.state == .active, plugin.sha256 == hold.sha256,
            plugin.progress.owner == hold.owner, plugin.progress.position == hold.position
        else { throw PluginLost(plugin: hold.name) }
        return plugin
    }

    /// Events up to one do not concern the plugin.
    package func pass(_ hold: inout PluginHold, to sequence: Int64) throws {
        try step(&hold, to: sequence) { _ in }
    }

    /// An event was handled, or a number of them of which it is the last.
    package func handled(_ hold: inout PluginHold, _ event: Int64, count: Int64 = 1) throws {
        try step(&hold, to: event) { [session] plugin in
            plugin.progress.handled += count
            plugin.progress.failedInRow = 0
            plugin.progress.lastHandledAt = session.now
        }
    }

    /// An event could not be handled: it is tried again after a pause, and set aside after ``mostTries``; then the plugin
    /// may be paused.
    ///
    /// - Parameter isFinal: trying again cannot help.
    /// - Returns: when it is tried again; nil: it was set aside.
    package func failed(
        _ hold: inout PluginHold, _ event: Event, _ fault: PluginFault, isFinal: Bool = false
    ) throws -> Instant? {
        let plugin = try check(hold)
        let tries = plugin.progress.tries + 1
        guard isFinal || tries >= Self.mostTries else {
            let next = try session.now.adding(seconds: Self.pause(afterTries: tries))
            try step(&hold, to: hold.position, isAnew: false) { plugin in
                plugin.progress.tries = tries
                plugin.progress.retryAt = next
            }
            return next
        }
        let failure = PluginFailure(
            plugin: hold.name, sha256: hold.sha256, event: event.sequence, kind: event.kind, tries: tries, fault: fault,
            failedAt: session.now)
        try plugins.set(failure)
        try tellSetAside(failure)
        try step(&hold, to: event.sequence) { $0.progress.failedInRow += 1 }
        guard var changed = try plugins.get(hold.name), changed.progress.failedInRow >= Self.mostFailuresInRow else {
            return nil
        }
        changed.state = .paused
        try tellPaused(failure)
        _ = try keep(
            changed, .paused, "All of its last \(Self.mostFailuresInRow) events failed; the last: \(fault.message)")
        return nil
    }

    /// An event that had been set aside was tried once more.
    ///
    /// - Parameter fault: nil: it was handled.
    package func retried(_ hold: inout PluginHold, _ failure: PluginFailure, _ fault: PluginFault?) throws {
        _ = try check(hold)
        guard let fault else {
            // Another worker may have done it.
            guard try plugins.settleFailure(of: hold.name, event: failure.event) else {
                throw PluginLost(plugin: hold.name)
            }
            return try step(&hold, to: hold.position, isAnew: false) { $0.progress.handled += 1 }
        }
        var failure = failure
        failure.tries += 1
        failure.sha256 = hold.sha256
        failure.fault = fault
        failure.failedAt = session.now
        failure.isAsked = false
        try plugins.set(failure)
    }

    /// What is to be tried once more: the oldest.
    package func asked(_ name: String) throws -> PluginFailure? { try plugins.askedFailure(of: name) }

    private func step(
        _ hold: inout PluginHold, to sequence: Int64, isAnew: Bool = true, _ change: (inout Plugin) -> Void
    ) throws {
        var plugin = try check(hold)
        plugin.progress.position = sequence
        plugin.progress.leaseUntil = try hold.lease.machineNow.adding(seconds: hold.lease.seconds)
        if isAnew { (plugin.progress.tries, plugin.progress.retryAt) = (0, nil) }
        change(&plugin)
        try plugins.update(plugin)
        hold.position = sequence
    }
}
