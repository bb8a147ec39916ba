package import Circulation
package import Desk
import LuaRuntime
import Scripting
import Storage
package import TextFormats

/// Lets a library's past happen once more with a plugin in force: what it would have written and sent, and where it would
/// have failed. The library is only read, and nothing goes out.
package final class PluginReplay {
    /// A plugin as it would be in force.
    package struct Candidate {
        package var bundle: PolicyBundle
        package var manifest: PluginManifest
        package var rights: [String]
        package var settings: JSONObject

        package init(bundle: PolicyBundle, manifest: PluginManifest, rights: [String], settings: JSONObject) {
            self.bundle = bundle
            self.manifest = manifest
            self.rights = rights
            self.settings = settings
        }
    }

    /// The part of the past that the plugin sees.
    package struct Period: Hashable, Sendable {
        /// nil: from the beginning.
        package var from: Instant?
        /// The first instant that it sees no more; nil: to the end.
        package var until: Instant?

        package init(from: Instant? = nil, until: Instant? = nil) {
            self.from = from
            self.until = until
        }
    }

    /// Says when something that a plugin adds is due after a moment; nil: never.
    package typealias Timing = (Contribution, Instant) throws -> Instant?

    package let candidate: Candidate
    package let period: Period
    package let library: LibrarySettings
    package private(set) var counts = PluginReplayCounts()
    private let tell: (PluginDoing) throws -> Void
    private let progress: (Int64, Int64) throws -> Void
    private let timing: Timing
    /// Up to when its jobs run.
    private let end: Instant
    private let output = RecordedOutput()
    /// The plugin in force at the scratch store, from the first event on that it sees.
    private var plugin: Plugin?
    private var loaded: (key: LoadedPlugin.Key, plugin: LoadedPlugin)?
    private var due: [(job: Contribution, at: Instant)] = []

    /// - Parameters:
    ///   - timing: when jobs are due.
    ///   - progress: called now and then with the events read and their total; an error that it throws ends the replay.
    ///   - tell: called with each thing that the plugin did, as it does it.
    /// - Throws: ``PluginFault`` where the plugin cannot be loaded; ``StoreError``; what the callers throw.
    package init(
        of candidate: Candidate, _ period: Period, at desk: Desk, timing: @escaping Timing,
        progress: @escaping (Int64, Int64) throws -> Void = { _, _ in }, tell: @escaping (PluginDoing) throws -> Void
    ) throws {
        self.candidate = candidate
        self.period = period
        self.timing = timing
        self.progress = progress
        self.tell = tell
        let now: Instant
        (library, now) = try desk.read { (try $0.settings.library(), $0.now) }
        end = min(period.until ?? now, now)
        try desk.repeatingPast(without: ActorName.plugin(candidate.manifest.name)) { try run($0) }
    }

    private func run(_ past: RepeatedPast) throws {
        try past.happen(until: period.until) { moment in
            if let from = period.from, moment < from { return }
            // A history that was imported lies before the event with which the log begins.
            if counts.jobs == 0, moment < past.clock.now() { try plan(from: moment) }
            try work(past, upTo: moment)
        } _: { event, place in
            counts.events += 1
            if counts.events % 500 == 0 { try progress(counts.events, past.total) }
            if let from = period.from, event.at < from { return true }
            try begin(past)
            try show(event, place, past)
            return counts.pausedAt == nil
        }
        if counts.pausedAt == nil { try work(past, upTo: end) }
        counts.leftOut = past.leftOut
        counts.impossible = past.impossible
        try past.desk.read { session in
            counts.kept = Int64(try session.plugins.values(of: candidate.manifest.name, after: "", limit: .max).count)
            for (patron, _) in counts.mostWritten {
                counts.usernames[patron] = try session.patrons.get(.id(patron))?.username
            }
        }
        try progress(counts.events, past.total)
    }

    /// Puts the plugin into force, if it is not yet.
    private func begin(_ past: RepeatedPast) throws {
        guard plugin == nil else { return }
        let rights = Set(candidate.rights)
        let put = PluginCandidate(
            bundle: candidate.bundle, name: candidate.manifest.name, version: candidate.manifest.version,
            needs: candidate.rights, settings: candidate.settings)
        switch try past.desk.write({ try $0.plugins.use(put, allowing: rights) }) {
        case .done(let used): plugin = used
        case .refused(let refusal): throw PluginFault(code: refusal.code, message: refusal.message)
        }
        _ = try ready(past)
        try plan(from: past.clock.now())
    }

    /// When each of its jobs is due first.
    private func plan(from moment: Instant) throws {
        due = try candidate.manifest.contributions.filter { $0.kind == Self.jobs }.compactMap { job in
            try timing(job, moment).map { (job, $0) }
        }
    }

    /// The key of what runs at times of its own.
    private static let jobs = "jobs"

    /// The plugin with the library as it is at that moment.
    private func ready(_ past: RepeatedPast) throws -> LoadedPlugin {
        guard let plugin else { throw PluginFault(code: "missing", message: "the plugin is not in force") }
        let key = try LoadedPlugin.Key(plugin, at: past.desk)
        if let loaded, loaded.key == key { return loaded.plugin }
        let made = try LoadedPlugin(
            plugin, desk: past.desk, clock: past.clock, output: output, limits: LoadedPlugin.limits)
        made.web.isTrial = true
        loaded = (key, made)
        return made
    }

    // MARK: - What it does

    /// Has its jobs done that are due by a moment, in the order of their times.
    private func work(_ past: RepeatedPast, upTo moment: Instant) throws {
        while let next = due.indices.min(by: { due[$0].at < due[$1].at }), due[next].at <= moment {
            let (job, at) = due[next]
            if let later = try timing(job, at) { due[next].at = later } else { due.remove(at: next) }
            past.clock.set(at)
            counts.jobs += 1
            let loaded = try ready(past)
            let last = try past.desk.read { try $0.events.last() }
            try note(PluginDoing(at: at, job: job.name), past) { _ = try loaded.call(job) }
            try showOwn(since: last, past)
        }
    }

    /// Hands it an event, and what it did about it.
    private func show(_ event: Event, _ place: Int64, _ past: RepeatedPast) throws {
        var placed = event
        placed.sequence = place
        try handle(placed, as: event.sequence, past)
        try showOwn(since: place, past)
    }

    /// Hands it what it did itself, if it wants to see that.
    private func showOwn(since place: Int64, _ past: RepeatedPast) throws {
        let own = candidate.manifest.handlers.filter(\.seesOwn).map(\.event)
        guard !own.isEmpty else { return }
        var position = place
        while counts.pausedAt == nil {
            let query = EventQuery(since: position, kinds: Set(own), limit: 100)
            let page = try past.desk.read { try $0.events.list(query) }
            guard let last = page.last else { return }
            for event in page { try handle(event, as: nil, past) }
            position = last.sequence
        }
    }

    private func handle(_ event: Event, as sequence: Int64?, _ past: RepeatedPast) throws {
        let loaded = try ready(past)
        guard loaded.wants(try PublicEvent(event)) else { return }
        counts.handled += 1
        let doing = PluginDoing(at: event.at, event: sequence, kind: event.kind)
        let handling = EventHandling(plugin: loaded, event: event) { _ in }
        try note(doing, past) { try handling.run() }
    }

    /// Tells what was written and sent meanwhile.
    private func note(_ begun: PluginDoing, _ past: RepeatedPast, _ body: () throws -> Void) throws {
        var doing = begun
        let owner = OutgoingRequest.owner(plugin: candidate.manifest.name)
        let (last, waiting) = try past.desk.read {
            (try $0.events.last(), try $0.outbox.count(.queued, of: owner))
        }
        do {
            try body()
        } catch let fault as PluginFault {
            doing.fault = fault
        }
        doing.printed = Array(output.takePrinted().prefix(PluginDoing.most))
        try past.desk.read { session in
            let added = try session.outbox.count(.queued, of: owner) - waiting
            if added > 0 {
                doing.requests = try session.outbox.list(.queued, of: owner, limit: min(added, Int64(PluginDoing.most)))
                    .reversed().map { SafeText.line("\($0.method) \($0.url)") }
            }
            try session.events.each(EventQuery(since: last)) { event in
                try counts.add(event, to: &doing, session)
                return true
            }
        }
        counts.note(doing)
        if !doing.isSilent { try tell(doing) }
    }
}
