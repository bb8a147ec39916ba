import Terminal
import Testing

@Suite("Completion")
struct CompletionTests {
    @Test(
        "inserts what all that fits has in common, and lists it in order",
        arguments: [
            ("lo", ["loans.get", "loans.active", "log.info"], "", ["loans.active", "loans.get", "log.info"]),
            ("loa", ["loans.get", "loans.active", "log.info"], "ns.", ["loans.active", "loans.get"]),
            ("loans.a", ["loans.get", "loans.active"], "ctive", ["loans.active"]),
            ("x", ["loans.get"], "", []),
            ("loans.get", ["loans.get"], "", ["loans.get"]),
        ])
    func candidates(typed: String, names: [String], insertion: String, candidates: [String]) {
        #expect(Completion(typed: typed, among: names) == Completion(insertion: insertion, candidates: candidates))
    }

    @Test("the same name twice is one candidate")
    func repeated() {
        #expect(Completion(typed: "a", among: ["ab", "ab"]).candidates == ["ab"])
    }
}
