import Desk
package import Foundation
package import Storage
import TestSupport

/// One torture of one store, from its making to the verdict.
package struct Ordeal {
    package enum Driver: String, CaseIterable, Sendable { case sqlite, postgres }

    /// How many answers each desk has before it is told to stop, however long it takes.
    package static let fewestAnswers = 20

    package var driver: Driver
    /// How long the processes work, at least: see ``fewestAnswers``.
    package var seconds: Double
    package var processes: Int
    /// How many desks each process serves over SQLite, where they share commits; over PostgreSQL it is one.
    package var hands: Int
    package var seed: UInt64
    /// The program that the processes run.
    package var program: URL
    /// Whether journals and store stay.
    package var isKept: Bool
    /// How often those are killed who carry plugins out, and the server, in place of all other trouble; nil: there are no
    /// plugins.
    package var pluginKills: Int?

    /// - Parameter program: nil: this one.
    package init(
        driver: Driver, seconds: Double, processes: Int, hands: Int = 1, seed: UInt64, program: URL? = nil,
        isKept: Bool = false
    ) throws {
        self.driver = driver
        self.seconds = seconds
        self.processes = processes
        self.hands = driver == .sqlite ? hands : 1
        self.seed = seed
        self.isKept = isKept
        self.program =
            try program ?? URL(filePath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    }

    /// Tortures the store and judges it.
    ///
    /// - Parameter meddle: what else to do to the store and the journals before the verdict: for showing that the verdict
    ///   notices.
    /// - Throws: ``TortureFailure`` and others where the torture itself could not go on.
    package func run(meddle: (Remains) throws -> Void = { _ in }) throws -> OrdealReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-torture-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { if !isKept { try? FileManager.default.removeItem(at: folder) } }
        let site: any Site = driver == .sqlite ? FileSite(folder: folder) : try ServerSite()
        let openedAt = pluginKills == nil ? TortureClock.machine() : TortureClock.calendar
        let store = try StoreOpening.open(site.address, create: true)
        defer { try? store.close() }
        let desk = TortureLibrary.desk(store, openedAt)
        var begunAfter = try TortureLibrary.fill(desk)
        let plugins = try pluginKills.map { _ in
            try PluginGang(desk, program.deletingLastPathComponent(), folder: folder, address: site.address)
        }
        if plugins != nil { begunAfter = try desk.read { try $0.events.last() } }
        let addresses = (0..<processes).map { site.address($0) }
        let crew = Crew(
            size: processes, hands: hands, program: program, folder: folder, seed: seed, openedAt: openedAt,
            pause: plugins == nil ? 0 : 20 * processes, address: { addresses[$0] })
        let watch = Watch(store, openedAt: openedAt)
        watch.start()
        let spans: [PhaseSpan]
        do {
            try crew.start()
            // What the machine needs for the beginning of so many processes is no part of the phases.
            try crew.wait(untilEachHas: 1)
            let phases = plugins.map { [$0.killing(pluginKills ?? 0, site.killing)] }
            spans = try run(phases ?? site.phases(processes: processes), crew)
            try crew.wait(untilEachHas: Ordeal.fewestAnswers)
        } catch {
            crew.stop()
            plugins?.stop()
            _ = watch.stop()
            throw error
        }
        crew.stop()
        try plugins?.finish()
        let notes = watch.stop()
        try meddle(Remains(store: store, journals: crew.journals))
        let evidence = try Evidence(
            journals: try crew.journals.map { try Journal.read(path: $0) }, store: store,
            openedAt: openedAt, begunAfter: begunAfter)
        var findings = try evidence.findings(notes)
        findings += crew.complaints.map { Finding("a process failed", $0) }
        if let plugins { findings += try plugins.findings(evidence.events.filter { $0.sequence > begunAfter }) }
        return OrdealReport(
            ordeal: self, phases: spans.map { PhaseFigures($0, evidence.journals) }, events: evidence.events.count,
            seenByReader: notes.seen.count, examinations: notes.examinations, findings: findings,
            notes: plugins?.notes ?? [],
            folder: isKept ? folder.path(percentEncoded: false) : nil)
    }

    private func run(_ phases: [Phase], _ crew: Crew) throws -> [PhaseSpan] {
        var random = SplitMix(seed: seed)
        let shares = phases.reduce(0) { $0 + $1.share }
        var spans: [PhaseSpan] = []
        for phase in phases {
            let began = TortureClock.machine()
            let count = try phase.run(for: seconds * phase.share / shares, crew, &random)
            spans.append(
                PhaseSpan(
                    name: phase.name, troubles: phase.trouble == nil ? nil : count, began: began,
                    ended: TortureClock.machine()))
        }
        return spans
    }
}

/// What is left when the processes have stopped, before it is judged.
package struct Remains {
    package var store: any Store
    /// The files.
    package var journals: [String]
}
