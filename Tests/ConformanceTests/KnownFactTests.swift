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
        let neutral = ConformanceReport(KnownFacts.neutral)
        let page = try String(contentsOf: PackageFolder.url.appending(path: "docs/conformance.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
        for area in report.areas {
            let counts = FactResult.Outcome.allCases.map { " \(area.counts[$0] ?? 0) |" }.joined()
            #expect(rows.contains { $0 == "| \(area.name) | \(area.facts) |\(counts)" }, "\(area.name) \(counts)")
        }
        #expect(
            page.contains(
                "Of its \(neutral.results.count) facts \(neutral.results.count { $0.outcome == .holds }) hold."))
        #expect(page.contains("\(report.translated) of the \(report.foreign) facts are translated;"))
        let named = Set(rows.compactMap { $0.dropFirst(2).split(separator: " ").first.map(String.init) })
        let known = Set(report.results.map(\.fact.id))
        #expect(named.intersection(known) == Set(report.results.filter { $0.outcome != .holds }.map(\.fact.id)))
    }

    /// How many facts use a name of each entry of the table.
    private static var uses: [(path: String, names: [String], facts: Int)] {
        TranslationTable.names.map { part, names, path in
            let facts = KnownFacts.all.count { fact in
                let object = part == "given" ? fact.given : part == "when" ? fact.when : fact.expect
                let calendar = part == "given" ? object["calendar"]?.objectValue ?? [:] : [:]
                return names.contains { object[$0] != nil || calendar[$0] != nil }
            }
            return (path, names, facts)
        }
    }

    @Test(
        "the page says how many entries of the table serve a single fact, and each of those is another name of a field")
    func entries() throws {
        let single = Self.uses.filter { $0.facts == 1 }
        let page = try String(contentsOf: PackageFolder.url.appending(path: "docs/conformance.md"), encoding: .utf8)
        #expect(
            page.contains("of its \(Self.uses.count) entries \(single.count) are used by a single fact"),
            "\(Self.uses.count) entries, single: \(single.map { ($0.names, $0.path) })")
        let schema = Set(Schema.records.flatMap(\.fields).map(\.name))
        for entry in single {
            let field = String(entry.path.split(separator: ".").last ?? "").replacing("[]", with: "")
            #expect(schema.contains(field), "\(entry.names) -> \(entry.path)")
        }
    }
}
