import ForeignFacts
import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Facts in the neutral schema")
struct NeutralFactTests {
    @Test("of a hundred facts of the file at least ninety-five hold")
    func share() {
        let report = ConformanceReport(KnownFacts.neutral)
        #expect(report.results.count >= 160)
        #expect(report.share >= 95, "\(report.text)")
    }

    @Test("a fact that holds no longer does when it expects anything else")
    func perturbed() throws {
        let lines = try KnownFacts.lines("Conformance/Neutral/known.jsonl").split(separator: UInt8(ascii: "\n"))
        let held = Set(KnownFacts.neutral.filter { $0.outcome == .holds }.map(\.fact.id))
        let changed = try lines.compactMap { line -> (Fact, Set<String>)? in
            let json = try JSONParser.parse(Array(line))
            guard let object = json.objectValue, let id = object["id"]?.stringValue, held.contains(id) else {
                return nil
            }
            let (other, fields) = Perturbation.ofNeutral(object)
            return try Fact.reading(Array(JSON.object(other).text().utf8)).first.map { ($0, fields) }
        }
        #expect(changed.count > 150 && changed.map(\.1.count).reduce(0, +) > 200)
        for (result, fields) in zip(KnownFacts.tried(changed.map(\.0)), changed.map(\.1)) where !fields.isEmpty {
            let unmoved = result.answers.filter { $0.holds && fields.contains($0.field) }.map(\.field)
            #expect(result.outcome != .holds && unmoved.isEmpty, "\(result.fact.id) \(unmoved)")
        }
    }

    @Test("the page about the schema is what its declarations say")
    func page() throws {
        let page = try String(
            contentsOf: PackageFolder.url.appending(path: "docs/conformance-schema.md"), encoding: .utf8)
        #expect(page == SchemaPage.text)
        for operation in SchemaOperation.all { #expect(page.contains("| `\(operation.code)` |")) }
    }

    @Test("each name is declared once, and each operand is taken by an operation")
    func declarations() {
        for record in Schema.records {
            let names = record.fields.map(\.name)
            #expect(Set(names).count == names.count, "\(record.name)")
        }
        let taken = Set(SchemaOperation.all.flatMap(\.operands))
        let operands = Schema.records.first { $0.name == .operation }?.fields.map(\.name) ?? []
        #expect(Set(operands).subtracting(["op", "at", "times", "expect"]) == taken)
        #expect(Set(SchemaOperation.all.flatMap(\.results)) == Set(ResultGroup.allCases))
    }

    private static func complaint(_ line: String) -> String? {
        do {
            _ = try Fact.reading(Array(line.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    private static func line(
        given: String = "{}", steps: String = #"[{"op": "checkout"}]"#, expect: String = #"{"allowed": true}"#
    ) -> String {
        #"{"schema": 1, "id": "A", "area": "fines", "given": \#(given), "steps": \#(steps), "expect": \#(expect)}"#
    }

    @Test("a fact that needs nothing but its defaults is read and tried")
    func plain() throws {
        let fact = try #require(try Fact.reading(Array(Self.line().utf8)).first)
        let result = FactResult(trying: fact)
        #expect(result.outcome == .holds && result.policies.first?.contains("loan = days(14)") == true)
        #expect(result.details.contains("reader asks for copy"))
    }

    @Test(
        "what is wrong is named with line, field, what was expected and what may have been meant",
        arguments: [
            (
                line(given: #"{"lons": []}"#),
                "line 1: given.lons: \"lons\" is no field of given; did you mean \"loans\"?"
            ),
            (
                line(given: #"{"rule": {"fine_capp": "1.00"}}"#),
                "given.rule.fine_capp: \"fine_capp\" is no field of rule; did you mean \"fine_cap\"?"
            ),
            (line(given: #"{"rule": {"fine": 1}}"#), "given.rule.fine: expected an amount such as \"1.50\", found 1"),
            (line(given: #"{"now": "some day"}"#), "given.now: expected a moment"),
            (
                line(given: #"{"loans": [{}, {"count": -1}]}"#),
                "given.loans[2].count: expected a whole number, 0 or more"
            ),
            (line(steps: #"[{"op": "chekout"}]"#), "\"chekout\" is no word for it; did you mean \"checkout\"?"),
            (line(steps: #"[{"op": "checkout", "amount": "1.00"}]"#), "steps[1].amount: checkout is not told that"),
            (line(steps: "[]"), "a fact needs one step at least"),
            (line(steps: #"[{"at": "now"}]"#), "steps[1].op: a step needs an operation"),
            (line(expect: "{}"), "a fact that expects nothing proves nothing"),
            (line(expect: #"{"fine_lines": "1"}"#), "expect.fine_lines: expected a whole number"),
            (
                line(steps: #"[{"op": "is_open", "date": "2026-05-20"}]"#),
                "expect.allowed: no result of is_open; it has \"open\", \"date\""
            ),
            (line().replacing("\"schema\": 1", with: "\"schema\": 2"), "schema: only version 1 is known"),
            (line().replacing("\"fines\"", with: "\"fine\""), "did you mean \"fines\"?"),
        ])
    func malformed(line: String, words: String) {
        let complaint = Self.complaint(line)
        #expect(complaint?.contains(words) == true, "\(complaint ?? "it was read")")
    }

    @Test(
        "moments have one grammar",
        arguments: [
            ("2026-05-25", #"{"open": true}"#), ("now + 5 days", #"{"open": true}"#),
            ("due + 2 seconds", #"{"open": true}"#),
            ("loan + 2 open days", #"{"open": true}"#), ("today - 4 days", #"{"open": false}"#),
            ("2026-05-16T12:00-05:00", #"{"open": false}"#),
        ])
    func moments(moment: String, expect: String) throws {
        let given =
            #"{"calendar": {"weekly": {"sat": "closed"}}, "loans": [{"copy": "copy", "lent": "2026-05-15", "due": "now + 7 days"}]}"#
        let steps = #"[{"op": "is_open", "date": "\#(moment)"}]"#
        let fact = try #require(
            try Fact.reading(Array(Self.line(given: given, steps: steps, expect: expect).utf8)).first)
        #expect(FactResult(trying: fact).outcome == .holds, "\(FactResult(trying: fact).details)")
    }

    @Test("a step may go back in time, and a due time that is not there cannot be counted from")
    func past() throws {
        let steps =
            #"[{"op": "checkout", "at": "now - 20 days"}, {"op": "return", "at": "now", "dated": "now - 1 days"}]"#
        let fact = try #require(
            try Fact.reading(
                Array(
                    Self.line(
                        given: #"{"rule": {"loan": "14 days", "fine": "1.00"}}"#, steps: steps,
                        expect: #"{"fine": "5.00"}"#
                    ).utf8)
            ).first)
        #expect(FactResult(trying: fact).outcome == .holds, "\(FactResult(trying: fact).details)")
        let lost = Self.line(steps: #"[{"op": "is_open", "date": "due"}]"#, expect: #"{"open": true}"#)
        let result = FactResult(trying: try #require(try Fact.reading(Array(lost.utf8)).first))
        #expect(result.outcome == .notExpressed && result.reason == "there is no due time to count from")
    }
}
