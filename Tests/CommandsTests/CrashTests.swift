import Commands
import Foundation
import Glibc
import TestSupport
import Testing
import TextFormats

/// Kills the desk at any moment: what it acknowledged is there, what it did not is there as a whole or not at all.
@Suite("After a crash")
struct CrashTests {
    /// Lends six copies, moves a due date and takes back the six before, round by round, each round one transaction;
    /// reports each write and each commit.
    static let chore = """
        needs { "loans.write" }

        local held = loans.active{ patron = "clerk" }
        for round = 1, 1e9 do
            local lent = {}
            store.transaction(function()
                for number = 1, 6 do
                    lent[number] = assert(loans.checkout{ patron = "clerk", isbn = "\(SmallLibrary.odyssey)" })
                    print("write")
                end
                assert(loans.set_due{ loan = lent[1], due = date "2027-01-04", reason = "an exception" })
                for _, loan in ipairs(held) do
                    assert(loans.checkin{ loan = loan })
                    print("write")
                end
            end)
            held = lent
            print("committed")
        end
        """

    /// What the store holds, read in this process: no start of a process for each look.
    struct Contents: Equatable {
        var loans: Int
        var open: Int
        var moved: Int
        var isSound: Bool
    }

    static func contents(of store: String) -> Contents {
        let counting = """
            local loans_made, moved = 0, 0
            for loan in loans.each{} do
                loans_made = loans_made + 1
                if loan.due_at ~= loan.original_due_at then moved = moved + 1 end
            end
            return loans_made, #loans.active{ patron = "clerk" }, moved
            """
        let (_, text) = inProcess(["--store", store, "eval", counting])
        let numbers = text.split(separator: "\n").compactMap { Int($0) }
        let (status, _) = inProcess(["--store", store, "doctor"])
        guard numbers.count == 3 else { return Contents(loans: -1, open: -1, moved: -1, isSound: status == 0) }
        return Contents(loans: numbers[0], open: numbers[1], moved: numbers[2], isSound: status == 0)
    }

    private static func inProcess(_ arguments: [String]) -> (status: Int32, output: String) {
        var output: [UInt8] = []
        let console = Console(
            output: .init(isTerminal: false) {
                output += $0
                return true
            }, error: .init(isTerminal: false) { _ in true })
        let status = Program.execute(arguments, console: console, environment: [:])
        return (status, String(decoding: output, as: UTF8.self))
    }

    /// How one kill went.
    struct Kill {
        var wasInTransaction = false
        var wasUndone = false
        /// What was wrong afterwards, nil if nothing was.
        var fault: String?
    }

    /// Runs the chore, kills it after a moment, and looks at what it left.
    static func killOnce(in folder: URL, before: Contents, after delay: UInt32) throws -> (Kill, Contents) {
        let running = try BuiltCommand(folder: folder).start(["run", "--allow", "loans.write", "chore.lua"])
        running.output.wait { $0.contains("write") }
        usleep(delay)
        kill(running.process.processIdentifier, SIGKILL)
        let result = running.wait()
        let lines = result.output.split(separator: "\n")
        let acknowledged = lines.count { $0 == "committed" }
        let after = contents(of: "sqlite:" + folder.appending(path: "moonshelf.db").path(percentEncoded: false))
        let rounds = after.moved - before.moved
        var outcome = Kill(wasInTransaction: lines.last == "write", wasUndone: rounds == acknowledged)
        if result.signal != SIGKILL || !result.error.isEmpty { outcome.fault = "did not run: \(result)" }
        if rounds != acknowledged && rounds != acknowledged + 1 {
            outcome.fault = "\(acknowledged) rounds acknowledged, \(rounds) in the store"
        }
        if after.loans - before.loans != 6 * rounds { outcome.fault = "half a round: \(after)" }
        if after.open != (after.loans > 0 ? 6 : 0) { outcome.fault = "half a round is open: \(after)" }
        if !after.isSound { outcome.fault = "the doctor finds faults" }
        return (outcome, after)
    }

    /// The kills of one store, one after another.
    static func lane(_ number: Int, kills: Int) throws -> [Kill] {
        let library = try SmallLibrary()
        try library.folder.write(chore, to: "chore.lua")
        var generator = SplitMix(seed: UInt64(number))
        var before = Contents(loans: 0, open: 0, moved: 0, isSound: true)
        var outcomes: [Kill] = []
        for _ in 0..<kills {
            let delay = UInt32.random(in: 0..<80_000, using: &generator)
            let (outcome, after) = try killOnce(in: library.folder.url, before: before, after: delay)
            outcomes.append(outcome)
            before = after
        }
        return outcomes
    }

    @Test("200 kills at random moments lose nothing that was acknowledged and leave nothing half done")
    func randomKills() throws {
        let lanes = 8
        let outcomes = try Parallel.map(Array(0..<lanes)) { try CrashTests.lane($0, kills: 200 / lanes) }.flatMap { $0 }
        #expect(outcomes.count == 200)
        for outcome in outcomes { #expect(outcome.fault == nil) }
        // Otherwise the kills show nothing.
        let inTransaction = outcomes.count(where: \.wasInTransaction)
        #expect(inTransaction >= 100, "only \(inTransaction) kills hit a transaction")
        let undone = outcomes.count { $0.wasInTransaction && $0.wasUndone }
        #expect(undone >= 50, "only \(undone) transactions were undone")
    }

    static let canInject: Bool = {
        guard Shell.has("strace") else { return false }
        let probe = try? Shell.run("exec strace -o /dev/null true", [], in: FileManager.default.temporaryDirectory)
        return probe?.status == 0
    }()

    @Test(
        "killed at each of its writes to the disk, a transaction is there as a whole or not at all",
        .enabled(if: canInject, "strace is not here or may not trace"))
    func everyWrite() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            CrashTests.chore.replacing("1e9", with: "1"), to: "chore.lua")
        let folder = library.folder.url
        let results = try Parallel.map(Array(1...48)) { number in
            try CrashTests.killAtWrite(number, template: folder)
        }
        for (number, result) in zip(1..., results) {
            #expect(result.fault == nil, "killed at write \(number)")
        }
        #expect(results.count(where: \.wasInTransaction) >= 10)
    }

    /// Runs one round in a copy of the store, killed as it makes its n-th write to a file.
    static func killAtWrite(_ number: Int, template: URL) throws -> Kill {
        let folder = try TemporaryFolder()
        for name in ["moonshelf.db", "moonshelf.db-wal", "chore.lua"] {
            let source = template.appending(path: name)
            guard FileManager.default.fileExists(atPath: source.path(percentEncoded: false)) else { continue }
            try FileManager.default.copyItem(at: source, to: folder.url.appending(path: name))
        }
        let result = try Shell.run(
            "exec strace -f -o /dev/null -e trace=pwrite64 "
                + "-e inject=pwrite64:signal=SIGKILL:when=\(number) \"$0\" run --allow loans.write chore.lua",
            [BuiltCommand.executable.path(percentEncoded: false)], in: folder.url)
        let wasKilled = result.signal == SIGKILL || result.status == 128 + SIGKILL
        let acknowledged = result.output.contains("committed") ? 1 : 0
        let after = contents(of: "sqlite:" + folder.path("moonshelf.db"))
        var outcome = Kill(wasInTransaction: wasKilled, wasUndone: after.loans == 0)
        if !wasKilled && result.status != 0 { outcome.fault = "\(result)" }
        if ![0, 6].contains(after.loans) || after.moved * 6 != after.loans || after.open != after.loans {
            outcome.fault = "half a round: \(after)"
        }
        if acknowledged == 1 && after.loans == 0 { outcome.fault = "an acknowledged round is gone" }
        if !after.isSound { outcome.fault = "the doctor finds faults" }
        return outcome
    }
}
