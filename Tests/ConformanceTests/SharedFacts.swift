import ForeignFacts
import Foundation
import Synchronization
import TestSupport
import Testing

/// The facts of the shared file, each tried once for all tests.
enum SharedFacts {
    static let all: [Fact] = (try? Fact.reading(SharedData.bytes("cases/ils_cases.jsonl"))) ?? []

    static let results: [FactResult] = tried(all)

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
