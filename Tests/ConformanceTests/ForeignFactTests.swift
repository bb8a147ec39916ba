import ForeignFacts
import Testing
import TextFormats

/// Facts in the words of several systems, which were written without a look at the table.
@Suite("Facts in words that the table was not made for")
struct ForeignFactTests {
    struct File: Sendable, CustomTestStringConvertible {
        var name: String
        /// Facts that do not hold, each with the reason.
        var lacking: [String: String] = [:]
        var testDescription: String { name }

        var facts: [Fact] {
            (try? Fact.reading(KnownFacts.lines("Conformance/Foreign/\(name).jsonl"))) ?? []
        }
    }

    static let files = [
        File(name: "first"),
        File(
            name: "second",
            lacking: [
                "W2-29": "a word of another language, which stands for none of the library's",
                "W2-44": "the end of the shelf time is asked for of a hold that the operation has filled",
            ]),
        File(name: "third"), File(name: "fourth"),
        File(
            name: "siblings",
            lacking: [
                "S-29": "a renewal of a late loan counts from now there, and from the due date before it is late"
            ]),
    ]

    @Test("each fact holds, except those that are listed with the reason", arguments: files)
    func holds(_ file: File) {
        let results = KnownFacts.tried(file.facts)
        #expect(results.count >= 40)
        for result in results {
            #expect((result.outcome == .holds) == (file.lacking[result.fact.id] == nil), "\(result.details)")
        }
    }

    @Test("a fact that holds no longer does when it expects anything else", arguments: files)
    func perturbed(_ file: File) {
        let held = file.facts.filter { file.lacking[$0.id] == nil }
        for result in KnownFacts.tried(held.map(Perturbation.of)) {
            let unmoved = result.answers.filter(\.holds).map(\.field)
            #expect(result.outcome != .holds && unmoved.isEmpty, "\(result.fact.id) \(unmoved)")
        }
    }

    private static func tried(_ given: String, _ operation: String, _ expect: String) throws -> FactResult {
        let line =
            #"{"id": "A", "source": "Library", "area": "a", "given": \#(given), "when": {"op": "\#(operation)"}, "#
            + #""expect": \#(expect)}"#
        return FactResult(trying: try #require(try Fact.reading(Array(line.utf8)).first))
    }

    @Test(
        "the same is said in many ways",
        arguments: [
            #"{"loan_days": 10, "start": "2025-03-03"}"#, #"{"loanPeriod": "10 days", "now": "2025-03-03"}"#,
            #"{"policy": {"loan": {"period": {"duration": 10, "intervalId": "Days"}}}, "today": "2025-03-03"}"#,
            #"{"circulation_rule": {"issuelength": "10", "lengthunit": "days"}, "issue_date": "2025-03-03"}"#,
            #"{"rules": [{"item_type": "dvd", "loan_days": 2}, {"loan_days": 10}], "now": "2025-03-03"}"#,
        ])
    func ways(given: String) throws {
        for operation in ["checkout", "issue the item", "CheckOut", "lend a book"] {
            let result = try Self.tried(given, operation, #"{"due_date": "2025-03-13"}"#)
            #expect(result.outcome == .holds, "\(operation): \(result.details)")
        }
    }

    @Test(
        "what is not known is named, with what may have been meant, and nothing is passed over",
        arguments: [
            (
                #"{"renewals_alowed": 3}"#,
                "given.renewals_alowed is not in the table; did you mean \"renewals_allowed\"?"
            ),
            (#"{"policy": {"phase_of_moon": 3}}"#, "given.policy.phase_of_moon is not in the table"),
            (#"{"limits": 3.5}"#, "given.limits"), (#"{"cap_gun": "3.50"}"#, "given.cap_gun"),
            (#"{"loans": ["lost in space"]}"#, "lost in space"),
            (#"{"rules": [{"colour": "red", "loan_days": 2}]}"#, "given.rules.colour"),
            (#"{"per_library": "many"}"#, "per_library"), (#"{"queue": 3}"#, "given.queue"),
        ])
    func unknown(given: String, words: String) throws {
        let result = try Self.tried(given, "checkout", #"{"allowed": true}"#)
        #expect(result.outcome == .notExpressed)
        #expect(result.explanation?.contains(words) == true, "\(result.explanation ?? "")")
    }
}
