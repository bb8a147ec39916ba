import Foundation
import TestSupport

/// Where a store stands, and what can go wrong there.
protocol Site: AnyObject {
    /// The address of the store for the process of a number.
    func address(_ worker: Int) -> String
    /// The address for those that look on.
    var address: String { get }
    func phases(processes: Int) -> [Phase]
    /// Ends the server of the store as hard as can be, and starts it again; nil: there is none.
    var killing: (@Sendable (inout SplitMix) throws -> Void)? { get }
}

/// A part of the torture, with its own kind of trouble.
struct Phase: Sendable {
    var name: String
    /// How much of the time it gets, of the sum of all.
    var share: Double
    /// How long to wait between two troubles, at least and at most, in seconds.
    var pause: ClosedRange<Double> = 0.1...0.5
    /// How often there is trouble at most.
    var most = Int.max
    /// How often at least, however long it takes.
    var least = 1
    /// Makes trouble once.
    var trouble: (@Sendable (Crew, inout SplitMix) throws -> Void)?
}

extension Phase {
    /// Lets the processes work for a time, and makes trouble meanwhile.
    ///
    /// - Returns: how often there was trouble.
    func run(for seconds: Double, _ crew: Crew, _ random: inout SplitMix) throws -> Int {
        let end = ContinuousClock.now + .seconds(seconds)
        var count = 0
        while true {
            let left = (end - ContinuousClock.now) / .seconds(1)
            let wait = Double.random(in: pause, using: &random)
            // What is lost takes a while to come back; at the very end nobody would see it.
            guard let trouble, count < most, wait < left || count < least else {
                Thread.sleep(forTimeInterval: max(0, left))
                return count
            }
            Thread.sleep(forTimeInterval: wait)
            try trouble(crew, &random)
            count += 1
        }
    }

    static let load = Phase(name: "load", share: 1)

    /// Each process lives for two seconds or so, of which its beginning takes a part.
    static func killing(of processes: Int) -> Phase {
        let pause = 2 / Double(processes)
        return Phase(name: "processes killed", share: 1, pause: pause / 2...pause * 3 / 2) { crew, random in
            try crew.kill(.random(in: 0..<crew.size, using: &random))
        }
    }
}

/// One file, and the processes that work at it.
final class FileSite: Site {
    let address: String

    init(folder: URL) {
        address = "sqlite:" + folder.appending(path: "library.db").path(percentEncoded: false)
    }

    func address(_ worker: Int) -> String { address }

    func phases(processes: Int) -> [Phase] { [.load, .killing(of: processes)] }

    var killing: (@Sendable (inout SplitMix) throws -> Void)? { nil }
}
