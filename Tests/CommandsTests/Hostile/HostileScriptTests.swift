import Foundation
import TestSupport
import Testing

@Suite("Hostile scripts", .serialized)
struct HostileScriptTests {
    static func run(_ profile: String, in folder: URL) throws -> MeteredRun {
        try MeteredRun.of(
            ["run", "--time-limit", "200ms", "--memory-limit", "64M", "--profile", profile, "script.lua"], in: folder)
    }

    @Test(
        "each ends in time and within twice its memory, with a result or an error of its own",
        arguments: ["script", "policy"])
    func limits(profile: String) throws {
        let library = try SmallLibrary()
        try library.folder.write("return 1\n", to: "script.lua")
        let folder = library.folder.url
        let bounds = try HostileBounds(deadline: .milliseconds(200), memory: 64 << 20) {
            try HostileScriptTests.run(profile, in: folder)
        }
        for script in HostileScript.ofTheCommand + HostileScript.shared {
            try library.folder.write(script.source, to: "script.lua")
            let run = try bounds.check(script.name) { try HostileScriptTests.run(profile, in: folder) }
            #expect(
                run.status == 0 || run.status == 3,
                "\(script.name): status \(run.status): \(run.error.prefix(300))")
        }
        #expect(try library.isSound())
    }
}
