import Foundation
import Testing
import TextFormats

@Suite("Hostile scripts", .serialized)
struct HostileScriptTests {
    static let deadline = Duration.milliseconds(200)
    static let memory = 64 << 20

    /// What a script that does nothing uses.
    struct Baseline {
        var cpu: Duration
        var peak: Int
    }

    static func run(_ profile: String, in folder: URL) throws -> MeteredRun {
        try MeteredRun.of(
            ["run", "--time-limit", "200ms", "--memory-limit", "64M", "--profile", profile, "script.lua"], in: folder)
    }

    static func baseline(_ profile: String) throws -> Baseline {
        let library = try SmallLibrary()
        try library.folder.write("return 1\n", to: "script.lua")
        let runs = try (0..<5).map { _ in try run(profile, in: library.folder.url) }
        for run in runs { #expect(run.status == 0, "\(run)") }
        return Baseline(cpu: runs.map(\.cpu).sorted()[2], peak: runs.map(\.peak).max() ?? 0)
    }

    @Test(
        "each ends in time and within twice its memory, with a result or an error of its own",
        arguments: ["script", "policy"])
    func limits(profile: String) throws {
        let baseline = try HostileScriptTests.baseline(profile)
        let library = try SmallLibrary()
        for script in HostileScript.all {
            try library.folder.write(script.source, to: "script.lua")
            // The median of three is within the bound if two of three are.
            var within = 0
            var over: [Duration] = []
            while within < 2 && over.count < 2 {
                let run = try HostileScriptTests.run(profile, in: library.folder.url)
                #expect(
                    run.signal == 0 && (run.status == 0 || run.status == 3),
                    "\(script.name): status \(run.status), signal \(run.signal): \(run.error.prefix(300))")
                #expect(
                    run.peak <= baseline.peak + 2 * HostileScriptTests.memory, "\(script.name): \(run.peak >> 20) MiB")
                if run.cpu <= baseline.cpu + HostileScriptTests.deadline + .milliseconds(50) {
                    within += 1
                } else {
                    over.append(run.cpu)
                }
            }
            #expect(over.count < 2, "\(script.name): \(over), an empty script \(baseline.cpu)")
        }
        #expect(try library.isSound())
    }
}
