import Circulation
import Scripting
import TestSupport
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
        try PolicyExplanation(ParsedPolicy(name: "main.lua", source: policy), question: try Case(json: json))
    }

    @Test("each field has its value, row, file and line, and why earlier rows did not match")
    func fields() throws {
        let json = try explanation(["patron": ["category": "guest"]]).json
        #expect(json["point"] == "checkout")
        #expect(json["answer"] == "allow")
        #expect(json["due_date"] == "2026-01-29")
        let trace = try #require(json["trace"]?.arrayValue)
        #expect(trace.map { $0["line"] } == [9, 10])
        #expect(trace.first?["file"] == "main.lua")
        #expect(trace.first?["values"] == ["case.patron.age": .null])
        #expect(json["explanation"] == "Allowed, due 2026-01-29.")
        #expect(json["limits"]?.arrayValue?.first?["count"] == 0)
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
        #expect(text.contains("      default; no row sets it") && !text.contains("by default"))
    }

    @Test("rows of limits say what they count, and why they do not apply")
    func limits() throws {
        let full = try explanation(["patron": ["category": "guest", "loans": 1]])
        #expect(full.text.contains("limits row 1, main.lua:2: 1 of at most 1 with category guest: full"))
        let other = try explanation(["patron": ["category": "staff", "loans": 1]])
        #expect(
            other.text.contains("limits row 1, main.lua:2: does not apply, category is staff, the row wants guest"))
        #expect(other.json["limits"]?.arrayValue?.first?["applies"] == false)
    }

    @Test("a row behind an unlimited one that applies is not read")
    func unlimited() throws {
        let bundle = try ParsedPolicy(
            name: "main.lua",
            source: "return policy { limits = { { max = unlimited }, { item_type = 'book', max = 2 } },"
                + " rules = { { loan = days(1) } } }")
        let explanation = try PolicyExplanation(bundle, question: try Case(json: [:]))
        #expect(explanation.limits.map(\.because) == [nil, "row 1 is unlimited and ends the reading"])
    }

    @Test("rows of notices say whether they are sent and why not")
    func notices() throws {
        let bundle = try ParsedPolicy(
            name: "main.lua",
            source: """
                return policy { notices = {
                    { stage = "soon", before = days(2), channel = "email", subject = "s", body = "b" },
                    { stage = "first", after = days(1), channel = "email", subject = "s", body = "b" },
                    { stage = "first", after = days(2), channel = "email", subject = "s", body = "b" },
                    { stage = "second", after = days(9), channel = "email", subject = "s", body = "b" },
                    { stage = "staff", category = "staff", after = days(1), channel = "email", subject = "s", body = "b" },
                } }
                """)
        let question = try Case(json: ["point": "overdue", "loan": ["days_overdue": 3]])
        let explanation = try PolicyExplanation(bundle, question: question)
        #expect(
            explanation.notices.map(\.because) == [
                "the due time has come", nil, "row 2 has the stage 'first' and matches too", "its time has not come",
                "category is patron, the row wants staff",
            ])
        #expect(explanation.text.contains("notices row 2, main.lua:3: first is sent"))
        #expect(explanation.text.hasPrefix("Notice first by email."))
    }

    // MARK: - Lines that ran

    private func trace(_ body: String, _ json: JSON = [:], head: String = "") throws -> PolicyExplanation {
        let source = "\(head)return policy { rules = { { loan = days(14) } },\n\(body) }"
        return try PolicyExplanation(
            ParsedPolicy(name: "main.lua", source: source), question: try Case(json: json))
    }

    @Test("a line that ran shows what it read: fields, locals, and what is known only once it has run")
    func values() throws {
        let explanation = try trace(
            """
            checkout = function(case, rule)
                local patron = case.patron
                local owed = patron.fees_owed
                if owed > money "1.00" then
                    return deny("fees_owed", "Pay first.")
                end
                return nil
            end
            """, ["patron": ["fees_owed": "3.00"]])
        let lines = explanation.trace.lines
        #expect(lines.map(\.line) == [3, 4, 5, 6])
        #expect(lines[0].values == [.init(name: "case.patron", value: .record)])
        #expect(lines[1].values == [.init(name: "patron.fees_owed", value: .value("3.00 EUR", words: "3.00 EUR"))])
        #expect(lines[2].values == [.init(name: "owed", value: .value("3.00 EUR", words: "3.00 EUR"))])
        #expect(lines[3].returned?["code"] == "fees_owed")
        #expect(explanation.text.contains("answers deny (fees_owed): Pay first."))
    }

    @Test("local functions, upvalues, loops and lists are followed, and a whole function on one line")
    func deeper() throws {
        let explanation = try trace(
            """
            checkout = function(case)
                for _, loan in ipairs(case.patron.loans) do
                    if late(loan) then return deny("late", "Late.") end
                end
            end
            """, ["patron": ["loans": 2]],
            head:
                "local most = 5\nlocal function late(loan) local n = most return loan.item_type == 'x' and n > 1 end\n")
        let lines = explanation.trace.lines
        #expect(lines.map(\.line) == [5, 6, 2, 5, 6, 2, 5, 7, 8])
        #expect(lines.first?.values == [.init(name: "case.patron.loans", value: .list(2))])
        #expect(
            lines[2].values == [
                .init(name: "most", value: .plain(5)), .init(name: "loan.item_type", value: .plain("book")),
                .init(name: "n", value: .plain(5)),
            ])
        #expect(lines[2].returned == false)
    }

    @Test("when functions are traced as well, and the decision is the same as without a trace")
    func whenFunctions() throws {
        let source = """
            return policy { rules = {
                { when = function(case) return case.patron.age == 7 end, loan = days(1) },
                { loan = days(14) },
            } }
            """
        let bundle = try ParsedPolicy(name: "main.lua", source: source)
        let question = try Case(json: ["patron": ["age": 7]])
        let explanation = try PolicyExplanation(bundle, question: question)
        #expect(explanation.trace.lines.map(\.line) == [2])
        #expect(explanation.trace.lines.first?.returned == true)
        #expect(explanation.decision == (try LuaPolicy(bundle).decide(question)))
    }

    @Test("a function that fails shows the lines up to its failure, and the next decision is sound")
    func failure() throws {
        let explanation = try trace(
            "checkout = function(case)\n local copy = case.copy\n return copy.item_type == 'x'\nend", ["copy": .null])
        #expect(explanation.decision.answer == .failed)
        #expect(explanation.trace.lines.map(\.line) == [3, 4])
        #expect(explanation.trace.lines.last?.values == [])
        #expect(explanation.sentence.hasPrefix("The policy failed: "))
        #expect(explanation.sentence.hasSuffix("(main.lua:4)"))
    }

    @Test("an endless loop ends at its budget, and its trace is cut")
    func endless() throws {
        let explanation = try trace("checkout = function(case)\n while true do\n local a = case.now\n end\nend")
        #expect(explanation.decision.answer == .failed)
        #expect(explanation.trace.isCut)
        #expect(explanation.trace.lines.count == PolicyTrace.mostLines)
    }

    @Test("watching ends with the explanation: later decisions of the same policy tell nothing")
    func watchingEnds() throws {
        let policy = try LuaPolicy(
            ParsedPolicy(
                name: "main.lua",
                source:
                    "return policy { rules = { { loan = days(1) } }, checkout = function(case)\nlocal a = case.now\nend }"
            ))
        let question = try Case(json: [:])
        let first = policy.decideTraced(question).trace.lines
        _ = policy.decide(question)
        #expect(first.map(\.line) == [2, 3])
        #expect(policy.decideTraced(question).trace.lines == first)
    }

    @Test("the page escapes what it shows, and marks lines that ran and rows that decided")
    func page() throws {
        let html = try trace(
            "checkout = function(case)\n if case.patron.age then return deny('x', '<b>No.</b>') end\nend",
            ["patron": ["age": 3]]
        ).html
        #expect(html.contains("&lt;b&gt;No.&lt;/b&gt;"))
        #expect(TableMarkup.faults(in: html) == [])
        #expect(!html.contains("<b>"))
        #expect(html.contains("<div class=\"ran\"><span class=\"number\">3</span>"))
        #expect(html.contains("<div class=\"won\"><span class=\"number\">1</span>"))
        #expect(html.contains("case.patron.age = 3"))
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
