import Foundation
import TestSupport
import Testing

@Suite("Hostile scripts", .serialized)
struct HostileScriptTests {
    static func arguments(_ profile: String) -> [String] {
        ["run", "--time-limit", "200ms", "--memory-limit", "64M", "--profile", profile, "script.lua"]
    }

    @Test(
        "each ends in time and within twice its memory, with a result or an error of its own",
        arguments: ["script", "policy"])
    func limits(profile: String) throws {
        let arguments = HostileScriptTests.arguments(profile)
        let harmless = try SmallLibrary()
        try harmless.folder.write("return 1\n", to: "script.lua")
        let bounds = try HostileBounds(
            harmless, deadline: .milliseconds(200), memory: 64 << 20, harmless: arguments)
        let library = try SmallLibrary()
        let folder = library.folder.url
        for script in HostileScript.ofTheCommand + HostileScript.files {
            try library.folder.write(script.source, to: "script.lua")
            let run = try bounds.check(script.name) { try MeteredRun.of(arguments, in: folder) }
            #expect(
                run.status == 0 || run.status == 3,
                "\(script.name): status \(run.status): \(run.error.prefix(300))")
        }
        #expect(try library.isSound())
    }
}
