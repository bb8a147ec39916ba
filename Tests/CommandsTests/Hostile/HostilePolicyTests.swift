import Foundation
import TestSupport
import Testing
import TextFormats

/// Policies that mean harm are either not put into force, and then nothing changes, or they fail at the desk: the
/// request is refused in time and in bounds, and the desk goes on.
@Suite("Hostile policies at the desk", .serialized)
struct HostilePolicyTests {
    /// The policy of the small library with a `checkout` that runs a script.
    static func policy(running source: String) -> String {
        let function = "    checkout = function(case, rule)\n\(source)\n    end,\n"
        return SmallLibrary.policy.replacing("    notices = {", with: function + "    notices = {")
    }

    static let lend = [
        "eval", "--format", "json", "--allow", "loans.write",
        "return loans.checkout{ patron = 'clerk', isbn = '\(SmallLibrary.odyssey)' }",
    ]

    /// What a checkout under a policy with a function that does nothing uses.
    static let bounds: Result<HostileBounds, any Error> = {
        atexit { (try? HostilePolicyTests.bounds.get())?.remove() }
        return Result {
            try HostileBounds(
                SmallLibrary(policy: policy(running: "return nil")), deadline: .milliseconds(100), memory: 16 << 20,
                harmless: lend)
        }
    }()

    /// Scripts that do no harm within their limits and answer nil: the title is lent.
    static let harmless: Set<String> = ["09_find_plain_quadratic.lua", "next misused"]

    /// A script that is put into force or refused, and what came of it.
    ///
    /// - Parameter shown: what is in force, if that is known.
    private func attempt(
        _ script: HostileScript, in library: borrowing SmallLibrary, _ shown: inout String?
    ) throws -> Bool {
        try library.folder.write(HostilePolicyTests.policy(running: script.source), to: "hostile.lua")
        let before = try shown ?? library.run("policy", "show", "--json").output
        shown = nil
        let used = try library.run("policy", "use", "--json", "hostile.lua")
        if used.status == 0 { return true }
        #expect(used.status == 1 || used.status == 3, "\(script.name): \(used)")
        let error = try #require(try used.failure()["error"], "\(script.name): \(used)")
        #expect(error["code"]?.stringValue?.isEmpty == false && error["file"] == "hostile.lua", "\(script.name)")
        // What is wrong stands above the last line, with its place.
        #expect(used.error.contains("hostile.lua:"), "\(script.name): \(used)")
        #expect(try library.run("policy", "show", "--json").output == before, "\(script.name)")
        shown = before
        return false
    }

    private func lend(_ script: HostileScript, in library: borrowing SmallLibrary) throws {
        let folder = library.folder.url
        let bounds = try HostilePolicyTests.bounds.get()
        let run = try bounds.check(script.name) { try MeteredRun.of(HostilePolicyTests.lend, in: folder) }
        if HostilePolicyTests.harmless.contains(script.name) {
            #expect(run.status == 0, "\(script.name): \(run.error)")
        } else {
            #expect(run.status == 1 && run.error.contains(#""code":"policy_failed""#), "\(script.name): \(run.error)")
        }
    }

    /// Runs all scripts one after the other at one library, and returns how many came into force.
    private func run(_ scripts: [HostileScript]) throws -> Int {
        let library = try SmallLibrary()
        var inForce = 0
        var shown: String?
        for script in scripts where try attempt(script, in: library, &shown) {
            inForce += 1
            try lend(script, in: library)
        }
        try library.folder.write(SmallLibrary.policy, to: "good.lua")
        #expect(try library.run("policy", "use", "good.lua").status == 0)
        let lent = try library.command.run(HostilePolicyTests.lend)
        #expect(lent.status == 0, "\(lent)")
        #expect(try library.isSound())
        return inForce
    }

    @Test("each of the files is refused, or fails in time and within twice its memory; the desk goes on")
    func files() throws {
        #expect(try run(HostileScript.files) >= 15)
    }

    @Test("each of ours that reaches for the command is refused, or fails in time and within twice its memory")
    func ofTheCommand() throws {
        #expect(try run(HostileScript.ofTheCommand) >= 10)
    }

    @Test(
        "each of ours is refused, or fails in time and within twice its memory",
        arguments: [
            HostileScript.time, HostileScript.memory + HostileScript.depth,
            HostileScript.coroutines + HostileScript.patterns + HostileScript.metatables + HostileScript.loading,
        ])
    func own(scripts: [HostileScript]) throws {
        #expect(try run(scripts) >= 10)
    }

    @Test(
        "a script at the top of the file keeps the policy out of force",
        arguments: ["while true do end", "local t = {} while true do t[#t + 1] = {} end", "error('x')", "return nil"])
    func topLevel(source: String) throws {
        let library = try SmallLibrary()
        try library.folder.write("do\n\(source)\nend\n\(SmallLibrary.policy)", to: "hostile.lua")
        let before = try library.run("policy", "show", "--json").output
        for arguments in [["check", "--json"], ["use", "--json"]] {
            let result = try library.command.run(["policy"] + arguments + ["hostile.lua"])
            #expect(result.status == 1 && result.signal == nil, "\(result)")
        }
        #expect(try library.run("policy", "show", "--json").output == before)
        #expect(try library.command.run(HostilePolicyTests.lend).status == 0)
    }

    /// A policy in which every decision of a loan's life loops.
    static let endless = SmallLibrary.policy.replacing(
        "    notices = {",
        with: ["request", "checkout", "due", "renew", "checkin", "overdue", "fine", "lost"]
            .map { "    \($0) = function(case, rule) while true do end end,\n" }.joined() + "    notices = {")

    @Test("where every function loops, copies still come back, the sweep ends with 1, and nothing is half done")
    func everyPoint() throws {
        let library = try SmallLibrary()
        let made = try library.run(
            "--now", "2026-02-02T10:00:00Z", "eval", "--allow", "loans.write",
            "for i = 1, 2 do assert(loans.checkout{ patron = 'clerk', isbn = '\(SmallLibrary.odyssey)' }) end")
        #expect(made.status == 0, "\(made)")
        try library.folder.write(HostilePolicyTests.endless, to: "endless.lua")
        let used = try library.run("--now", "2026-02-03T10:00:00Z", "policy", "use", "endless.lua")
        #expect(used.status == 0, "\(used)")
        let answers = try library.run(
            "--now", "2026-03-10T10:00:00Z", "eval", "--allow", "loans.write",
            """
            local held = loans.active{ patron = 'clerk' }
            local renewed, refusal = loans.renew{ loan = held[1] }
            local back = loans.checkin{ loan = held[2] }
            local lent, other = loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.emma)' }
            print(renewed, refusal.code, back ~= nil, lent, other.code, #loans.active{ patron = 'clerk' })
            """)
        #expect(answers.output == "nil policy_failed true nil policy_failed 1\n", "\(answers)")
        let swept = try library.run("--now", "2026-03-10T12:00:00Z", "notices", "sweep", "--json")
        #expect(swept.status == 1 && swept.signal == nil, "\(swept)")
        #expect(try library.isSound())
    }
}
