import ForeignFacts
import Foundation
import Synchronization
import TestSupport
import Testing

/// The facts of other systems in this package, each tried once for all tests.
enum KnownFacts {
    static let all: [Fact] = {
        let file = PackageFolder.url.appending(path: "Conformance/ils_cases.jsonl")
        return (try? Fact.reading([UInt8](Data(contentsOf: file)))) ?? []
    }()

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
