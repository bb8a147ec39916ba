import Foundation
import Glibc
import Synchronization

/// The processes that work at the store. One that was killed is started again, and takes up its journal.
final class Crew: Sendable {
    private struct Member {
        var process: Process
        /// As long as this is open, it works.
        var input: Pipe
        var errors: Pipe
    }

    /// `@unchecked Sendable`: processes are touched under the lock alone.
    private final class Members: @unchecked Sendable {
        private let lock = NSLock()
        private var list: [Int: Member] = [:]

        func with<T>(_ body: (inout [Int: Member]) throws -> T) rethrows -> T {
            try lock.withLock { try body(&list) }
        }
    }

    let size: Int
    /// How many desks each process serves.
    let hands: Int
    private let members = Members()
    private let program: URL
    private let folder: URL
    private let seed: UInt64
    private let openedAt: Int64
    private let pause: Int
    private let address: @Sendable (Int) -> String
    private let ended = Mutex<[String]>([])

    /// - Parameters:
    ///   - pause: how long a desk waits between two requests, about, in milliseconds.
    ///   - address: the store's, as the process of that number is told it.
    init(
        size: Int, hands: Int, program: URL, folder: URL, seed: UInt64, openedAt: Int64, pause: Int,
        address: @escaping @Sendable (Int) -> String
    ) {
        self.size = size
        self.hands = hands
        self.program = program
        self.folder = folder
        self.seed = seed
        self.openedAt = openedAt
        self.pause = pause
        self.address = address
    }

    /// The journals of all desks, those of one process beside one another.
    var journals: [String] { (0..<size * hands).map(journal) }

    private func journal(_ number: Int) -> String {
        folder.appending(path: "journal-\(number)").path(percentEncoded: false)
    }

    /// What processes said that ended without having been told to.
    var complaints: [String] { ended.withLock { $0 } }

    func start() throws {
        try members.with { list in
            for number in 0..<size { list[number] = try started(number) }
        }
    }

    /// Waits until each desk, in whichever process, has had so many answers.
    ///
    /// - Throws: ``TortureFailure`` where one is not served within five minutes.
    func wait(untilEachHas answers: Int) throws {
        let end = ContinuousClock.now + .seconds(300)
        for (number, journal) in journals.enumerated() {
            while try Journal.answers(path: journal) < answers {
                guard ContinuousClock.now < end else {
                    throw TortureFailure("desk \(number) had fewer than \(answers) answers in five minutes")
                }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    private func started(_ number: Int) throws -> Member {
        let process = Process()
        let (input, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = [
            "work", "--number", "\(number * hands)", "--store", address(number), "--seed", "\(seed)", "--opened-at",
            "\(openedAt)", "--pause", "\(pause)",
        ]
        for hand in 0..<hands { process.arguments? += ["--journal", journal(number * hands + hand)] }
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        try input.fileHandleForReading.close()
        return Member(process: process, input: input, errors: errors)
    }

    /// Kills one as nothing can be killed harder, and starts it again.
    func kill(_ number: Int) throws {
        try members.with { list in
            guard let member = list[number] else { return }
            Glibc.kill(member.process.processIdentifier, SIGKILL)
            end(member, of: number, wasKilled: true)
            list[number] = try started(number)
        }
    }

    /// Tells all to stop, and waits until each has the answer to its last request.
    func stop() {
        members.with { list in
            for member in list.values { try? member.input.fileHandleForWriting.close() }
            for (number, member) in list { end(member, of: number, wasKilled: false) }
            list = [:]
        }
    }

    private func end(_ member: Member, of number: Int, wasKilled: Bool) {
        let words = member.errors.fileHandleForReading.readDataToEndOfFile()
        member.process.waitUntilExit()
        let isKill = member.process.terminationReason == .uncaughtSignal && member.process.terminationStatus == SIGKILL
        if wasKilled ? isKill : member.process.terminationStatus == 0 { return }
        let text = String(decoding: words, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
        ended.withLock { $0.append("process \(number) ended with \(member.process.terminationStatus): \(text)") }
    }
}
