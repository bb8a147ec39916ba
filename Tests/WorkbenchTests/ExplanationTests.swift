import Circulation
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("Explaining decisions")
struct ExplanationTests {
    private let policy = """
        return policy {
            limits = { { category = "guest", max = 1 } },
            rules = {
                { category = "staff", loan = weeks(8) },
                { item_type = "dvd", loan = days(7), renewals = 3 },
                { loan = days(14), renewals = 1 },
            },
            checkout = function(case)
                if case.patron.age and case.patron.age < 12 then return deny("young", "Too young.") end
            end,
        }
        """

    private func explanation(_ json: JSON) throws -> PolicyExplanation {
        try PolicyExplanation(PolicyBundle(name: "main.lua", source: policy), question: try Case(json: json))
    }

    @Test("each field has its value, row, file and line, and why earlier rows did not match")
    func fields() throws {
        let json = try explanation(["patron": ["category": "guest"]]).json
        #expect(json["point"] == "checkout")
        #expect(json["answer"] == "allow")
        #expect(json["due_date"] == "2026-01-29")
        #expect(json["trace"] == .array([]))
        let loan = try #require(json["fields"]?["loan"])
        #expect(loan["value"] == "P14D")
        #expect(loan["row"] == 3)
        #expect(loan["file"] == "main.lua")
        #expect(loan["line"] == 6)
        let skipped = try #require(loan["skipped"]?.arrayValue)
        #expect(skipped.map { $0["row"] } == [1, 2])
        #expect(skipped.first?["because"] == "category is guest, the row wants staff")
    }

    @Test("a refusal by a row names table, row, file and line")
    func refusalByRow() throws {
        let explanation = try explanation(["patron": ["category": "guest", "loans": 1]])
        let place = try #require(explanation.json["refusal"]?["where"])
        #expect(place["row"]?["table"] == "limits")
        #expect(place["row"]?["row"] == 1)
        #expect(place["line"] == 2)
        #expect(explanation.text.hasPrefix("Refused: "))
        #expect(explanation.text.contains("(limits row 1, main.lua:2)"))
    }

    @Test("a refusal by a function names its line")
    func refusalByFunction() throws {
        let explanation = try explanation(["patron": ["age": 8]])
        #expect(explanation.json["refusal"]?["code"] == "young")
        #expect(explanation.text.hasPrefix("Refused: Too young. (main.lua:"))
    }

    @Test("the text says the answer, then each group with its row and the rows passed over")
    func text() throws {
        let text = try explanation(["patron": ["category": "guest"], "copy": ["item_type": "dvd"]]).text
        #expect(text.hasPrefix("Allowed, due 2026-01-22.\n"))
        #expect(text.contains("by rules row 2, main.lua:5"))
        #expect(text.contains("not rules row 1, main.lua:4: category is guest, the row wants staff"))
        #expect(text.contains("no row sets it"))
    }

    @Test(
        "wrong cases are refused with the field",
        arguments: [
            (JSON.object(["patron": ["loans": "x"]]), "patron.loans: expected a list of objects, found"),
            (.object(["copy": ["status": "gone"]]), "copy.status: expected one of"),
            (.object(["calendar": ["weekly": ["mon": [["17:00", "09:00"]]]]]), "calendar:"),
            (.object(["time_zone": "Mars"]), "time_zone: "),
            (.array([1]), "expected an object, found a list"),
        ])
    func wrongCases(json: JSON, message: String) throws {
        let error = #expect(throws: CaseError.self) { try Case(json: json) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("a copy that is taken away is not there")
    func noCopy() throws {
        #expect(try Case(json: ["copy": .null]).copy == nil)
        #expect(try Case(json: ["copy": false]).copy == nil)
        #expect(try Case(json: [:]).copy?.itemTypes == ["book"])
    }
}
