import ForeignFacts
import Foundation
import Synchronization
import TestSupport
import Testing

/// The facts of other systems in this package, each tried once for all tests.
enum KnownFacts {
    static let all = facts("Conformance/ils_cases.jsonl")

    static let results: [FactResult] = tried(all)

    /// Those in the neutral schema.
    static let neutral = tried(facts("Conformance/Neutral/known.jsonl"))

    private static func facts(_ path: String) -> [Fact] {
        (try? Fact.reading(lines(path))) ?? []
    }

    static func lines(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: PackageFolder.url.appending(path: path)))
    }

    /// Tries facts on all processors.
    static func tried(_ facts: [Fact]) -> [FactResult] {
        let results = Mutex<[Int: FactResult]>([:])
        DispatchQueue.concurrentPerform(iterations: facts.count) { index in
            let result = FactResult(trying: facts[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { results in facts.indices.compactMap { results[$0] } }
    }
}

extension FactResult: CustomTestStringConvertible {
    package var testDescription: String { "\(fact.id) \(fact.operation)" }
}
