import ForeignFacts
import Foundation
import TestSupport
import Testing
import TextFormats

/// What the tests of other library systems expect, put to this desk under a policy of its own each.
@Suite("Facts of other systems")
struct KnownFactTests {
    @Test("of a hundred facts at least ninety hold")
    func share() {
        let report = ConformanceReport(KnownFacts.results)
        #expect(report.results.count > 200)
        #expect(report.share >= 90, "\(report.text)")
    }

    @Test("what does not hold says why", arguments: KnownFacts.results.filter { $0.outcome != .holds })
    func reasons(_ result: FactResult) throws {
        let explanation = try #require(result.explanation)
        #expect(explanation.contains(" "))
    }

    @Test("a fact that holds no longer does when it expects anything else")
    func perturbed() {
        let held = KnownFacts.results.filter { $0.outcome == .holds }.map(\.fact)
        #expect(!held.isEmpty)
        for result in KnownFacts.tried(held.map(Perturbation.of)) {
            #expect(result.outcome != .holds, "\(result.fact.id)")
            let unmoved = result.answers.filter(\.holds).map(\.field)
            #expect(unmoved.isEmpty, "\(result.fact.id) \(unmoved)")
        }
    }

    @Test("no fact is known by its name")
    func anonymous() {
        let sampled = KnownFacts.results.enumerated().filter { $0.offset.isMultiple(of: 6) }.map(\.element)
        let renamed = sampled.enumerated().map { index, result in
            var fact = result.fact
            fact.id = "X-\(index)"
            return fact
        }
        #expect(KnownFacts.tried(renamed).map(\.outcome) == sampled.map(\.outcome))
    }
}

extension KnownFactTests {
    @Test("the page about conformance has the same figures, and a line for each fact that does not hold")
    func page() throws {
        let report = ConformanceReport(KnownFacts.results)
        let page = try String(contentsOf: PackageFolder.url.appending(path: "docs/conformance.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        for area in report.areas {
            let counts = FactResult.Outcome.allCases.map { " \(area.counts[$0] ?? 0) |" }.joined()
            #expect(rows.contains { $0 == "| \(area.name) | \(area.facts) |\(counts)" }, "\(area.name) \(counts)")
        }
        let named = Set(rows.compactMap { $0.dropFirst(2).split(separator: " ").first.map(String.init) })
        let known = Set(report.results.map(\.fact.id))
        #expect(named.intersection(known) == Set(report.results.filter { $0.outcome != .holds }.map(\.fact.id)))
    }
}
