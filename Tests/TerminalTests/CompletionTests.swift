import Testing

@testable import LineEditing
@testable import Terminal

@Suite("Completion")
struct CompletionTests {
    @Test("what all candidates share is their common beginning, by whole characters")
    func common() {
        let completion = Completion(typed: "lo", among: ["loans", "loan_rows", "local", "lo"])
        #expect(completion.common == "lo")
        #expect(completion.candidates.map(\.text) == ["lo", "loan_rows", "loans", "local"])
        #expect(Completion(typed: "loa", among: ["loans", "loan_rows"]).common == "loan")
        #expect(Completion(typed: "Ž", among: ["Žižek", "Žiž"]).common == "Žiž")
    }

    @Test("what nothing fits completes to nothing, and what is whole already to itself")
    func nothing() {
        #expect(Completion(typed: "zz", among: ["loans"]).candidates.isEmpty)
        #expect(Completion(typed: "zz", among: ["loans"]).common == "zz")
        #expect(Completion(typed: "loans", among: ["loans"]).common == "loans")
    }

    @Test("where nothing fits as typed, the case of letters does not matter")
    func folding() {
        #expect(Completion(typed: "ADA", among: ["ada.eastlake", "bo"]).candidates.map(\.text) == ["ada.eastlake"])
        #expect(Completion(typed: "A", among: ["ada", "Ada"]).candidates.map(\.text) == ["Ada"])
    }

    @Test("the first of many candidates say nothing about what all have in common")
    func cut() {
        var completion = Completion(typed: "97", among: ["9780", "9781"])
        #expect(completion.common == "978")
        completion.isCut = true
        #expect(completion.common == "97")
    }
}
