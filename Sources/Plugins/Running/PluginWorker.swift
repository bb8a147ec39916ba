package import Circulation
package import Desk
package import LuaRuntime
package import Scripting
import Storage
import TextFormats

/// What became of a round of work.
package struct PluginWork: Hashable, Sendable {
    /// Events that were handled.
    package var handled: Int64 = 0
    /// Events that failed and will be tried again.
    package var putOff: Int64 = 0
    /// Events that were set aside.
    package var setAside: Int64 = 0
    /// When the first of those that were put off is tried again, by the library's clock.
    package var next: Instant?
    /// Whether something waits that another worker has in hand.
    package var isElsewhere = false
    /// What went wrong, with the plugin's name in front.
    package var problems: [String] = []

    package init() {}

    /// Whether anything was done.
    package var isIdle: Bool { handled + putOff + setAside == 0 }

    /// Adds what another turn came to.
    package mutating func add(_ other: PluginWork) {
        handled += other.handled
        putOff += other.putOff
        setAside += other.setAside
        next = other.next
        isElsewhere = other.isElsewhere
        problems += other.problems
    }
}

/// Carries plugins out: hands them the events that they have not handled yet, in the order of the log, each once.
///
/// Any number of workers, of any number of machines, may work at one store: a plugin is in the hands of one of them. Used
/// by one thread, with enough stack for Lua.
package final class PluginWorker {
    /// Who the worker is, and how it knows others.
    package struct Identity {
        /// The worker's name; no other has the same.
        package var owner: String
        /// Whether another worker is there, where that is known.
        package var presence: (String) -> ProcessPresence
        /// The clock of the machine, by which leases run.
        package var machine: any Clock

        package init(owner: String, machine: any Clock, presence: @escaping (String) -> ProcessPresence) {
            self.owner = owner
            self.machine = machine
            self.presence = presence
        }
    }

    /// How long a worker may be silent, in seconds.
    private static let lease: Int64 = 60
    /// How many events of one plugin are looked at before the next plugin has its turn.
    private static let mostInTurn = 500
    private static let pageSize = 100
    /// So many events that do not concern a plugin are passed over before that is written down.
    private static let passed: Int64 = 1_000

    private let desk: Desk
    private let clock: any Clock
    private let identity: Identity
    private let output: any ScriptOutput
    private let limits: LuaLimits
    private let probes: PolicyProbes?
    private var loaded: [String: (key: LoadedPlugin.Key, plugin: LoadedPlugin)] = [:]
    /// Up to where the log was seen to have nothing for a plugin.
    private var seen: [String: Int64] = [:]
    /// Events that were read ahead, for one turn of a plugin.
    private var ahead: ArraySlice<Event> = []
    private var looked = Looked()

    /// Events that handlers have come to the end of without a write, in one turn of a plugin, before that is written down:
    /// the next ones are handled upon what was kept on them.
    private struct Looked {
        private(set) var last: Event?
        private(set) var count: Int64 = 0
        /// How many are to be written down one by one.
        var apart: Int64 = 0
        private var began = ContinuousClock.now

        /// What is to be done again if the program is killed.
        private static let most = (count: Int64(100), time: Duration.milliseconds(50))

        var isFull: Bool { apart > 0 || count >= Self.most.count || .now - began >= Self.most.time }

        mutating func add(_ event: Event) {
            if last == nil { began = .now }
            last = event
            count += 1
        }

        mutating func clear() {
            if last != nil { apart = max(0, apart - count) }
            (last, count) = (nil, 0)
        }
    }

    /// - Parameters:
    ///   - output: what handlers print and log.
    ///   - limits: what one handler may use up.
    ///   - probes: counts what runs, in a test.
    package init(
        desk: Desk, clock: any Clock, identity: Identity, output: any ScriptOutput,
        limits: LuaLimits = LoadedPlugin.limits, probes: PolicyProbes? = nil
    ) {
        self.desk = desk
        self.clock = clock
        self.identity = identity
        self.output = output
        self.limits = limits
        self.probes = probes
    }

    /// Does what is due now, of all plugins, by turns.
    ///
    /// - Parameter isStopped: asked between events.
    /// - Throws: ``StoreError`` where the store fails.
    package func work(isStopped: () -> Bool = { false }) throws -> PluginWork {
        var all = PluginWork()
        while !isStopped() {
            let round = try round(isStopped)
            all.add(round)
            if round.isIdle { break }
        }
        return all
    }

    private func round(_ isStopped: () -> Bool) throws -> PluginWork {
        var round = PluginWork()
        let (plugins, last) = try desk.read { (try $0.plugins.list(), try $0.events.last()) }
        loaded = loaded.filter { name, _ in plugins.contains { $0.name == name } }
        for plugin in plugins where plugin.state == .active && !isStopped() {
            do {
                try take(plugin, last, &round, isStopped)
            } catch let lost as PluginLost {
                // Changed meanwhile: the next round sees it as it is.
                loaded[lost.plugin] = nil
                seen[lost.plugin] = nil
            } catch let fault as PluginFault {
                round.problems.append("\(plugin.name): \(fault)")
            }
        }
        return round
    }

    /// What is next for a plugin.
    private enum Next {
        case event(Event)
        case failure(PluginFailure, Event)
        /// Nothing up to there.
        case nothing(Int64)
    }

    private func take(_ plugin: Plugin, _ last: Int64, _ round: inout PluginWork, _ isStopped: () -> Bool) throws {
        let ready = try load(plugin)
        ahead = []
        defer { ahead = [] }
        let first = try desk.read { session in
            try next(ready, plugin, from: max(plugin.progress.position, seen[plugin.name] ?? 0), in: session)
        }
        if case .nothing(let end) = first {
            seen[plugin.name] = end
            guard end - plugin.progress.position >= Self.passed else { return }
        } else if let retry = plugin.progress.retryAt, retry > clock.now(), try !hasAsked(plugin) {
            round.next = min(round.next ?? retry, retry)
            return
        }
        let claimed = try desk.write { session in
            try session.plugins.claim(
                plugin.name, owner: identity.owner, lease: leaseNow(), presence: identity.presence)
        }
        guard var hold = claimed else {
            round.isElsewhere = true
            return
        }
        guard hold.sha256 == plugin.sha256 else { return }
        defer { try? desk.write { try $0.plugins.release(hold) } }
        var rest = Self.mostInTurn
        ready.forget()
        looked = Looked()
        while rest > 0, !isStopped() {
            rest -= 1
            hold.lease = try leaseNow()
            guard try step(ready, &hold, &round) else { return }
        }
        _ = try keep(ready, &hold, &round)
    }

    private func leaseNow() throws -> PluginHold.Lease {
        PluginHold.Lease(machineNow: identity.machine.now(), seconds: Self.lease)
    }

    private func hasAsked(_ plugin: Plugin) throws -> Bool {
        try desk.read { try $0.plugins.asked(plugin.name) != nil }
    }

    /// - Returns: whether there may be more to do at once.
    private func step(_ plugin: LoadedPlugin, _ hold: inout PluginHold, _ round: inout PluginWork) throws -> Bool {
        if let last = looked.last {
            var position = last.sequence
            if let event = nextAhead(plugin, &position) { return try handle(event, plugin, &hold, &round) }
            return try keep(plugin, &hold, &round) ?? true
        }
        let (present, found) = try desk.read { session in
            let present = try session.plugins.check(hold)
            return (present, try next(plugin, present, from: max(hold.position, seen[plugin.name] ?? 0), in: session))
        }
        switch found {
        case .failure(let failure, let event):
            try retry(failure, event, plugin, &hold, &round)
            return true
        case .event(let event):
            if let retry = present.progress.retryAt, retry > clock.now() {
                round.next = min(round.next ?? retry, retry)
                return false
            }
            return try handle(event, plugin, &hold, &round)
        case .nothing(let end):
            seen[plugin.name] = end
            if end - hold.position >= Self.passed {
                var next = hold
                try desk.write { try $0.plugins.pass(&next, to: end) }
                hold = next
            }
            return false
        }
    }

    /// The next event that a plugin wants, behind a sequence, or what is to be tried once more.
    private func next(
        _ plugin: LoadedPlugin, _ record: Plugin, from sequence: Int64, in session: DeskSession
    ) throws -> Next {
        if let failure = try session.plugins.asked(record.name),
            let event = try session.plugins.event(failure.event)
        {
            return .failure(failure, event)
        }
        var position = sequence
        while true {
            if let event = nextAhead(plugin, &position) { return .event(event) }
            let last = try session.events.last()
            let page = try session.events.list(
                EventQuery(since: position, kinds: plugin.manifest.events, limit: Self.pageSize))
            ahead = page.filter { $0.sequence <= last }[...]
            if ahead.isEmpty { return .nothing(last) }
        }
    }

    /// The next event that was read ahead and that a plugin wants; those that it does not want are passed over.
    private func nextAhead(_ plugin: LoadedPlugin, _ position: inout Int64) -> Event? {
        while let event = ahead.first {
            if event.sequence > position {
                // What cannot be read is the handler's to fail at.
                guard let seen = try? PublicEvent(event), !plugin.wants(seen) else { return event }
                position = event.sequence
            }
            ahead = ahead.dropFirst()
        }
        return nil
    }

    private func handle(
        _ event: Event, _ plugin: LoadedPlugin, _ hold: inout PluginHold, _ round: inout PluginWork
    ) throws -> Bool {
        var next = hold
        do {
            let handling = EventHandling(plugin: plugin, event: event) { session in
                try session.plugins.handled(&next, event.sequence)
            }
            if try handling.look() {
                looked.add(event)
                return looked.isFull ? try keep(plugin, &hold, &round) ?? true : true
            }
            if let goesOn = try keep(plugin, &hold, &round) { return goesOn }
            next = hold
            try handling.write()
            hold = next
            plugin.output.release()
            round.handled += 1
            return true
        } catch let fault as PluginFault {
            if let goesOn = try keep(plugin, &hold, &round) { return goesOn }
            return try fail(event, fault, plugin, &hold, &round)
        } catch let error as DeskError where error.code == .repeatedRequest {
            // It was handled, as the log shows: a store that was put back to an earlier cursor.
            next = hold
            try desk.write { try $0.plugins.pass(&next, to: event.sequence) }
            hold = next
            return true
        }
    }

    /// Writes down that events were handled at which was looked, and what was kept on them, in one transaction.
    ///
    /// - Returns: nil where there is nothing left to be written down; else whether there may be more to do at once.
    private func keep(
        _ plugin: LoadedPlugin, _ hold: inout PluginHold, _ round: inout PluginWork
    ) throws -> Bool? {
        guard let last = looked.last else { return nil }
        let count = looked.count
        looked.clear()
        var next = hold
        do {
            try EventHandling.translating {
                try plugin.keep { try $0.plugins.handled(&next, last.sequence, count: count) }
            }
            hold = next
            plugin.output.release()
            round.handled += count
            return nil
        } catch let fault as PluginFault {
            if count == 1 { return try fail(last, fault, plugin, &hold, &round) }
            // One of them is at fault, which shows when each is written down by itself.
            looked.apart = count
            plugin.forget()
            ahead = []
            return true
        }
    }

    /// - Returns: whether there may be more to do at once.
    private func fail(
        _ event: Event, _ fault: PluginFault, _ plugin: LoadedPlugin, _ hold: inout PluginHold,
        _ round: inout PluginWork
    ) throws -> Bool {
        plugin.output.release()
        var next = hold
        let again = try desk.write {
            try $0.plugins.failed(&next, event, fault, isFinal: fault.code == PluginFault.chain)
        }
        hold = next
        round.problems.append("\(plugin.name): event \(event.sequence), \(event.kind): \(fault)")
        guard let again else {
            round.setAside += 1
            return try desk.read { try $0.plugins.get(plugin.name)?.state == .active }
        }
        round.putOff += 1
        round.next = min(round.next ?? again, again)
        return false
    }

    private func retry(
        _ failure: PluginFailure, _ event: Event, _ plugin: LoadedPlugin, _ hold: inout PluginHold,
        _ round: inout PluginWork
    ) throws {
        var next = hold
        do {
            let handling = EventHandling(plugin: plugin, event: event) { session in
                try session.plugins.retried(&next, failure, nil)
            }
            try handling.run()
            hold = next
            round.handled += 1
        } catch let fault as PluginFault {
            next = hold
            try desk.write { try $0.plugins.retried(&next, failure, fault) }
            hold = next
            round.setAside += 1
            round.problems.append("\(plugin.name): event \(event.sequence), \(event.kind): \(fault)")
        }
    }

    private func load(_ plugin: Plugin) throws -> LoadedPlugin {
        let key = try LoadedPlugin.Key(plugin, at: desk)
        if let known = loaded[plugin.name], known.key == key { return known.plugin }
        let made = try LoadedPlugin(
            plugin, desk: desk, clock: clock, output: output, limits: limits, probes: probes)
        // Another version may want what this one passed over.
        if loaded[plugin.name]?.key.sha256 != plugin.sha256 { seen[plugin.name] = nil }
        loaded[plugin.name] = (key, made)
        return made
    }
}

extension PluginWorker {
    /// Works until it is stopped, and waits while there is nothing to do.
    ///
    /// - Parameters:
    ///   - wait: waits for so long; false ends the work.
    ///   - tell: is handed what was done and what went wrong.
    package func watch(
        isStopped: () -> Bool, wait: (Duration) -> Bool, tell: (PluginWork) -> Void
    ) {
        while !isStopped() {
            var pause = Duration.milliseconds(500)
            do {
                let done = try work(isStopped: isStopped)
                if !done.isIdle || !done.problems.isEmpty { tell(done) }
            } catch {
                var failed = PluginWork()
                failed.problems = ["\(error)"]
                tell(failed)
                pause = .seconds(5)
            }
            guard wait(pause) else { return }
        }
    }
}
