import Foundation
import Testing

/// How much a hostile run of the command may use: what a harmless one does, and the limits it was given.
final class HostileBounds: Sendable {
    private let library: SmallLibrary
    /// Runs the command without harm.
    private let harmless: [String]
    private let cpu: Duration
    private let peak: Int
    let deadline: Duration
    let memory: Int

    /// - Parameters:
    ///   - library: where the harmless run is made.
    ///   - deadline: the processor time that Lua may use.
    ///   - memory: the bytes that Lua may use.
    ///   - harmless: the arguments of a run in which Lua does nothing; measured five times.
    init(_ library: consuming SmallLibrary, deadline: Duration, memory: Int, harmless: [String]) throws {
        let folder = library.folder.url
        let runs = try (0..<5).map { _ in try MeteredRun.of(harmless, in: folder) }
        for run in runs { #expect(run.status == 0, "\(run)") }
        cpu = runs.map(\.cpu).sorted()[2]
        peak = runs.map(\.peak).max() ?? 0
        self.library = library
        self.deadline = deadline
        self.memory = memory
        self.harmless = harmless
    }

    /// Removes the library: a value that a type keeps is never given back.
    func remove() {
        try? FileManager.default.removeItem(at: library.folder.url)
    }

    /// Runs it until a run stays within the time; each must stay within the memory. Gives the last run.
    @discardableResult
    func check(_ name: String, _ run: () throws -> MeteredRun) throws -> MeteredRun {
        var over: [Duration] = []
        var beside: [Duration] = []
        while true {
            let run = try run()
            #expect(run.signal == 0, "\(name): signal \(run.signal): \(run.error.prefix(300))")
            #expect(run.peak <= peak + 2 * memory, "\(name): \(run.peak >> 20) MiB")
            let now = beside.isEmpty ? cpu : max(cpu, beside.sorted()[beside.count / 2])
            if run.cpu <= longest(after: now) { return run }
            over.append(run.cpu)
            guard over.count < HostileBounds.attempts else {
                Issue.record("\(name): \(over), harmless runs between them \(beside)")
                return run
            }
            // A machine that is busy with other work makes every process slower, and no two alike: what was over is
            // held against harmless runs of the same moments.
            if over.count >= 2 { beside.append(try MeteredRun.of(harmless, in: library.folder.url).cpu) }
        }
    }

    /// So many runs over the time in a row are no chance: processor times of one command differ by a third.
    private static let attempts = 9

    /// The processor time that a run must not exceed.
    private func longest(after harmless: Duration) -> Duration { harmless + deadline + .milliseconds(50) }
}
