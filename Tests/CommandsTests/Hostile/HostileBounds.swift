import Foundation
import Testing

/// How much a hostile run of the command may use: what a harmless one does, and the limits it was given.
struct HostileBounds {
    /// What a harmless run uses.
    private let cpu: Duration
    private let peak: Int
    let deadline: Duration
    let memory: Int

    /// - Parameters:
    ///   - deadline: the processor time that Lua may use.
    ///   - memory: the bytes that Lua may use.
    ///   - harmless: runs the command with a script that does nothing; measured five times.
    init(deadline: Duration, memory: Int, harmless: () throws -> MeteredRun) throws {
        let runs = try (0..<5).map { _ in try harmless() }
        for run in runs { #expect(run.status == 0, "\(run)") }
        cpu = runs.map(\.cpu).sorted()[2]
        peak = runs.map(\.peak).max() ?? 0
        self.deadline = deadline
        self.memory = memory
    }

    /// The processor time that the median of three runs must not exceed.
    var longest: Duration { cpu + deadline + .milliseconds(50) }

    /// Runs it three times at most, each within the memory, two of them within the time; gives the last run.
    ///
    /// - Parameter enough: how many runs within the time are enough; the median of three is within it if two are.
    @discardableResult
    func check(_ name: String, enough: Int = 2, _ run: () throws -> MeteredRun) throws -> MeteredRun {
        var within = 0
        var over: [Duration] = []
        while true {
            let run = try run()
            #expect(run.signal == 0, "\(name): signal \(run.signal): \(run.error.prefix(300))")
            #expect(run.peak <= peak + 2 * memory, "\(name): \(run.peak >> 20) MiB")
            if run.cpu <= longest { within += 1 } else { over.append(run.cpu) }
            guard within < enough && over.count < 2 else {
                #expect(over.count < 2, "\(name): \(over), a harmless run \(cpu)")
                return run
            }
        }
    }
}
