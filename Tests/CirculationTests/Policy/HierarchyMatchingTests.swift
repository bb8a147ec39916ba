import Circulation
import Testing
import TextFormats

@Suite("Codes below others")
struct HierarchyMatchingTests {
    private static let question: JSON = [
        "branch": ["law", "campus"], "copy": ["branch": ["stacks", "law", "campus"], "item_type": ["atlas", "book"]],
        "patron": ["category": "fresher", "categories": ["fresher", "student"], "home_branch": ["north"]],
    ]

    @Test(
        "a condition is met by a code and by those below it, and by nothing above",
        arguments: [
            (RowConditions(branches: ["campus"]), nil), (RowConditions(branches: ["law"]), nil),
            (RowConditions(branches: ["stacks"]), "branch is law, the row wants stacks"),
            (RowConditions(copyBranches: ["law", "north"]), nil),
            (RowConditions(copyBranches: ["north"]), "the copy's branch is stacks, the row wants north"),
            (RowConditions(categories: ["student"]), nil),
            (RowConditions(categories: ["staff"]), "category is fresher, the row wants staff"),
            (RowConditions(homeBranches: ["north"]), nil),
            (RowConditions(homeBranches: ["campus"]), "home branch is north, the row wants campus"),
            (RowConditions(categories: ["student"], itemTypes: ["book"], branches: ["campus"]), nil),
        ] as [(RowConditions, String?)])
    func conditions(conditions: RowConditions, mismatch: String?) throws {
        let question = try Case(json: Self.question)
        #expect(try conditions.mismatch(with: question) { _ in true } == mismatch)
        let row = Sample.row(["loan": .period(.days(3))], where: conditions)
        let rule = try Sample.tables([row]).rule(for: question)
        #expect((rule.origin(of: "loan") == nil) == (mismatch != nil))
    }

    @Test("a case keeps its codes with their ancestors, and one without any as a text")
    func json() throws {
        let question = try Case(json: Self.question)
        #expect(question.branches == ["law", "campus"] && question.branch == "law")
        #expect(question.copy?.branches == ["stacks", "law", "campus"])
        #expect(question.patron.categories == ["fresher", "student"] && question.patron.category == "fresher")
        #expect(question.json["branch"] == ["law", "campus"])
        #expect(question.json["patron"]?["home_branch"] == "north")
        #expect(try Case(json: question.json) == question)
        #expect(throws: CaseError.self) { try Case(json: ["branch": 3]) }
        #expect(throws: CaseError.self) { try Case(json: ["branch": []]) }
    }

    @Test("a code that is set by itself has no ancestors")
    func setting() throws {
        var question = try Case(json: Self.question)
        question.branch = "north"
        question.patron.category = "staff"
        question.copy?.branch = "north"
        #expect(question.branches == ["north"] && question.patron.categories == ["staff"])
        #expect(question.copy?.branches == ["north"])
    }
}
